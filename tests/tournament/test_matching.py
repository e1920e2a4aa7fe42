"""Perfect matchings against trying everything."""

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from referee.tournament.matching import best_matching


@st.composite
def graphs(draw: st.DrawFn) -> list[set[int]]:
    size = 2 * draw(st.integers(0, 5))
    couples = [(a, b) for a in range(size) for b in range(a)]
    edges = draw(st.sets(st.sampled_from(couples))) if couples else set()
    return [{b if a == node else a for a, b in edges if node in (a, b)} for node in range(size)]


def all_matchings(graph: list[set[int]], left: frozenset[int]) -> Iterator[dict[int, int]]:
    """In the order of preference: the lowest node has its lowest mate first."""
    if not left:
        yield {}
        return
    node = min(left)
    for mate in sorted(graph[node] & left):
        for others in all_matchings(graph, left - {node, mate}):
            yield {node: mate, mate: node} | others


@given(graphs())
def test_it_is_the_first_of_all_perfect_matchings(graph: list[set[int]]) -> None:
    first = next(all_matchings(graph, frozenset(range(len(graph)))), None)
    found = best_matching(graph, lambda _: range(len(graph)))
    assert found == (None if first is None else [first[node] for node in range(len(graph))])


def test_an_odd_cycle_is_no_trap() -> None:
    # Two triangles joined by a path: a search that ignores blossoms finds no mate for the last node.
    edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 6), (6, 4), (1, 7)]
    graph = [{b if a == node else a for a, b in edges if node in (a, b)} for node in range(8)]
    assert best_matching(graph, lambda _: range(8)) == [2, 7, 0, 4, 3, 6, 5, 1]


def test_three_bots_who_only_met_each_other_and_a_fourth() -> None:
    assert best_matching([{1, 2}, {0, 2}, {0, 1}, set()], lambda _: range(4)) is None


def test_nobody() -> None:
    assert best_matching([], lambda _: ()) == []
