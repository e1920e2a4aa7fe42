"use strict";
// Lists the matches, and opens their replays in frames. Text is only ever set as text.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const stored = [...document.querySelectorAll("script.replay")];
  const $ = (id) => document.getElementById(id);
  const AT_ONCE = 50;
  const [SEAT0, SEAT1, PAIR, LEG, WINNER, POINTS0, POINTS1, DEALS, FAULTS, REASON, ID] = Array(11).keys();
  let found = [], shown = 0;

  const el = (tag, classes, ...inside) => {
    const node = document.createElement(tag);
    if (classes) node.className = classes;
    node.append(...inside);
    return node;
  };
  const idOf = (row) => {
    if (typeof row[ID] === "string") return row[ID];
    const [a, b] = row[ID] ? [row[SEAT1], row[SEAT0]] : [row[SEAT0], row[SEAT1]];
    return [row[PAIR], data.names[a], data.names[b], row[LEG]].join("-");
  };
  const here = new Map(data.replays.map((id, at) => [id, at]));

  // The list

  const wonBy = (row) => (row[WINNER] === null ? data.reasons[row[REASON]] : data.names[row[row[WINNER] ? SEAT1 : SEAT0]]);
  const way = (id) => {
    if (data.folder !== null) {
      const link = el("a", "", "replay");
      link.href = data.folder + "/" + encodeURIComponent(id + ".html");
      return link;
    }
    if (here.has(id)) {
      const link = el("a", "", "replay");
      link.href = "#replay=" + encodeURIComponent(id);
      return link;
    }
    const button = el("button", "", "command");
    button.type = "button";
    button.addEventListener("click", () => tell(id));
    return button;
  };
  const line = (row) => {
    const id = idOf(row), seats = el("span", "name", data.names[row[SEAT0]] + " against " + data.names[row[SEAT1]]);
    const why = row[REASON] === 1 ? " (" + data.reasons[1].replace("_", " ") + ")" : "";
    const action = way(id);
    action.setAttribute("aria-label", action.textContent + " " + id);
    return el("tr", "",
      el("td", "", seats, " ", el("small", "", "pair " + row[PAIR] + row[LEG])),
      el("td", "num", row[POINTS0] + " : " + row[POINTS1]),
      el("td", "name", wonBy(row) + why),
      el("td", "num", String(row[DEALS])),
      el("td", row[FAULTS] ? "num bad" : "num", String(row[FAULTS])),
      el("td", "", action));
  };
  const more = () => {
    $("list").tBodies[0].append(...found.slice(shown, shown + AT_ONCE).map(line));
    shown = Math.min(found.length, shown + AT_ONCE);
    $("more").hidden = shown >= found.length;
    $("count").textContent = found.length.toLocaleString("en") + (found.length === 1 ? " match" : " matches");
  };
  const fits = (row, who, against, which) => {
    const seats = [row[SEAT0], row[SEAT1]];
    if (who !== "" && !seats.includes(Number(who))) return false;
    if (against !== "" && !seats.includes(Number(against))) return false;
    if (which === "faults") return row[FAULTS] > 0;
    if (which === "void") return row[WINNER] === null;
    return which !== "replay" || here.has(idOf(row));
  };
  const list = () => {
    const [who, against, which] = ["who", "against", "which"].map((id) => $(id).value);
    found = data.rows.filter((row) => fits(row, who, who === against ? "" : against, which));
    shown = 0;
    $("list").tBodies[0].replaceChildren();
    more();
  };

  // Replays

  const open = (title, small, body) => {
    $("stage-title").textContent = title;
    $("stage").classList.toggle("small", small);
    $("stage-body").replaceChildren(body);
    if (!$("stage").open) $("stage").showModal();
  };
  const tell = (id) => {
    const quoted = "'" + ("matches/" + id + ".jsonl").replaceAll("'", "'\\''") + "'";
    const words = el("p", "", "This replay is not in the page. In the run's folder: ", el("code", "", "referee replay " + quoted));
    open(id, true, words);
  };
  // A frame without an address of its own takes its links for links into this page, and keeps its keys to itself.
  const settle = (view, deal) => {
    const inside = view.contentDocument, go = (hash) => { view.contentWindow.location.hash = hash; };
    inside.addEventListener("click", (event) => {
      const link = event.target.closest("a[href^='#']");
      if (!link) return;
      event.preventDefault();
      go(link.getAttribute("href"));
    });
    inside.addEventListener("keydown", (event) => { if (event.key === "Escape") $("stage").close(); });
    if (deal) go("deal=" + deal + "&step=0");
    view.focus();
  };
  const replay = (id, deal) => {
    const at = here.get(id);
    if (at === undefined) return;
    const [head, middle, tail] = data.shell, title = stored[at].dataset.title;
    const named = el("i", "", title).innerHTML; // the title as text of HTML
    const view = el("iframe", "");
    view.title = title;
    view.srcdoc = head + named + middle + stored[at].textContent + tail;
    view.addEventListener("load", () => settle(view, deal));
    open(title, false, view);
  };
  const close = () => {
    $("stage-body").replaceChildren();
    if (!location.hash.startsWith("#replay=")) return;
    try { history.replaceState(null, "", "#interesting"); } catch { /* some frames have no address of their own */ }
  };

  // Where the address leads

  const follow = () => {
    const asked = new URLSearchParams(location.hash.slice(1));
    if (asked.has("replay")) return replay(asked.get("replay"), Number.parseInt(asked.get("deal"), 10));
    if ($("stage").open) $("stage").close();
    if (asked.get("matches")) {
      const [who = "", against = ""] = asked.get("matches").split(",");
      $("who").value = who;
      $("against").value = against;
      list();
      $("matches").scrollIntoView();
      $("who").focus({ preventScroll: true });
      return;
    }
    const bot = document.querySelector("details.bot:target");
    if (bot) {
      bot.open = true;
      bot.scrollIntoView();
      bot.querySelector("summary").focus({ preventScroll: true });
    }
  };

  for (const id of ["who", "against"]) {
    $(id).append(...data.names.map((name, at) => { const one = el("option", "", name); one.value = at; return one; }));
    $(id).addEventListener("change", list);
  }
  $("which").addEventListener("change", list);
  $("more").addEventListener("click", more);
  $("stage").addEventListener("close", close);
  $("filter").addEventListener("submit", (event) => event.preventDefault());
  document.querySelector(".cross")?.addEventListener("click", (event) => {
    const cell = event.target.closest("[data-against]");
    if (cell) location.hash = "matches=" + cell.parentElement.dataset.bot + "," + cell.dataset.against;
  });
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const one of closed) one.open = true;
  });
  addEventListener("afterprint", () => { for (const one of closed) one.open = false; });
  addEventListener("hashchange", follow);
  $("filter").hidden = $("list").hidden = false;
  list();
  follow();
})();
