"""The page of a match: what is in the file, and what a real browser makes of it."""

import json
import re

import pytest
from render.played import HOSTILE, any_legal, fault, header, play, unable_to_start

from referee.match.events import DealEvent
from referee.render.moments import moments, seen_by
from referee.render.replay_html import embedded, replay_page


def with_faults(ask, rng):
    return fault("crash", stderr=HOSTILE, answer=HOSTILE) if rng.random() < 0.02 else any_legal(ask, rng)


@pytest.fixture(scope="module")
def lines():
    return play(header((HOSTILE, "counter")), with_faults, seed=4, note=lambda seat, turn: HOSTILE if turn % 5 else "")


@pytest.fixture(scope="module")
def page(lines):
    return replay_page(lines)


def data_of(page):
    return json.loads(re.search(r'id="match">(.*?)</script>', page, re.DOTALL)[1])


def test_hostile_text_ends_no_element(page):
    assert page.count("</script>") == 2
    assert "<img" not in page
    assert "onerror" in page  # it is there, as text


def test_embedded_json_has_no_character_that_html_or_javascript_reads_otherwise():
    text = embedded({"x": "<!--<script>&amp;\u2028\u2029</script>"})
    assert not re.search("[<>&\u2028\u2029]", text)
    assert json.loads(text) == {"x": "<!--<script>&amp;\u2028\u2029</script>"}


def test_the_title_is_escaped(page):
    assert "&lt;/script&gt;" in re.search(r"<title>(.*?)</title>", page)[1]


def test_the_page_names_no_source_outside_itself(page):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    markup = re.sub(r'id="match">.*?</script>', "", page, flags=re.DOTALL)
    assert not re.search(r"(src|href)=\"(?!#|data:,)", markup)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", markup)
    assert "@import" not in markup
    assert "url(" not in markup


def tables_of(data, seat=None):
    """What the page's script makes of its data, in Python."""
    for number, deal in enumerate(data["film"]):
        now, hidden = {}, {}
        for at, step in enumerate(deal):
            now = now | step["s"]
            if seat is not None:
                hidden = hidden | data["seen"][seat][number][at].get("s", {})
            yield now | hidden


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_the_changes_add_up_to_the_moments(lines, page, seat):
    shown = moments(lines) if seat is None else (seen_by(one, seat) for one in moments(lines))
    for table, moment in zip(tables_of(data_of(page), seat), shown, strict=True):
        for own in (0, 1):
            assert sorted(re.findall("..", table[f"h{own}"])) == sorted(moment.hands[own])
        assert table["k"] == moment.stock
        assert tuple(table["p"]) == moment.points
        assert tuple(table["n"]) == moment.drawn


def test_a_page_for_one_seat_does_not_hold_the_other_cards(lines):
    data = data_of(replay_page(lines, seat=1))
    assert data["seen"] == []
    assert all(set(table["h0"]) <= {"?"} for table in tables_of(data))
    assert all("n" not in step or "@1" in step["t"] for deal in data["film"] for step in deal)


def test_two_hundred_deals_stay_light():
    lines = play(header(match_target=150), seed=4)
    deals = sum(isinstance(line.event, DealEvent) for line in lines)
    assert deals > 150
    assert len(replay_page(lines).encode()) < 7_000 * deals


# In a real browser


