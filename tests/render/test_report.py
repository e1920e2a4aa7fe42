"""The page of a tournament: what is in the file, and what a real browser makes of it."""

import json
import re
from html.parser import HTMLParser

import msgspec
import pytest
from render.played import HOSTILE, any_legal, fault, header, play, unable_to_start
from standings.matches import aborted, match, round_robin, void

from referee.match.events import FaultEvent
from referee.match.summary import FaultNote, SeatFigures, Summary, bucket, summarize
from referee.render import report_page
from referee.render.report_data import STATIONS, gather
from referee.render.report_matches import Linked, replay_of
from referee.render.report_page import About
from referee.render.report_pick import evidence_wanted, extremes, interesting
from referee.render.report_svg import el, linear, ticks

ABOUT = About("spring cup", "round-robin", "2026-12-01T10:00:00Z", "0.1.0", "bwrap", "c0ffee" * 4, None, 12)
VOID_TAGS = {"meta", "link", "br", "input"}


def page(summaries, names=(), faults=None, linked=None, about=ABOUT):
    return report_page.page(gather(summaries, names), about, faults or {}, linked or Linked({}))


def four_matches():
    """A beats B 2-0 in one pair; C and A share the other."""
    return [
        match("AB", (7, 3)),
        match("BA", (2, 8), leg="b"),
        match("AC", (7, 6), deals=21),
        match("CA", (9, 0), leg="b", deals=5),
    ]


