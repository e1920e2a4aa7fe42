"""The terminal view: what the keys do, and that what is drawn fits whatever the terminal's size is."""

import fcntl
import io
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from render.played import HOSTILE, any_legal, fault, header, play, unable_to_start
from rich.cells import cell_len
from rich.console import Console

from referee.match.events import encode
from referee.render.faces import Faces
from referee.render.moments import moments
from referee.render.replay_keys import Viewer, keys
from referee.render.replay_view import footer, picture, run_view

NAMES = ("greedy", "counter")
COLOUR = "\x1b\\[[0-9;]*3[0-7]m"
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def lines():
    return play(header(), seed=4, note=lambda seat, turn: HOSTILE * 3 if turn == 3 else "")


def viewer_of(lines, seat=None):
    return Viewer(list(moments(lines, seat)), 7, seat)


def drawn(viewer, width=100, height=30, unicode=True, names=NAMES):
    console = Console(file=io.StringIO(), width=width, height=height, color_system=None)
    console.print(picture(viewer, Faces(names, unicode), width, height), end="")
    return console.file.getvalue().rstrip("\n").split("\n")


def press(viewer, *pressed):
    return [viewer.key(key) for key in pressed][-1]


def test_arrows_step_and_stop_at_the_ends(lines):
    viewer = viewer_of(lines)
    press(viewer, "left")
    assert viewer.at == 0
    press(viewer, "right", "right", "left")
    assert viewer.at == 1
    press(viewer, "end", "right")
    assert viewer.at == len(viewer.moments) - 1


def test_n_and_p_go_from_deal_to_deal(lines):
    viewer = viewer_of(lines)
    press(viewer, "n", "right", "right")
    assert (viewer.moments[viewer.at].deal, viewer.moments[viewer.at].step) == (2, 2)
    press(viewer, "p")
    assert (viewer.moments[viewer.at].deal, viewer.moments[viewer.at].step) == (2, 0)
    press(viewer, "p")
    assert (viewer.moments[viewer.at].deal, viewer.moments[viewer.at].step) == (1, 0)


def test_g_goes_to_a_deal_and_a_step(lines):
    viewer = viewer_of(lines)
    press(viewer, "g", "2", ".", "1", "enter")
    assert (viewer.moments[viewer.at].deal, viewer.moments[viewer.at].step) == (2, 1)
    press(viewer, "g", "9", "9", "enter")
    assert "there is no 99" in viewer.message
    assert (viewer.moments[viewer.at].deal, viewer.moments[viewer.at].step) == (2, 1)


@pytest.mark.parametrize("typed", ["", ".", "1.", "..", "1.2.3", "0"])
def test_whatever_is_typed_after_g_is_survived(lines, typed):
    viewer = viewer_of(lines)
    press(viewer, "g", *typed, "enter")
    assert viewer.typed is None


def test_space_plays_and_the_last_step_stops_it(lines):
    viewer = viewer_of(lines)
    press(viewer, " ")
    viewer.tick()
    assert viewer.playing and viewer.at == 1
    press(viewer, "end")
    viewer.tick()
    assert not viewer.playing


def test_q_leaves_and_other_keys_do_not(lines):
    viewer = viewer_of(lines)
    assert not press(viewer, "q")
    assert press(viewer, "x")


def test_s_turns_cards_down_unless_the_view_was_chosen(lines):
    viewer = viewer_of(lines)
    press(viewer, "s")
    assert "seen by greedy" in drawn(viewer, 200)[0]
    fixed = viewer_of(lines, seat=1)
    press(fixed, "s")
    assert "seen by counter" in drawn(fixed, 200)[0]


def test_d_shows_the_whole_note(lines):
    viewer = viewer_of(lines)
    viewer.at = next(at for at, moment in enumerate(viewer.moments) if moment.note)
    press(viewer, "d")
    assert "".join(drawn(viewer, 60, 20)).count("alert(1)") == 3


@pytest.mark.parametrize(("width", "height"), [(60, 20), (80, 24), (100, 30), (200, 50), (20, 5)])
@pytest.mark.parametrize("unicode", [True, False])
def test_every_moment_fits_the_terminal(lines, width, height, unicode):
    viewer = viewer_of(lines)
    for at in range(0, len(viewer.moments), 7):
        viewer.at = at
        rows = drawn(viewer, width, height, unicode)
        assert len(rows) == height
        assert {cell_len(row) for row in rows} == {width}


