"""Perfect matchings of a graph (Edmonds' blossom algorithm), for Swiss rounds without repeats. Pure.

A search that goes back when it gets stuck can take for ever where this takes milliseconds, and would then have to
repeat a meeting although there is a round without.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence

NOBODY = -1


def best_matching(neighbours: Sequence[set[int]], prefer: Callable[[int], Iterable[int]]) -> list[int] | None:
    """The mate of each node, or None if not all can have one.

    Of all perfect matchings the first in this order: node 0 has the mate that `prefer(0)` names earliest, then the
    lowest node that is left, and so on. `prefer(n)` names at least all nodes above n that are left; those that cannot
    be are passed over.
    """
    graph = _Graph(neighbours)
    if not all(graph.mate[node] != NOBODY or graph.augment(node) for node in range(len(neighbours))):
        return None
    for node in range(len(neighbours)):
        if not graph.fixed[node]:
            next(mate for mate in prefer(node) if graph.fix(node, mate))
    return graph.mate


class _Graph:
    """A graph and a matching in it; `fixed` nodes are out of the graph, with their mates."""

    def __init__(self, neighbours: Sequence[set[int]]) -> None:
        self.neighbours = [sorted(nodes) for nodes in neighbours]
        self.mate = [NOBODY] * len(neighbours)
        self.fixed = [False] * len(neighbours)

    def fix(self, a: int, b: int) -> bool:
        """Make a and b mates for good, if all others can still have one."""
        if self.fixed[b] or b not in self.neighbours[a]:
            return False
        before = self.mate[:]
        left = [node for node in (self.mate[a], self.mate[b]) if node not in (a, b)]
        for node in left:
            self.mate[node] = NOBODY
        self.mate[a], self.mate[b] = b, a
        self.fixed[a] = self.fixed[b] = True
        if left and not self.augment(left[0]):
            self.mate = before
            self.fixed[a] = self.fixed[b] = False
            return False
        return True

    def augment(self, root: int) -> bool:
        """Find `root` a mate by an alternating path to another single node, and flip the path."""
        search = _Search(self, root)
        node = search.run()
        if node == NOBODY:
            return False
        while node != NOBODY:
            parent = search.parent[node]
            node_after = self.mate[parent]
            self.mate[node], self.mate[parent] = parent, node
            node = node_after
        return True


class _Search:
    """Breadth first from one single node; an odd cycle (blossom) is shrunk to its base."""

    def __init__(self, graph: _Graph, root: int) -> None:
        self.graph, self.root = graph, root
        self.parent = [NOBODY] * len(graph.mate)
        self.base = list(range(len(graph.mate)))
        self.seen = {root}
        self.queue = deque([root])

    def run(self) -> int:
        """The single node at the end of the path, which `parent` leads back to the root; NOBODY if there is none."""
        while self.queue:
            node = self.queue.popleft()
            for to in self.graph.neighbours[node]:
                if not self.graph.fixed[to] and self.step(node, to):
                    return to
        return NOBODY

    def step(self, node: int, to: int) -> bool:
        """Look along one edge; True if a single node was found."""
        mate = self.graph.mate
        if self.base[node] == self.base[to] or mate[node] == to:
            return False
        if to == self.root or (mate[to] != NOBODY and self.parent[mate[to]] != NOBODY):
            self.shrink(node, to)
        elif self.parent[to] == NOBODY:
            self.parent[to] = node
            if mate[to] == NOBODY:
                return True
            self.reach(mate[to])
        return False

    def reach(self, node: int) -> None:
        if node not in self.seen:
            self.seen.add(node)
            self.queue.append(node)

    def shrink(self, a: int, b: int) -> None:
        """Edge a-b closes an odd cycle: all bases on it become the one where it leaves the tree."""
        common = self.common_base(a, b)
        inside = self.cycle(a, common, b) | self.cycle(b, common, a)
        for node, base in enumerate(self.base):
            if base in inside:
                self.base[node] = common
                self.reach(node)

    def common_base(self, a: int, b: int) -> int:
        above = {a := self.base[a]}
        while self.graph.mate[a] != NOBODY:
            above.add(a := self.base[self.parent[self.graph.mate[a]]])
        while self.base[b] not in above:
            b = self.parent[self.graph.mate[self.base[b]]]
        return self.base[b]

    def cycle(self, node: int, common: int, child: int) -> set[int]:
        """The bases from `node` up to the common one, whose parents now lead round the cycle."""
        inside: set[int] = set()
        while self.base[node] != common:
            mate = self.graph.mate[node]
            inside |= {self.base[node], self.base[mate]}
            self.parent[node] = child
            child, node = mate, self.parent[mate]
        return inside