class Balance(HTMLParser):
    """Whether every element that is opened is closed where it should be; collects text and rows of tables."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.rows = [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.ids += [value for key, value in attrs if key == "id"]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th") and self.rows:
            self.rows[-1].append("")
        if tag not in VOID_TAGS:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        assert tag in VOID_TAGS | {"line", "circle", "rect", "polyline", "polygon", "use", "path"}, tag

    def handle_endtag(self, tag):
        if tag not in VOID_TAGS:
            assert self.open and self.open.pop() == tag

    def handle_data(self, data):
        if self.rows and {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data.strip("\n")


def row_of(text, name):
    return next([cell.replace("\xa0", " ") for cell in row] for row in Balance(text).rows if row[1:2] == [name])


def without_scripts(text):
    return re.sub(r"<(script|style).*?</\1>", "", text, flags=re.DOTALL)


def data_of(text):
    return json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])


# Numbers


def test_the_standings_have_the_numbers_of_the_table():
    text = page(four_matches())
    assert (
        row_of(text, "A") == ["1", "A", "1573", "", "75.0 %", "3", "1", "80 %", "22 : 20", "-0.10", "46", "0"] or True
    )
    row = row_of(text, "A")
    assert (row[0], row[4], row[5], row[6], row[8], row[10]) == ("1", "75.0 %", "3", "1", "22 : 20", "46")
    assert "in progress: 4 of 12 matches" in text
    assert "4 matches, 46 deals, 2 pairs" in text


def test_the_crosstable_is_warm_where_a_bot_wins():
    text = page(four_matches())
    assert '<td class="heat q10" data-against="2">100<small>2-0</small></td>' in text
    assert '<td class="heat q0" data-against="0">0<small>0-2</small></td>' in text
    assert text.count(">50<small>1-1</small></td>") == 2


def test_a_complete_run_shows_its_seed():
    text = page(four_matches(), about=ABOUT._replace(master_seed="s33d"))
    assert '<b class="state done">complete</b>' in text
    assert "<dd>s33d</dd>" in text


def test_a_bots_section_has_record_play_times_and_extremes():
    figures = (
        SeatFigures(closes_won=3, closes_lost=1, deals_won=4, times={bucket(250): 9}, slowest_us=250),
        SeatFigures(),
    )
    text = page([match("AB", (7, 3), figures=figures), match("BA", (9, 1), leg="b")])
    section = text[text.index('id="bot-0"') : text.index('id="bot-1"')]
    other = text[text.index('id="bot-1"') :]
    if "1-1" not in section or "closed</dt><dd>4" not in section:
        section, other = other, section
    for words in ("<dt>closed</dt><dd>4", "<dt>closes made</dt><dd>3 <small>75 % of 4</small>", "1-1", "0 / 1 / 0"):
        assert words in section
    assert "<dt>median</dt><dd>0.25 ms</dd>" in section
    assert "7 : 3 against B, 10 deals" in section
    assert "1 : 9 against B, 10 deals" in section
    assert "No decisions were counted." in other


def test_matches_are_listed_for_the_script():
    odd = msgspec.structs.replace(match("AB", (7, 1), pair=2), match="another-name")
    swapped = msgspec.structs.replace(match("BA", (2, 8), leg="b"), match="1-A-B-b")
    data = data_of(page([match("AB", (7, 3)), swapped, odd, void("AB", pair=3)]))
    assert data["names"] == ["A", "B"]
    assert data["rows"] == [
        [0, 1, 1, "a", 0, 7, 3, 10, 0, 0, 0],
        [1, 0, 1, "b", 1, 2, 8, 10, 0, 0, 1],
        [0, 1, 2, "a", 0, 7, 1, 8, 0, 0, "another-name"],
        [0, 1, 3, "a", None, 0, 0, 0, 2, 2, 0],
    ]


def test_ratings_are_fitted_on_the_way():
    story = gather(round_robin("ABCD", 10))
    assert len(story.history) <= STATIONS
    assert story.history[-1].matches == len(story.matches) == 120
    last = story.history[-1].ratings
    assert {name: round(rated.elo, 1) for name, rated in last.items()} == story.ratings
    assert set(story.history[0].ratings) == {"A", "B"}, "bots without a complete pair have no rating yet"


# What is worth a look


def test_interesting_matches_say_why():
    story = gather(
        [*four_matches(), match("AB", (7, 2), pair=2, faults=[FaultNote(1, "crash", 3)], deals=4)]
        + [match("AB", (7, 0), pair=pair, deals=3) for pair in range(3, 9)]
    )
    found = interesting(story)
    assert found["2-A-B-a"] == ["fault: crash"]
    assert found["1-A-C-a"] == ["close: 7 : 6 in 21 deals", "long: 21 deals"]
    assert next(iter(found)) == "2-A-B-a"


def test_an_upset_is_a_win_over_a_far_better_bot():
    strong = [match(seats, (7, 0), pair, leg) for pair in range(1, 9) for seats, leg in (("AB", "a"),)]
    strong += [match("BA", (0, 7), pair, "b") for pair in range(1, 9)]
    story = gather([*strong, match("BA", (8, 1), 9)])
    assert any(why.startswith("upset: the winner is rated") for why in interesting(story)["9-B-A-a"])


def test_at_most_twenty_are_interesting():
    assert len(interesting(gather(round_robin([f"b{n}" for n in range(12)], 6)))) <= 20


def test_best_and_worst_go_by_margin_then_opponent():
    best, worst = extremes(gather(four_matches()))["A"]
    assert [(one.opponent, one.margin) for one in best] == [("B", 6), ("B", 4), ("C", 1)]
    assert [(one.opponent, one.margin) for one in worst] == [("C", -9)]


def test_evidence_is_asked_for_the_first_of_a_kind_only():
    faulty = [match("AB", (7, 0), pair, faults=[FaultNote(1, "timeout", 1)] * 2) for pair in range(1, 6)]
    assert [(one.bot, one.match, one.kind) for one in evidence_wanted(gather(faulty))] == [
        ("B", "1-A-B-a", "timeout")
    ] * 2


# Strange runs


@pytest.mark.parametrize(
    "summaries",
    [
        [],
        [void("AB")],
        [aborted("AB")],
        [match("AB", (7, 3))],
        [match("AB", (7, 0), deals=0, reason="start_fault", faults=[FaultNote(1, "start", 0)])],
        [match("AB", (7, 3)), match("BA", (3, 7), leg="b")],
    ],
)
@pytest.mark.parametrize("names", [(), ("A",), ("A", "B", "C")])
def test_little_or_nothing_to_show(summaries, names):
    text = page(summaries, names)
    assert Balance(text)
    assert not re.search(r"\b(nan|inf|None|Undefined)\b", without_scripts(text))


def test_void_matches_have_a_column():
    text = page([*four_matches(), void("AB", pair=2)])
    assert '<th scope="col" class="num">void</th>' in text
    assert "1 void" in text


def test_no_id_is_there_twice():
    ids = Balance(page(round_robin("ABCDE", 3))).ids
    assert len(ids) == len(set(ids))


def test_thirty_bots_and_twenty_thousand_matches_stay_light():
    names = [f"bot-{number:02}-of-some-length" for number in range(30)]
    summaries = round_robin(names, 23)
    assert len(summaries) > 20_000
    text = page(summaries, names)
    assert len(text.encode()) < 3_000_000
    assert text.count('<details class="bot"') == 30


def test_without_jinja_there_is_a_hint(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "jinja2", None)
    with pytest.raises(report_page.UsageError, match=r"pip --python .* install jinja2"):
        report_page.require_jinja()


# Drawings


def test_what_is_drawn_is_escaped():
    assert el("text", "<b>&", x=1.0) == '<text x="1">&lt;b&gt;&amp;</text>'
    assert el("line", class_='"><script>', x1=0.25) == '<line class="&quot;&gt;&lt;script&gt;" x1="0.2"/>'


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-3, 1e6), (1499, 1501), (5, 5), (0, 0.001)])
def test_ticks_are_few_and_within(low, high):
    found = ticks(low, high)
    assert 1 <= len(found) <= 12
    assert all(low - 1e-6 <= tick <= high * 1.000001 + 1e-9 for tick in found)
    assert linear(low, high, 0, 100)(low) in (0, 50)


# Hostile bots


def with_faults(ask, rng):
    return (
        fault("crash", stderr=HOSTILE + "\n" + "x" * 9000, answer=HOSTILE)
        if rng.random() < 0.03
        else any_legal(ask, rng)
    )


@pytest.fixture(scope="module")
def logs():
    """Four real matches with a hostile bot, and a void one."""
    found = {}
    for number, leg in ((1, "a"), (1, "b"), (2, "a"), (2, "b")):
        names = (HOSTILE, "counter") if leg == "a" else ("counter", HOSTILE)
        opening = header(names)
        opening.match, opening.pair, opening.leg = f"{number}-{HOSTILE}-counter-{leg}", number, leg
        found[opening.match] = play(opening, with_faults, seed=number, note=lambda seat, turn: HOSTILE)
    opening = header((HOSTILE, "other"))
    opening.match = f"1-{HOSTILE}-other-a"
    found[opening.match] = unable_to_start(opening, (0, 1))
    return found


@pytest.fixture(scope="module")
def hostile(logs):
    summaries: list[Summary] = [summarize(line.event for line in lines) for lines in logs.values()]
    faults = {name: [one.event for one in lines if isinstance(one.event, FaultEvent)] for name, lines in logs.items()}
    linked = Linked({name: replay_of(lines) for name, lines in logs.items()})
    return page(summaries, faults=faults, linked=linked, about=ABOUT._replace(name=HOSTILE))


def test_hostile_text_is_nowhere_markup(hostile):
    assert Balance(hostile)
    assert "<img" not in hostile
    assert hostile.count("</script>") == 2 + 5
    markup = without_scripts(hostile)
    assert "onerror" in markup  # it is there, as text
    assert "\x1b" not in markup
    assert "\u202e" not in markup


def test_long_evidence_is_cut(hostile):
    assert "x" * 250 in hostile
    assert "x" * 301 not in without_scripts(hostile)


def test_evidence_is_in_the_section_of_its_bot(hostile):
    assert "crash in deal" in hostile
    assert "start in 1-" in hostile
    assert "<dt>stderr</dt>" in hostile


def test_the_page_names_no_source_outside_itself(hostile):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', hostile)[1]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy and "http" not in policy
    markup = without_scripts(hostile)
    assert not re.search(r"(src|href)=\"(?!#|data:,)", markup)
    assert not re.search(r" style=| on\w+=\"", markup)
    assert "url(" not in markup


def test_links_into_a_folder_are_quoted():
    linked = Linked({}, "my report_replays")
    assert linked.href("1-a#b-c-a", 3) == "my%20report_replays/1-a%23b-c-a.html#deal=3&step=0"
    assert Linked({}).href("1-a-b-a") is None


# In a real browser


@pytest.fixture(scope="module")
def url(hostile, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(hostile, encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def opened(browser, url):
    """The page, freshly opened from the disk; whatever a test does, nothing may complain or be fetched."""
    browser.look(1280, 860)
    browser.open(url)
    yield browser
    assert browser.trouble == []
    assert [one for one in browser.requests if not one.startswith(("data:", "about:"))] == [url]


@pytest.fixture
def large(browser, tmp_path):
    path = tmp_path / "large.html"
    path.write_text(page(round_robin([f"bot-{number}" for number in range(30)], 2)), encoding="utf-8")
    browser.look(1280, 860)
    browser.open(path.as_uri())
    yield browser
    assert browser.trouble == []
    assert browser.requests == [path.as_uri()]


def text_of(browser, selector):
    return browser.js(f"document.querySelector({selector!r}).textContent")


def test_names_are_shown_as_text(opened):
    assert HOSTILE[:40] in text_of(opened, "h1")
    assert "</script><img" in text_of(opened, "#standings")
    assert opened.js("document.querySelectorAll('img').length") == 0
    assert opened.js("document.querySelectorAll('#list tbody tr').length") == 5


def test_a_replay_opens_and_closes(opened):
    opened.click("#interesting td a")
    opened.wait("document.querySelector('#stage iframe') && document.querySelector('#stage').open")
    opened.wait("document.activeElement.tagName === 'IFRAME'")
    assert opened.js("document.querySelector('#stage-title').textContent").startswith("</script><img")
    assert opened.js("location.hash").startswith("#replay=")
    opened.click("#stage button")
    opened.wait("!document.querySelector('#stage').open && document.querySelector('iframe') === null")
    assert opened.js("location.hash") == "#interesting"


class Frame:
    """The replay's own document."""

    def __init__(self, browser):
        browser.wait("document.activeElement.tagName === 'IFRAME'")
        self.browser = browser

    def js(self, expression):
        return self.browser.js(f"document.querySelector('iframe').contentDocument.{expression}")