def test_plain_terminals_get_plain_letters(lines):
    viewer = viewer_of(lines)
    assert all(row.isascii() for row in drawn(viewer, unicode=False))


def test_wide_and_long_names_keep_the_columns(lines):
    viewer = viewer_of(lines)
    rows = drawn(viewer, 60, 20, names=("\u5c71" * 60, "x" * 200))
    assert {cell_len(row) for row in rows} == {60}


def test_a_match_that_never_began_is_shown(lines):
    rows = drawn(viewer_of(unable_to_start(header())), 60, 20)
    assert any("could not be started" in row for row in rows)


def test_fault_evidence_is_beneath_the_table():
    def choose(ask, rng):
        return fault("crash", stderr="boom \x1b[2J") if rng.random() < 0.3 else any_legal(ask, rng)

    viewer = viewer_of(play(header(), choose))
    viewer.at = next(at for at, moment in enumerate(viewer.moments) if moment.fault)
    text = "\n".join(drawn(viewer, 80, 40))
    assert "stopped running" in text
    assert "boom" in text
    assert "\x1b" not in text


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"\x1b[C\x1b[D", ["right", "left"]),
        (b"\x1bOCq", ["right", "q"]),
        (b"\x1b[24~n", ["n"]),
        (b"\x1b[1;5C ", [" "]),
        (b"\x1b", []),
        (b"\x1b[", []),
        (b"\xc3\xa9", ["\xc3", "\xa9"]),
    ],
)
def test_keys_of_terminals(data, expected):
    assert list(keys(data)) == expected


def test_footer_fits(lines):
    viewer = viewer_of(lines)
    assert cell_len(footer(viewer, 60).plain) <= 60


def test_without_a_terminal_the_match_comes_as_text(lines):
    console = Console(file=io.StringIO(), width=80)
    run_view(lines, console)
    assert "greedy wins the match" in console.file.getvalue() or "counter wins the match" in console.file.getvalue()


PROGRAM = """
import sys
from rich.console import Console
from referee.render.replay_view import run_view
from referee.store.matchlog import read_matches
from pathlib import Path
run_view(next(read_matches(Path(sys.argv[1]))), Console())
print("THE END", flush=True)
"""


def in_terminal(lines, tmp_path, typed, **environment):
    """The real loop in a real terminal, 80 by 24: all that it wrote, and the terminal's modes before and after."""
    log = tmp_path / "match.jsonl"
    log.write_bytes(b"".join(encode(line.event) for line in lines))
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    before = termios.tcgetattr(theirs)
    inherited = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    env = {**inherited, "TERM": "xterm", "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **environment}
    command = [sys.executable, "-c", PROGRAM, str(log)]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env)
    try:
        written = read_until(ours, b"stopped 1/s" if typed else b"THE END")
        for key in typed:
            os.write(ours, key)
            written += read_until(ours, b"THE END" if key == b"q" else b"stopped 1/s")
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.wait()
    after = termios.tcgetattr(theirs)
    os.close(ours)
    os.close(theirs)
    return written.decode(), before, after


def read_until(source, end):
    written = b""
    while end not in written:
        ready, _, _ = select.select([source], [], [], 20)
        assert ready, written
        written += os.read(source, 1 << 16)
    return written


def test_the_loop_steps_and_leaves_the_terminal_as_it_was(lines, tmp_path):
    written, before, after = in_terminal(lines, tmp_path, [b"\x1b[C", b"n", b"q"])
    assert "deal 2 of" in written or "deal 2/" in written
    assert "\x1b[?1049h" in written
    assert "\x1b[?1049l" in written
    assert before == after
    assert re.search(COLOUR, written)


def test_a_dumb_terminal_gets_the_text(lines, tmp_path):
    written, _, _ = in_terminal(lines, tmp_path, [], TERM="dumb")
    assert "wins the match" in written
    assert "\x1b" not in written


def test_no_color_draws_without_colours(lines, tmp_path):
    written, _, _ = in_terminal(lines, tmp_path, [b"n", b"q"], NO_COLOR="1")
    assert not re.search(COLOUR, written)
