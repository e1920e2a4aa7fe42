"use strict";
// Shows what the referee worked out and knows no rule of the game: the film is a list of deals, a deal a list of steps,
// a step { t: sentence, s: what has changed on the table, u: time, n: note, e: evidence, k: kind }. What a seat saw is
// a film of the same shape with only what differs, laid over it.
(() => {
  const match = JSON.parse(document.getElementById("match").textContent);
  const $ = (id) => document.getElementById(id);
  const views = match.seat === null ? ["all", "seat0", "seat1"] : ["seat" + match.seat];
  const seatOf = (one) => (one === "all" ? null : Number(one[4]));
  const RANKS = { T: "10" };
  const SPOKEN = { 9: "nine", J: "jack", Q: "queen", K: "king", T: "ten", A: "ace", C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
  let view = views[0], deal = 0, step = 0, timer = null, shown = "", steps = [], states = [];

  // Building blocks. Text is only ever set as text.

  const el = (tag, classes, text) => {
    const node = document.createElement(tag);
    if (classes) node.className = classes;
    if (text !== undefined) node.textContent = text;
    return node;
  };
  const suit = (letter) => {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    svg.setAttribute("aria-hidden", "true");
    svg.setAttribute("viewBox", "0 0 32 32");
    use.setAttribute("href", "#suit-" + letter);
    svg.append(use);
    return svg;
  };
  const red = (letter) => (letter === "H" || letter === "D" ? " red" : "");
  const spoken = (name) => SPOKEN[name[0]] + " of " + SPOKEN[name[1]];
  const card = (name, more = "") => {
    if (name === "??") {
      const back = el("span", "card back" + more);
      back.setAttribute("role", "img");
      back.setAttribute("aria-label", "face down");
      return back;
    }
    const face = el("span", "card" + red(name[1]) + more);
    face.setAttribute("role", "img");
    face.setAttribute("aria-label", spoken(name));
    face.dataset.card = name;
    face.append(el("span", "rank", RANKS[name[0]] || name[0]), suit(name[1]));
    return face;
  };
  const ink = (rank, letter) => {
    const node = el("span", "ink" + red(letter), rank);
    node.append(suit(letter));
    node.setAttribute("aria-label", rank ? SPOKEN[rank === "10" ? "T" : rank] + " of " + SPOKEN[letter] : SPOKEN[letter]);
    node.setAttribute("role", "img");
    return node;
  };
  const sentence = (text) => {
    const out = document.createDocumentFragment();
    for (const part of text.split(/(@[01]|#..|\^[CDHS])/)) {
      if (/^@[01]$/.test(part)) out.append(el("b", "who", match.names[part[1]]));
      else if (/^#..$/.test(part)) out.append(ink(RANKS[part[1]] || part[1], part[2]));
      else if (/^\^[CDHS]$/.test(part)) out.append(ink("", part[1]));
      else out.append(part);
    }
    return out;
  };
  const pairs = (text) => (text || "").match(/../g) || [];

  // Where we are

  const near = () => seatOf(view) ?? 0;
  const over = (now, changes) => Object.assign({}, now, changes);
  const unfold = () => {
    const key = view + "/" + deal;
    if (shown === key) return;
    shown = key;
    steps = match.film[deal];
    let now = {};
    states = steps.map((one) => (now = over(now, one.s)));
    if (view !== "all" && match.seat === null) {
      const seen = match.seen[seatOf(view)][deal];
      let hidden = {};
      states = seen.map((one, at) => over(states[at], (hidden = over(hidden, one.s))));
      steps = steps.map((one, at) => over(one, seen[at]));
    }
    listSteps();
  };

  // Drawing

  const drawBar = (place, seat, now) => {
    const bar = $(place);
    bar.className = "bar" + (now.w === seat ? " turn" : "");
    bar.replaceChildren(el("span", "name", match.names[seat]));
    if (now.d === seat) bar.append(el("span", "chip", "dealer"));
    if (now.w === seat) bar.append(el("span", "chip", "to act"));
    const count = (n, thing) => n + " " + thing + (n === 1 ? "" : "s");
    bar.append(el("span", "count", count(now.r[seat], "trick") + ", " + count(now.p[seat], "point")));
    for (const [who, letter, points, waits] of now.m) {
      if (who !== seat) continue;
      const told = el("span", "count", "marriage ");
      told.append(ink("", letter), " " + points + (waits ? ", waiting for a trick" : ""));
      bar.append(told);
    }
  };
  const drawHand = (place, seat, now) => {
    const fresh = now.n[seat];
    $(place).replaceChildren(...pairs(now["h" + seat]).map((name) => card(name, name === fresh && fresh !== "??" ? " new" : "")));
  };
  const drawStock = (now) => {
    const pile = el("div", "pile" + (now.k === 1 ? " alone" : "")), trump = el("div", "", "trump ");
    trump.append(ink("", now.t));
    if (now.c) pile.append(card(now.c, " up"));
    if (now.k > 1) pile.append(card("??"));
    const left = !now.c ? "stock empty" : now.x === null ? now.k + " left" : "closed, " + now.k + " left";
    $("stock").replaceChildren(pile, el("div", "", left), trump);
    if (now.x !== null) $("stock").append(el("div", "who", "by " + match.names[now.x]));
  };
  const drawTrick = (now) => {
    const cards = now.b.map(([seat, name]) => {
      const figure = el("figure", now.b.length === 2 && now.l && now.l[1] === seat ? "won" : "");
      figure.append(card(name), el("figcaption", "", match.names[seat]));
      return figure;
    });
    $("trick").replaceChildren(...cards);
    const last = $("last");
    last.replaceChildren();
    if (!now.l) return;
    const done = now.b.length === 2;
    if (!done) {
      const row = el("div", "cards");
      row.append(...pairs(now.l[0]).map((name) => card(name, " small")));
      last.append("last trick", el("br"), row);
    }
    last.append(el("div", "who", match.names[now.l[1]] + " takes " + now.l[2]));
  };
  const drawTold = (one) => {
    $("said").replaceChildren(sentence(one.t));
    if (one.u) $("said").append(" ", el("span", "time", one.u));
    $("note").textContent = one.n || "";
    $("evidence").replaceChildren(...(one.e || []).flatMap(([name, text]) => [el("dt", "", name), el("dd", "", text)]));
  };
  const listSteps = () => {
    $("log-title").textContent = match.deals[deal].title;
    $("slider").max = steps.length - 1;
    $("deal").value = deal;
    $("steps").replaceChildren(...steps.map((one, at) => {
      const row = el("li", one.k === "f" ? "fault" : one.k === "e" ? "end" : "");
      const link = el("a", "", at);
      link.href = address(at);
      link.setAttribute("aria-label", "Step " + at);
      const text = el("span", "text");
      text.append(sentence(one.t));
      text.addEventListener("click", () => { pause(); go(deal, at); });
      row.append(link, text, el("span", "time", one.u || ""));
      if (one.n) { const note = el("div", "note", one.n); note.dir = "auto"; row.append(note); }
      return row;
    }));
  };
  const drawScore = (now) => {
    const points = el("span", "points", now.s[near()] + " : " + now.s[1 - near()]);
    $("score").replaceChildren(el("span", "name", match.names[near()]), points, el("span", "name", match.names[1 - near()]));
  };
  const draw = () => {
    const now = states[step], one = steps[step];
    drawScore(now);
    $("felt").classList.toggle("empty", !now.t);
    if (now.t) {
      for (const [place, seat] of [["far", 1 - near()], ["near", near()]]) {
        drawBar("bar-" + place, seat, now);
        drawHand("hand-" + place, seat, now);
      }
      drawStock(now);
      drawTrick(now);
    }
    drawTold(one);
    $("slider").value = step;
    $("where").textContent = step + " / " + (steps.length - 1);
    const rows = $("steps"), row = rows.children[step];
    rows.querySelector("[aria-current]")?.removeAttribute("aria-current");
    row.setAttribute("aria-current", "step");
    rows.scrollTop = row.offsetTop - rows.clientHeight / 2;
  };

  // Moving

  const address = (at) => "#deal=" + match.deals[deal].n + "&step=" + at + (views.length > 1 && view !== "all" ? "&view=" + view : "");
  const link = () => {
    if (timer !== null) return; // some browsers allow only so many changes of address a minute
    try { history.replaceState(null, "", address(step)); } catch { /* a frame without an address of its own */ }
  };
  const go = (toDeal, toStep) => {
    deal = Math.max(0, Math.min(match.deals.length - 1, toDeal));
    unfold();
    step = Math.max(0, Math.min(steps.length - 1, toStep));
    draw();
    link();
  };
  const forward = () => {
    if (step < steps.length - 1) go(deal, step + 1);
    else if (deal < match.deals.length - 1) go(deal + 1, 0);
    else pause();
  };
  const back = () => {
    if (step > 0) go(deal, step - 1);
    else if (deal > 0) go(deal - 1, Infinity);
  };
  const halt = () => {
    clearInterval(timer);
    timer = null;
    $("play").classList.remove("on");
    $("play").setAttribute("aria-label", "Play");
  };
  const pause = () => { halt(); link(); };
  const play = () => {
    if (deal === match.deals.length - 1 && step === steps.length - 1) go(0, 0);
    clearInterval(timer);
    timer = setInterval(forward, 1000 / Number($("speed").value));
    $("play").classList.add("on");
    $("play").setAttribute("aria-label", "Pause");
  };
  const toggle = () => (timer === null ? play() : pause());
  const turnTo = (to) => { view = to; $("view").value = to; go(deal, step); };
  const follow = () => {
    const asked = new URLSearchParams(location.hash.slice(1));
    if (views.includes(asked.get("view"))) { view = asked.get("view"); $("view").value = view; }
    const number = Number(asked.get("deal")), at = match.deals.findIndex((one) => one.n === number);
    go(asked.has("deal") && at >= 0 ? at : deal, asked.has("step") ? Math.trunc(Number(asked.get("step"))) || 0 : 0);
  };

  const stopped = (move) => () => { pause(); move(); };
  const KEYS = {
    ArrowRight: stopped(forward), ArrowLeft: stopped(back), " ": toggle,
    n: stopped(() => go(deal + 1, 0)), p: stopped(() => go(step > 0 ? deal : deal - 1, 0)),
    Home: stopped(() => go(0, 0)), End: stopped(() => go(Infinity, Infinity)),
    g: () => $("deal").focus(), s: () => turnTo(views[(views.indexOf(view) + 1) % views.length]),
  };
  document.addEventListener("keydown", (event) => {
    const on = event.target.tagName;
    if (event.ctrlKey || event.metaKey || event.altKey || on === "SELECT") return;
    if (event.key === " " && on === "BUTTON") return; // the button's own click
    if (!Object.hasOwn(KEYS, event.key)) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  $("forward").addEventListener("click", KEYS.ArrowRight);
  $("back").addEventListener("click", KEYS.ArrowLeft);
  $("next-deal").addEventListener("click", KEYS.n);
  $("prev-deal").addEventListener("click", KEYS.p);
  $("play").addEventListener("click", toggle);
  $("slider").addEventListener("input", () => { pause(); go(deal, Number($("slider").value)); });
  $("deal").addEventListener("change", () => { pause(); go(Number($("deal").value), 0); });
  $("view").addEventListener("change", () => turnTo($("view").value));
  $("speed").addEventListener("change", () => { if (timer !== null) play(); });
  addEventListener("hashchange", () => { halt(); follow(); }); // not pause: it would write the old address over the new

  $("about").textContent = match.about;
  $("deal").append(...match.deals.map((one, at) => { const o = el("option", "", one.label); o.value = at; return o; }));
  $("view").append(...views.map((one) => { const o = el("option", "", one === "all" ? "all cards" : "what " + match.names[seatOf(one)] + " saw"); o.value = one; return o; }));
  $("view").parentElement.hidden = views.length < 2;
  follow();
})();
