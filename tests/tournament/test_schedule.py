"""Who plays whom on which deck: fair, complete, and the same every time."""

from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.shuffle import pair_seed
from referee.tournament.schedule import (
    CHUNK,
    Job,
    MatchPlan,
    block,
    count,
    gauntlet,
    jobs,
    match_id,
    missing,
    plan,
    round_robin,
)

NAMES = st.lists(st.text("abc", min_size=1, max_size=3), min_size=2, max_size=7, unique=True)
PAIRS = st.sampled_from([1, 2, 7, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK + 1])
CHUNKS = st.sampled_from([1, 7, CHUNK])


def plans(planned: list[Job]) -> list[MatchPlan]:
    return [match for job in planned for match in job.plans]


def all_jobs(names: list[str], pairs: int, chunk: int = CHUNK) -> list[Job]:
    return list(jobs(round_robin(names), block(1, pairs), "master", chunk=chunk))


# Pairings


@given(NAMES)
def test_in_a_round_robin_every_two_bots_meet_once(names: list[str]) -> None:
    pairings = round_robin(names)
    assert len(pairings) == len(set(pairings)) == len(names) * (len(names) - 1) // 2
    assert all(names.index(a) < names.index(b) for a, b in pairings)


@given(NAMES)
def test_all_along_a_round_robin_all_bots_have_met_about_as_many_others(names: list[str]) -> None:
    met = Counter(dict.fromkeys(names, 0))
    for pairing in round_robin(names):
        met.update(pairing)
        assert max(met.values()) - min(met.values()) <= 2


@given(NAMES, st.data())
def test_in_a_gauntlet_the_hero_meets_every_other_bot_once(names: list[str], data: st.DataObject) -> None:
    hero = data.draw(st.sampled_from(names))
    pairings = gauntlet(names, hero)
    assert {name for pairing in pairings for name in pairing} == set(names)
    assert len(pairings) == len(names) - 1
    assert set(pairings) <= set(round_robin(names))


def test_more_bots_change_no_name_of_a_match() -> None:
    assert set(round_robin(["a", "b", "c"])) < set(round_robin(["a", "new", "b", "c", "d"]))


# Matches


def test_a_match_in_full() -> None:
    assert plan(("greedy", "counter"), 3, "b", "master") == MatchPlan(
        match="3-greedy-counter-b",
        pair=3,
        leg="b",
        seats=("counter", "greedy"),
        first_dealer=1,
        pair_seed=pair_seed("master", 3),
    )


@given(NAMES, PAIRS, CHUNKS)
def test_every_pairing_plays_every_pair_in_both_legs(names: list[str], pairs: int, chunk: int) -> None:
    played: defaultdict[tuple[str, str], set[tuple[int, str]]] = defaultdict(set)
    for job in all_jobs(names, pairs, chunk):
        for match in job.plans:
            assert match.leg == job.leg
            assert (match.pair, match.leg) not in played[job.pairing]
            played[job.pairing].add((match.pair, match.leg))
    assert set(played) == set(round_robin(names))
    assert all(len(matches) == 2 * pairs for matches in played.values())


@given(NAMES, PAIRS)
def test_in_leg_b_only_the_seats_have_changed(names: list[str], pairs: int) -> None:
    legs: defaultdict[tuple[frozenset[str], int], dict[str, MatchPlan]] = defaultdict(dict)
    for match in plans(all_jobs(names, pairs)):
        legs[frozenset(match.seats), match.pair][match.leg] = match
    for both in legs.values():
        a, b = both["a"], both["b"]
        assert a.seats == b.seats[::-1]
        assert (a.first_dealer, a.pair_seed) == (b.first_dealer, b.pair_seed)


@given(NAMES, PAIRS)
def test_all_pairings_play_the_same_decks_and_both_seats_deal_first_as_often(names: list[str], pairs: int) -> None:
    deals: defaultdict[int, set[tuple[int, str]]] = defaultdict(set)
    for match in plans(all_jobs(names, pairs)):
        deals[match.pair].add((match.first_dealer, match.pair_seed))
    assert all(len(kinds) == 1 for kinds in deals.values())
    assert len(set.union(*deals.values())) == pairs
    assert abs(sum(1 - 2 * dealer for kinds in deals.values() for dealer, _ in kinds)) <= 1


@given(st.integers(1, 9), st.integers(1, 9))
def test_each_time_that_two_bots_meet_they_have_new_pairs(times: int, pairs: int) -> None:
    numbers = [number for time in range(1, times + 1) for number in block(time, pairs)]
    assert numbers == list(range(1, times * pairs + 1))


# Jobs


@given(NAMES, PAIRS, CHUNKS)
def test_no_pair_of_processes_meets_a_deck_twice(names: list[str], pairs: int, chunk: int) -> None:
    for job in all_jobs(names, pairs, chunk):
        assert 1 <= len({match.pair_seed for match in job.plans}) == len(job.plans) <= chunk
        assert len({match.seats for match in job.plans}) == 1


@given(NAMES, PAIRS, CHUNKS)
def test_the_two_legs_of_a_chunk_are_neighbours(names: list[str], pairs: int, chunk: int) -> None:
    planned = all_jobs(names, pairs, chunk)
    for a, b in zip(planned[::2], planned[1::2], strict=True):
        assert (a.pairing, a.leg, b.leg) == (b.pairing, "a", "b")
        assert [match.pair for match in a.plans] == [match.pair for match in b.plans]


@given(NAMES, PAIRS)
def test_no_pairing_is_more_than_a_chunk_ahead(names: list[str], pairs: int) -> None:
    played = Counter(dict.fromkeys(round_robin(names), 0))
    for job in all_jobs(names, pairs):
        played[job.pairing] += len(job.plans)
        assert max(played.values()) - min(played.values()) <= 2 * CHUNK


def test_a_longer_run_begins_with_the_chunks_of_a_shorter_one() -> None:
    short, long = all_jobs(["a", "b"], 2 * CHUNK), all_jobs(["a", "b"], 3 * CHUNK)
    assert long[: len(short)] == short
    later = list(jobs([("a", "b")], range(CHUNK - 1, CHUNK + 2), "master"))
    assert [[match.pair for match in job.plans] for job in later[::2]] == [[CHUNK - 1, CHUNK], [CHUNK + 1]]


@given(NAMES, PAIRS, CHUNKS, st.data())
def test_what_is_missing_is_all_that_is_not_done_in_the_same_order(
    names: list[str], pairs: int, chunk: int, data: st.DataObject
) -> None:
    planned = all_jobs(names, pairs, chunk)
    ids = [match.match for match in plans(planned)]
    done = set(data.draw(st.lists(st.sampled_from(ids))))
    left = list(missing(planned, done))
    assert [match.match for match in plans(left)] == [match for match in ids if match not in done]
    assert all(job.plans for job in left)
    assert count(left) == len(ids) - len(done & set(ids))


def test_nothing_is_missing_when_all_is_done() -> None:
    planned = all_jobs(["a", "b", "c"], 3)
    assert list(missing(planned, {match.match for match in plans(planned)})) == []


@pytest.mark.parametrize("leg", ["a", "b"])
def test_a_match_is_named_alike_in_both_legs(leg: str) -> None:
    assert match_id(("x", "y"), 7, leg) == f"7-x-y-{leg}"  # type: ignore[arg-type]