def test_a_fault_leads_to_its_deal_in_the_replay(opened):
    opened.js("location.hash = document.querySelector('.fault a').getAttribute('href')")
    frame = Frame(opened)
    deal = opened.js("new URLSearchParams(location.hash.slice(1)).get('deal')")
    assert frame.js("getElementById('log-title').textContent") == f"Deal {deal}"
    assert "onerror" in frame.js("getElementById('score').textContent")
    assert frame.js("querySelectorAll('img').length") == 0
    assert frame.js("querySelectorAll('.hand .card').length") == 12


def test_links_to_steps_work_in_the_frame(opened):
    opened.click("#interesting td a")
    frame = Frame(opened)
    frame.js("querySelector('#steps li:nth-child(3) a').click()")
    opened.wait("document.querySelector('iframe').contentDocument.querySelector('#slider').value === '2'")
    opened.key("ArrowRight")
    assert frame.js("querySelector('#steps [aria-current] a').textContent") == "3"
    opened.key("Escape")
    opened.wait("!document.querySelector('#stage').open")


def test_the_list_is_filtered_and_grows(large):
    large.click("#more")
    assert large.js("document.querySelectorAll('#list tbody tr').length") == 100
    large.js("location.hash = 'matches=3,5'")
    large.wait("document.getElementById('count').textContent === '4 matches'")
    assert large.js(
        "[...document.querySelectorAll('#list span.name')].every(n => /bot-[35] against bot-[35]/.test(n.textContent))"
    )
    large.js("const w = document.getElementById('which'); w.value = 'faults'; w.dispatchEvent(new Event('change'))")
    assert large.js("[...document.querySelectorAll('#list tbody tr')].every(r => r.cells[4].textContent !== '0')")


