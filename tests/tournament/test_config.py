"""Tournament files: what is read from them, and for each kind of mistake the one line that names it."""

import subprocess
from itertools import combinations
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import ConfigError, LogError, UsageError
from referee.match.clock import Clock
from referee.rules.ruleset import Rules
from referee.tournament.config import (
    BotEntry,
    Tournament,
    clean,
    from_bots,
    from_json,
    load,
    to_json,
)
from referee.tournament.config_file import is_name
from referee.tournament.difference import changes, difference
from referee.tournament.schedule import match_id


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with two bots; their names are not those of their folders."""
    for folder, text in (("greedy", 'name = "Greedy"'), ("counter", 'name = "Counter"'), ("nameless", "")):
        (tmp_path / "bots" / folder).mkdir(parents=True)
        (tmp_path / "bots" / folder / "bot.toml").write_text(text + '\ncommand = ["./bot"]\n')
    (tmp_path / "bots" / "empty").mkdir()
    (tmp_path / "bots" / "cut").mkdir()
    (tmp_path / "bots" / "cut" / "bot.toml").write_text('name = "')
    (tmp_path / "bots" / "dotted").mkdir()
    (tmp_path / "bots" / "dotted" / "bot.toml").write_text('name = ".x"')
    return tmp_path


def write(here: Path, text: str) -> Path:
    file = here / "t.toml"
    file.write_text(text, newline="")
    return file


TWO = '[[bots]]\npath = "bots/greedy"\n[[bots]]\npath = "bots/counter"\n'
EVERY_KEY = """\
name = "Club evening"
format = "round-robin"
pairs = 3
seed = "abc"
sandbox = "none"
fresh = true
freeze = true
on_start_fault = "leave-out"
logs = "faults"
[rules]
preset = "sixty-six"
match_target = 11
running_totals = true
[clock]
start_ms = 5000
move_ms = 200
match_ms = 60000
measure = "cpu"
[[bots]]
path = "bots/greedy"
[[bots]]
name = "Größe ξ"
path = "bots/greedy"
optional = true
[[bots]]
name = "mine"
command = ["python3", "mine.py", "--level", "2"]
dir = "bots/empty"
[[bots]]
name = "yours"
command = ["./yours"]
"""


# What is read


def test_every_key(here: Path) -> None:
    assert load(write(here, EVERY_KEY)) == Tournament(
        name="Club evening",
        pairs=3,
        seed="abc",
        sandbox="none",
        fresh=True,
        freeze=True,
        on_start_fault="leave-out",
        logs="faults",
        rules=Rules(match_target=11, running_totals=True),
        clock=Clock(start_ms=5000, move_ms=200, match_ms=60000, measure="cpu"),
        bots=(
            BotEntry(name="Greedy", path=str(here / "bots/greedy")),
            BotEntry(name="Größe ξ", path=str(here / "bots/greedy"), optional=True),
            BotEntry(
                name="mine", command=("python3", "mine.py", "--level", "2"), dir=str(here / "bots/empty"), whole=True
            ),
            BotEntry(name="yours", command=("./yours",), dir=str(here)),
        ),
    )


def test_what_is_not_said_has_a_default(here: Path) -> None:
    config = load(write(here, TWO))
    assert (config.name, config.format, config.pairs, config.seed) == ("t", "round-robin", 10, None)
    assert (config.rules, config.clock, config.sandbox) == (Rules(), Clock(), "auto")


@pytest.mark.parametrize(("written", "seed"), [("0", "0"), ("-7", "-7"), ('"0"', "0"), ("0x10", "16")])
def test_a_seed_may_be_a_number_and_zero_is_a_seed(here: Path, written: str, seed: str) -> None:
    assert load(write(here, f"seed = {written}\n{TWO}")).seed == seed


def test_a_folder_without_a_name_in_bot_toml_gives_its_own(here: Path) -> None:
    assert load(write(here, TWO + '[[bots]]\npath = "bots/nameless"\n')).names == ("Greedy", "Counter", "nameless")


def test_the_hero_of_a_gauntlet_is_the_first_bot_unless_named(here: Path) -> None:
    assert load(write(here, f'format = "gauntlet"\n{TWO}')).hero == "Greedy"
    assert load(write(here, f'format = "gauntlet"\nhero = "Counter"\n{TWO}')).hero == "Counter"


def test_swiss_has_as_many_rounds_as_a_knockout_unless_told(here: Path) -> None:
    third = '[[bots]]\npath = "bots/nameless"\n'
    assert load(write(here, f'format = "swiss"\n{TWO}')).rounds == 1
    assert load(write(here, f'format = "swiss"\n{TWO}{third}')).rounds == 2
    assert load(write(here, f'format = "swiss"\nrounds = 3\n{TWO}{third}')).rounds == 3


def test_an_editor_that_marks_utf8_and_ends_lines_with_crlf_does_no_harm(here: Path) -> None:
    file = write(here, "\ufeff" + EVERY_KEY.replace("\n", "\r\n"))
    assert load(file).names == ("Greedy", "Größe ξ", "mine", "yours")


def test_nothing_is_started(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    load(write(here, EVERY_KEY))


# What is refused

NAME = 'a name of 1 to 40 printable characters, 100 bytes at most, no "/" in it, no "." in front'
CLOCK_KEYS = "start_ms, move_ms, match_ms, measure"
BOT_KEYS = "name, path, command, dir, optional"
MS = "a whole number from 1 to 86400000"

BAD = {
    # unknown keys
    "unknown key": (f"paris = 3\n{TWO}", "1: paris: unknown key (did you mean 'pairs'?)"),
    "unknown table": (f"{TWO}[clocks]\nmove_ms = 3\n", "5: clocks: unknown key (did you mean 'clock'?)"),
    "unknown key of the clock": (
        f"{TWO}[clock]\nbank = 3\n",
        f"6: clock.bank: unknown key, expected one of {CLOCK_KEYS}",
    ),
    "unknown key of the rules": (
        f"{TWO}[rules]\nmatch_taget = 3\n",
        "6: rules.match_taget: unknown key (did you mean 'match_target'?)",
    ),
    "unknown key of a bot": (
        f'{TWO}comand = ["x"]\n',
        "5: bots[2].comand: unknown key (did you mean 'command'?)",
    ),
    "unknown key that is like nothing": (
        f"{TWO}qqq = 1\n",
        f"5: bots[2].qqq: unknown key, expected one of {BOT_KEYS}",
    ),
    "a key below a table that it does not belong to": (
        f"[clock]\npairs = 3\n{TWO}",
        "2: clock.pairs: unknown key (did you mean 'pairs' above the first [table]?)",
    ),
    "a key above the table that it belongs to": (
        f"move_ms = 3\n{TWO}",
        "1: move_ms: unknown key (did you mean 'clock.move_ms'?)",
    ),
    "a dotted key": (f"clock.mov_ms = 3\n{TWO}", "1: clock.mov_ms: unknown key (did you mean 'move_ms'?)"),
    "an invisible key": (
        f'"\\u202e" = 3\n{TWO}',
        "1: '\\u202e': unknown key, expected one of name, format, pairs, seed, sandbox, rounds, hero, fresh, freeze, "
        "on_start_fault, logs, rules, clock, bots",
    ),
    # wrong types
    "text for a number": (f'pairs = "10"\n{TWO}', '1: pairs: got "10", expected a whole number from 1 to 1000000'),
    "a fraction": (f"pairs = 1.5\n{TWO}", "1: pairs: got 1.5, expected a whole number from 1 to 1000000"),
    "yes for a number": (f"pairs = true\n{TWO}", "1: pairs: got true, expected a whole number from 1 to 1000000"),
    "a number for yes": (f"fresh = 1\n{TWO}", "1: fresh: got 1, expected true or false"),
    "a date for a seed": (
        f"seed = 2026-12-01\n{TWO}",
        "1: seed: got 2026-12-01, expected a whole number or text of 1 to 200 characters",
    ),
    "text for a table": (f'clock = "cpu"\n{TWO}', '1: clock: got "cpu", expected a table [clock]'),
    "a table for tables": ('[bots]\npath = "x"\n', "1: bots: got a table, expected tables [[bots]]"),
    "names for tables": (
        'bots = ["greedy", "counter"]\n',
        "1: bots: got a list, expected tables [[bots]]",
    ),
    "a command line": (
        f'{TWO}[[bots]]\nname = "x"\ncommand = "python3 x.py"\n',
        '7: bots[3].command: got "python3 x.py", expected a list of words in quotes, the program first',
    ),
    "an empty command": (
        f'{TWO}[[bots]]\nname = "x"\ncommand = []\n',
        "7: bots[3].command: got a list with nothing in it, expected a list of words in quotes, the program first",
    ),
    # impossible values
    "no pairs": (f"pairs = 0\n{TWO}", "1: pairs: got 0, expected a whole number from 1 to 1000000"),
    "less than no time": (f"{TWO}[clock]\nmove_ms = -5\n", f"6: clock.move_ms: got -5, expected {MS}"),
    "a huge number": (f"{TWO}[clock]\nmove_ms = {10**70}\n", f"6: clock.move_ms: got a huge number, expected {MS}"),
    "a match to nothing": (
        f"{TWO}[rules]\nmatch_target = 0\n",
        "6: rules.match_target: got 0, expected a whole number from 1 to 1000",
    ),
    "a fault for nothing": (
        f"{TWO}[rules]\nfault_points = 0\n",
        "6: rules.fault_points: got 0, expected a whole number from 1 to 1000",
    ),
    "unknown preset": (
        f'{TWO}[rules]\npreset = "sixtysix"\n',
        '6: rules.preset: got "sixtysix", expected "sixty-six" (did you mean \'sixty-six\'?)',
    ),
    "unknown format": (
        f'format = "roundrobin"\n{TWO}',
        '1: format: got "roundrobin", expected "round-robin", "gauntlet", "swiss" or "knockout" '
        "(did you mean 'round-robin'?)",
    ),
    "unknown sandbox": (
        f'sandbox = "docker"\n{TWO}',
        '1: sandbox: got "docker", expected "auto", "bwrap" or "none"',
    ),
    "an empty seed": (
        f'seed = ""\n{TWO}',
        '1: seed: got "", expected a whole number or text of 1 to 200 characters',
    ),
    "a name that is a path": (
        f'name = "../x"\n{TWO}',
        '1: name: got "../x", expected text of 1 to 100 printable characters, no "/" in it, no "." in front',
    ),
    # formats
    "a hero of no gauntlet": (
        f'hero = "Greedy"\n{TWO}',
        '1: hero: not read by format "round-robin", expected only with format "gauntlet"',
    ),
    "rounds of no swiss": (
        f'format = "knockout"\nrounds = 2\n{TWO}',
        '2: rounds: not read by format "knockout", expected only with format "swiss"',
    ),
    "more rounds than opponents": (
        f'format = "swiss"\nrounds = 2\n{TWO}',
        "2: rounds: got 2, expected at most 1 for 2 bots",
    ),
    "an unknown hero": (
        f'format = "gauntlet"\nhero = "greedy"\n{TWO}',
        "2: hero: there is no bot \"greedy\", expected the name of a bot (did you mean 'Greedy'?)",
    ),
    "a hero who may be left out": (
        f'format = "gauntlet"\nhero = "Counter"\n{TWO}optional = true\n',
        '2: hero: "Counter" is optional, expected a bot that is never left out',
    ),
    # bots
    "no bots": ("pairs = 3\n", "1: bots: got 0, expected two [[bots]] or more"),
    "one bot": ('\n[[bots]]\npath = "bots/greedy"\n', "2: bots: got 1, expected two [[bots]] or more"),
    "a missing folder": (
        f'{TWO}[[bots]]\npath = "bots/gredy"\n',
        "6: bots[3].path: there is no \"bots/gredy\", expected a folder with bot.toml (did you mean 'bots/greedy'?)",
    ),
    "a folder in a missing folder": (
        f'{TWO}[[bots]]\npath = "no/greedy"\n',
        '6: bots[3].path: there is no "no/greedy", expected a folder with bot.toml',
    ),
    "a file": (
        f'{TWO}[[bots]]\npath = "t.toml"\n',
        '6: bots[3].path: "t.toml" is no folder, expected a folder with bot.toml',
    ),
    "a folder without bot.toml": (
        f'{TWO}[[bots]]\npath = "bots/empty"\n',
        '6: bots[3].path: no bot.toml in "bots/empty", expected a folder with bot.toml',
    ),
    "a bot.toml that is cut": (
        f'{TWO}[[bots]]\npath = "bots/cut"\n',
        "6: bots[3].path: its bot.toml cannot be read: Unterminated string (at end of document)",
    ),
    "a bad name in bot.toml": (
        f'{TWO}[[bots]]\npath = "bots/dotted"\n',
        f"6: bots[3].path: got the name '.x' from its bot.toml, expected {NAME}",
    ),
    "a missing working folder": (
        f'{TWO}[[bots]]\nname = "x"\ncommand = ["x"]\ndir = "bot"\n',
        "8: bots[3].dir: there is no \"bot\", expected a folder (did you mean 'bots'?)",
    ),
    "a command without a name": (
        f'{TWO}[[bots]]\ncommand = ["x"]\n',
        "5: bots[3].name: missing, expected a name for the command",
    ),
    "path and command": (
        f'{TWO}command = ["x"]\n',
        "3: bots[2]: both path and command, expected one of them",
    ),
    "neither path nor command": (f"{TWO}[[bots]]\n", "5: bots[3]: no path and no command, expected one"),
    "a folder for a folder": (
        f'{TWO}dir = "bots"\n',
        "5: bots[2].dir: got it beside path, expected it beside command only",
    ),
    "a name twice": (
        f'{TWO}[[bots]]\nname = "Greedy"\npath = "bots/counter"\n',
        '6: bots[3].name: "Greedy" is the name of bots[1] too, expected a name of its own',
    ),
    "a folder twice": (
        f'{TWO}[[bots]]\npath = "bots/greedy"\n',
        '5: bots[3].name: "Greedy" is the name of bots[1] too, expected a name of its own',
    ),
    "names that differ by case only": (
        f'{TWO}name = "gReedy"\n',
        '5: bots[2].name: "gReedy" is the name of bots[1] too, expected a name of its own',
    ),
    "matches with one name": (
        "".join(f'[[bots]]\nname = "{name}"\ncommand = ["x"]\n' for name in ("a", "b-c", "a-b", "c")),
        '11: bots[4].name: "a-b" against "c" would have the match names of "a" against "b-c", expected another name',
    ),
    "a name with a slash": (f'{TWO}name = "a/b"\n', f'5: bots[2].name: got "a/b", expected {NAME}'),
    "a bidi name": (f'{TWO}name = "a\\u202eb"\n', f"5: bots[2].name: got 'a\\u202eb', expected {NAME}"),
    "a hidden name": (f'{TWO}name = ".a"\n', f'5: bots[2].name: got ".a", expected {NAME}'),
    "no name": (f'{TWO}name = ""\n', f'5: bots[2].name: got "", expected {NAME}'),
    "a long name": (f'{TWO}name = "{"x" * 41}"\n', f'5: bots[2].name: got "{"x" * 41}", expected {NAME}'),
    "a name of 105 bytes": (f'{TWO}name = "{"例" * 35}"\n', f'5: bots[2].name: got "{"例" * 35}", expected {NAME}'),
    # no TOML
    "no value": ("name = \n", "1: TOML: Invalid value at column 8, expected valid TOML"),
    "a cut file": (
        'name = "x"\n\n[[bots',
        "3: TOML: Expected ']]' at the end of an array declaration, expected valid TOML",
    ),
    "a key twice": ("pairs = 1\npairs = 2\n", "2: TOML: Cannot overwrite a value at column 10, expected valid TOML"),
    "a very huge number": (
        f"pairs = {'1' * 5000}\n",
        "1: TOML: Exceeds the limit (4300 digits) for integer string conversion: value has 5000 digits; "
        "use sys.set_int_max_str_digits() to increase the limit, expected valid TOML",
    ),
    "a deep list": (
        f"pairs = {'[' * 5000}\n",
        "1: TOML: nested too deeply, expected tables and lists as in the manual",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_mistake_is_named_in_one_line(here: Path, case: str) -> None:
    text, expected = BAD[case]
    file = write(here, text)
    with pytest.raises(ConfigError) as caught:
        load(file)
    assert str(caught.value) == f"{file}:{expected}"
    assert "\n" not in expected


def test_bytes_that_are_no_text(here: Path) -> None:
    file = here / "t.toml"
    file.write_bytes(b'name = "x"\n# caf\xe9\n')
    with pytest.raises(ConfigError) as caught:
        load(file)
    assert str(caught.value) == f"{file}:2: TOML: byte 0xe9, expected UTF-8"


def test_a_path_that_is_not_there_and_one_that_is_a_folder(here: Path) -> None:
    with pytest.raises(UsageError, match=r"nothing\.toml: there is no such file, expected a tournament file$"):
        load(here / "nothing.toml")
    with pytest.raises(UsageError, match=r"bots: this is a folder, expected a tournament file$"):
        load(here / "bots")
    with pytest.raises(UsageError, match="cannot be read"):
        load(here / "t\0.toml")


@given(st.text(max_size=120))
def test_any_text_is_a_tournament_or_a_mistake_in_one_line(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    file = tmp_path_factory.getbasetemp() / "any.toml"
    file.write_bytes(text.encode(errors="surrogatepass"))
    with pytest.raises(ConfigError) as caught:  # two bots do not come by chance
        load(file)
    assert len(str(caught.value).splitlines()) == 1


def test_a_folder_whose_name_is_no_text(here: Path) -> None:
    folder = here / "caf\udce9"
    folder.mkdir()
    (folder / "t.toml").write_text(TWO)
    with pytest.raises(UsageError, match="the name of this folder is not UTF-8"):
        load(folder / "t.toml")


# Names


@given(st.lists(st.text("ab-", min_size=1, max_size=4), min_size=2, max_size=6))
def test_no_two_matches_of_a_tournament_that_is_accepted_have_one_name(
    tmp_path_factory: pytest.TempPathFactory, names: list[str]
) -> None:
    file = tmp_path_factory.getbasetemp() / "ids.toml"
    file.write_text("".join(f'[[bots]]\nname = "{name}"\ncommand = ["x"]\n' for name in names))
    ids = [match_id(pairing, 1, "a") for pairing in combinations(names, 2)]
    if len(set(names)) == len(names) and len(set(ids)) == len(ids):
        assert load(file).names == tuple(names)
    else:
        with pytest.raises(ConfigError, match=r"the name of bots|the match names of"):
            load(file)


@given(st.text(max_size=60), st.sampled_from(["", "-2"]))
def test_any_text_can_be_made_a_name(text: str, suffix: str) -> None:
    name = clean(text, suffix)
    assert is_name(name)
    assert name.endswith(suffix)


@given(st.text(max_size=60).filter(is_name))
def test_a_name_stays_as_it_is(name: str) -> None:
    assert clean(name) == name


@pytest.mark.parametrize("name", ["x", "Größe", "Ωμέγα 3", "名前", "אבג", "-a", "a.b", "a b", "[bold]", "a\\b"])
def test_letters_of_any_alphabet_make_a_name(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize(
    "name", ["", " a", "a ", "a\n", "a\x1b[1m", "a\u200bb", "a\u2066b", "a\u2028b", "\ud800", "..", 3]
)
def test_what_cannot_be_seen_makes_no_name(name: object) -> None:
    assert not is_name(name)


# From two bots


def test_two_bots_make_a_tournament(here: Path) -> None:
    config = from_bots("bots/greedy", "python3 x.py --deep", 5, base=here, seed="s", clock=Clock(move_ms=9))
    assert (config.name, config.pairs, config.seed, config.clock.move_ms) == ("Greedy-python3", 5, "s", 9)
    assert config.bots[0] == BotEntry(name="Greedy", path=str(here / "bots/greedy"))
    assert config.bots[1].command[1:] == ("x.py", "--deep")
    assert config.bots[1].dir == str(here)


def test_the_second_copy_of_a_bot_has_a_name_of_its_own(here: Path) -> None:
    assert from_bots("bots/greedy", "bots/greedy", base=here).names == ("Greedy", "Greedy-2")


def test_a_bot_that_is_not_there(here: Path) -> None:
    with pytest.raises(UsageError, match="bots/gredy"):
        from_bots("bots/gredy", "bots/greedy", base=here)


# run.json


def test_a_configuration_survives_run_json(here: Path) -> None:
    config = load(write(here, EVERY_KEY))
    assert from_json(msgspec.json.decode(msgspec.json.encode(to_json(config)))) == config


def test_a_configuration_of_another_make_is_refused(here: Path) -> None:
    plain = to_json(load(write(here, TWO)))
    with pytest.raises(LogError, match=r"run.json: its configuration cannot be read: .*`speed`"):
        from_json({**plain, "speed": 1})


# Differences


def tournament(*names: str, **fields: object) -> Tournament:
    bots = tuple(BotEntry(name=name, path=f"/bots/{name}") for name in names or ("a", "b"))
    return msgspec.structs.replace(Tournament(name="t", bots=bots), **fields)


EXTENDS = " (the run can be extended so)"
DIFFERENCES = [
    (tournament(), tournament(), []),
    (tournament(), tournament(name="u", logs="compressed", on_start_fault="leave-out"), []),
    (tournament(), tournament(logs="faults"), ['logs: was "all", now "faults"']),
    (tournament(), tournament(bots=(BotEntry(name="a", path="/x"), BotEntry(name="b", path="/y", optional=True))), []),
    (tournament(pairs=5), tournament(pairs=9), [f"pairs: was 5, now 9{EXTENDS}"]),
    (tournament(pairs=9), tournament(pairs=5), ["pairs: was 9, now 5"]),
    (tournament(pairs=5, format="swiss"), tournament(pairs=9, format="swiss"), ["pairs: was 5, now 9"]),
    (tournament(rounds=2), tournament(rounds=3), [f"rounds: was 2, now 3{EXTENDS}"]),
    (tournament(rounds=3), tournament(rounds=2), ["rounds: was 3, now 2"]),
    (tournament("a", "b"), tournament("a", "b", "c"), [f'bots: "c" is new{EXTENDS}']),
    (tournament("a", "b"), tournament("a", "c", "b"), [f'bots: "c" is new{EXTENDS}']),
    (tournament("a", "b", "c"), tournament("a", "b"), ['bots: "c" is gone']),
    (tournament("a", "b", "c"), tournament("b", "a", "c"), ["bots: their order has changed"]),
    (
        tournament("a", "b", format="knockout"),
        tournament("a", "b", "c", format="knockout"),
        ['bots: "c" is new'],
    ),
    (tournament(), tournament(seed="0"), ['seed: was not given, now "0"']),
    (tournament(), tournament(rules=Rules(must_beat=False)), ["rules.must_beat: was true, now false"]),
    (tournament(), tournament(clock=Clock(match_ms=9)), ["clock.match_ms: was not given, now 9"]),
    (
        tournament(),
        tournament(bots=(BotEntry(name="a", path="/bots/a"), BotEntry(name="b", command=("./b", "-x"), dir="/"))),
        ['bots: command of "b": was not given, now "./b -x"'],
    ),
]


@pytest.mark.parametrize(("old", "new", "lines"), DIFFERENCES)
def test_what_differs_is_said(old: Tournament, new: Tournament, lines: list[str]) -> None:
    assert difference(old, new) == lines
    assert all(change.extends == line.endswith(EXTENDS) for change, line in zip(changes(old, new), lines, strict=True))
