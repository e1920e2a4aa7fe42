"""A match of two bots that is played until the sequential test decides.

Pairs count in the order of their numbers: of those that came in out of turn, with several workers, only the run without
gaps from the first one on. So the decision is the same at any number of workers.
"""

from collections.abc import Callable

from referee.match.summary import Summary
from referee.standings.sprt import Decision, Sprt, decide, log_likelihood_ratio
from referee.standings.statistics import FiveWay, five_way


class SequentialTest:
    """Fed with summaries of `first` against another bot; `decision` is None until the test has one."""

    def __init__(self, test: Sprt, first: str, changed: Callable[[], None] = lambda: None) -> None:
        self.test, self.first, self._changed = test, first, changed
        self.decision: Decision | None = None
        self._points: list[float] = []  # of pairs 1, 2, ... as far as they are complete
        self._legs: dict[int, list[float]] = {}

    def __call__(self, summary: Summary) -> bool:
        """Take a match in; True when the test is decided."""
        self._legs.setdefault(summary.pair, []).append(self._score(summary))
        while self.decision is None and len(self._legs.get(len(self._points) + 1, ())) == 2:
            self._points.append(sum(self._legs.pop(len(self._points) + 1)))
            self.decision = decide(self.test, self.counts)
            self._changed()
        return self.decision is not None

    @property
    def counts(self) -> FiveWay:
        """The pairs that count, by the first bot's points."""
        return five_way(self._points)

    @property
    def ratio(self) -> float:
        """The log likelihood ratio so far."""
        return log_likelihood_ratio(self.test, self.counts)

    def words(self) -> str:
        """Where it stands, in one line."""
        test = self.test
        bounds = f"{test.lower():.2f}, {test.upper():.2f}"
        verdict = {
            None: "undecided",
            "H0": f"{self.first} is not {test.elo1:g} Elo stronger (H0, {test.elo0:g}, accepted)",
            "H1": f"{self.first} is stronger by more than {test.elo0:g} Elo (H1, {test.elo1:g}, accepted)",
        }[self.decision]
        state = f"LLR {self.ratio:+.2f} ({bounds}) after {len(self._points)} pairs"
        return f"SPRT elo0={test.elo0:g} elo1={test.elo1:g}: {state}: {verdict}"

    def _score(self, summary: Summary) -> float:
        if summary.winner is None:
            return 0.5
        return float(summary.seats[summary.winner] == self.first)