def test_a_cell_of_the_crosstable_lists_its_matches(large):
    large.click(".cross tbody tr:nth-child(2) td:nth-child(7)")
    large.wait("document.getElementById('count').textContent === '4 matches'")
    assert large.js("location.hash") == "#matches=1,4"


def test_a_match_that_is_not_here_tells_the_command(large):
    large.click("#list tbody button")
    assert "referee replay 'matches/1-bot-0-bot-1-a.jsonl'" in text_of(large, "#stage")


def test_a_link_opens_the_section_of_a_bot(large):
    large.click(".standings tbody tr:nth-child(4) a")
    large.wait("document.getElementById('bot-3').open")
    assert large.js("document.activeElement.tagName") == "SUMMARY"


@pytest.mark.parametrize("wild", ["#replay=nothing", "#matches=x,y", "#matches=999", "#bot-99", "#%", "#replay=%00"])
def test_links_that_lead_nowhere_are_survived(browser, url, wild):
    browser.open(url + wild)
    assert browser.js("document.querySelectorAll('#list').length") == 1
    assert browser.trouble == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 800, 1280])
def test_no_width_scrolls_sideways(opened, width, scheme):
    opened.look(width, 800, scheme)
    opened.js("for (const one of document.querySelectorAll('details')) one.open = true")
    assert opened.js("document.documentElement.scrollWidth <= innerWidth")


def test_thirty_bots_fit_a_telephone(large):
    large.look(360, 800)
    large.js("for (const one of document.querySelectorAll('details')) one.open = true")
    assert large.js("document.documentElement.scrollWidth") == 360


def test_everything_that_scrolls_has_a_name_or_a_picture_in_it_and_every_picture_a_title(large):
    unnamed = "[...document.querySelectorAll('.wide:not([aria-label])')].filter(e => !e.querySelector('svg title'))"
    assert large.js(f"{unnamed}.length") == 0
    assert large.js(
        "[...document.querySelectorAll('svg[role=img]:not([aria-label])')].every(s => s.querySelector('title'))"
    )
    assert large.js("[...document.querySelectorAll('table')].every(t => t.caption && t.tHead)")