@pytest.fixture(scope="module")
def url(page, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "replay.html"
    path.write_text(page, encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def opened(browser, url):
    """The page, freshly opened from the disk; whatever a test does, nothing may complain or be fetched."""
    browser.look(1280, 860)
    browser.open(url)
    yield browser
    assert browser.trouble == []
    assert [request for request in browser.requests if not request.startswith("data:")] == [url]


def where(browser):
    return browser.js("location.hash")


def test_it_opens_with_the_first_deal(opened):
    assert where(opened) == "#deal=1&step=0"
    assert opened.js("document.querySelectorAll('#hand-near .card, #hand-far .card').length") == 12


def test_keys_step_and_jump(opened):
    opened.key("ArrowRight")
    opened.key("ArrowRight")
    opened.key("ArrowLeft")
    assert where(opened) == "#deal=1&step=1"
    opened.key("n")
    assert where(opened) == "#deal=2&step=0"
    opened.key("ArrowLeft")
    assert where(opened).startswith("#deal=1&step=")
    opened.key("End")
    opened.key("ArrowRight")
    assert "wins the match" in opened.js("document.getElementById('said').textContent")
    opened.key("Home")
    assert where(opened) == "#deal=1&step=0"


def test_space_plays_and_pauses(opened):
    opened.js("document.getElementById('speed').value = '8'")
    opened.key(" ")
    opened.wait("document.querySelector('#where').textContent.startsWith('2 ')")
    opened.key(" ")
    before = opened.js("document.querySelector('#where').textContent")
    assert where(opened) == f"#deal=1&step={before.split(' ')[0]}"
    assert opened.js("document.getElementById('play').className") == ""


def test_the_slider_moves_within_the_deal(opened):
    opened.js("document.getElementById('slider').focus()")
    opened.js("const s = document.getElementById('slider'); s.value = 2; s.dispatchEvent(new Event('input'))")
    assert where(opened) == "#deal=1&step=2"


def test_buttons_and_the_list_of_steps(opened):
    opened.click("#forward")
    assert where(opened) == "#deal=1&step=1"
    opened.click("#steps li:nth-child(1) .text")
    assert where(opened) == "#deal=1&step=0"
    opened.click("#next-deal")
    assert where(opened) == "#deal=2&step=0"


def test_a_link_to_a_moment(browser, url):
    browser.open(url + "#deal=2&step=1&view=seat0")
    assert browser.js("document.querySelector('#steps [aria-current] a').textContent") == "1"
    assert browser.js("document.getElementById('log-title').textContent") == "Deal 2"
    assert browser.js("document.querySelectorAll('#hand-far .card:not(.back)').length") == 0


@pytest.mark.parametrize("wild", ["#deal=x&step=y", "#deal=999&step=999", "#deal=1&step=-5", "#%", "#view=<b>"])
def test_links_that_lead_nowhere_are_survived(browser, url, wild):
    browser.open(url + wild)
    assert browser.js("document.querySelectorAll('#steps [aria-current]').length") == 1
    assert browser.trouble == []


def test_s_shows_what_one_seat_saw(opened):
    opened.key("s")
    assert opened.js("document.querySelectorAll('#hand-far .card.back').length") == 6
    opened.key("s")
    assert "counter" in opened.js("document.getElementById('bar-near').textContent")
    opened.key("s")
    assert opened.js("document.querySelectorAll('.hand .card.back').length") == 0


def test_hostile_text_is_shown_as_text(opened, lines):
    shown = {opened.js("document.querySelector('#score .name').textContent")}
    for one in moments(lines):
        if one.note and one.deal == 1:
            opened.js(f"location.hash = 'deal=1&step={one.step}'")
            opened.wait(f"document.querySelector('#steps [aria-current] a').textContent === '{one.step}'")
            shown.add(opened.js("document.getElementById('note').textContent"))
    assert len(shown) == 2
    assert all("</script><img src=x onerror=alert(1)>" in text for text in shown)
    assert opened.js("document.querySelectorAll('img').length") == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 800, 1280])
def test_no_width_scrolls_sideways(opened, width, scheme):
    opened.look(width, 800, scheme)
    for _ in range(12):
        opened.key("ArrowRight")
        assert opened.js("document.documentElement.scrollWidth <= innerWidth")


def test_a_match_that_never_began(browser, tmp_path):
    path = tmp_path / "void.html"
    path.write_text(replay_page(unable_to_start(header())), encoding="utf-8")
    browser.open(path.as_uri())
    assert "could not be started" in browser.js("document.getElementById('said').textContent")
    assert browser.trouble == []
