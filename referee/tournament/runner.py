"""Keeps the workers busy until every match of the tournament is played, and folds what they report.

Everything that is known of a finished match comes from its log; the runner itself holds only what is still to do, so
that a run's memory does not grow with its length.
"""

import os
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

import trio

from referee.bots.reaper import protect
from referee.errors import BotStartError, RefereeError, RunError, first
from referee.match.summary import Summary
from referee.store.index import IndexWriter
from referee.store.matchlog import discard_parts
from referee.tournament.orders import Aborted, Greet, Greeted, LeftOut, Play, Played, Report, Terms
from referee.tournament.pool import Worker, WorkerLost
from referee.tournament.prepare import Prepared, replaced
from referee.tournament.schedule import CHUNK, Job, MatchPlan
from referee.tournament.stages import matches_in_all, remembered, stage

MAX_ATTEMPTS = 3
SHORT_CHUNK = 5  # pairs, where a run may be over after any of them
CLOSE_GRACE_S = 2.0
REPLACED = 'the files of bot "{}" changed while the run went on: not all matches are of the same bot'
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

Listener = Callable[[Report], None]


class Until(Protocol):
    """Asked after each match; True, also as `decision`, when no more need be played."""

    @property
    def decision(self) -> object | None: ...

    def __call__(self, summary: Summary) -> bool: ...


class Ending(NamedTuple):
    """How a run ended: complete, or interrupted by a signal."""

    complete: bool
    caught: signal.Signals | None = None
    replaced: tuple[str, ...] = ()
    """Bots whose files have changed meanwhile; it stands in the run's notes."""


async def run(
    prepared: Prepared, jobs: int, listener: Listener, results: dict[str, Summary | None], until: Until | None = None
) -> Ending:
    """Play what is missing. `results` are the matches that are there, by their id; the listener hears of the others.

    `until` is asked after each match; when it says True, the run is complete although matches are missing.

    Raises RunError when the same match has failed three times, by our own fault, or a bot does not start.
    """
    if prepared.info.complete:
        return Ending(True)
    protect()
    lock = prepared.folder.lock()
    runner = _Runner(prepared, listener, results, until)
    try:
        return await runner.run(jobs)
    finally:
        runner.index.close()
        os.close(lock)


class _Runner:
    def __init__(
        self, prepared: Prepared, listener: Listener, results: dict[str, Summary | None], until: Until | None
    ) -> None:
        self.prepared, self.listener, self.results, self.until = prepared, listener, results, until
        self.names = list(prepared.bots)
        self.chunk = CHUNK if until is None else SHORT_CHUNK
        discard_parts(prepared.folder.matches)
        self.index = IndexWriter(prepared.folder)
        self.queue: deque[Job] = deque()
        self.attempts: Counter[str] = Counter()
        self.why = ""  # the last match was aborted
        self.workers: list[Worker | None] = []
        self.caught: signal.Signals | None = None
        tournament = prepared.tournament
        self.terms = Terms(
            folder=str(prepared.folder.matches.resolve()),
            rules=tournament.rules,
            clock=tournament.clock,
            layer=prepared.layer,
            fresh=tournament.fresh,
            freeze=tournament.freeze,
            logs=tournament.logs,
        )

    async def run(self, jobs: int) -> Ending:
        """Until nothing is missing or a signal comes; all workers are gone when this returns."""
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._watch_signals, nursery.cancel_scope)
                self.stop = nursery.cancel_scope.cancel
                self.workers = [None] * jobs
                await self._greet_all()
                while self._next_stage():
                    await self._play_stage()
                nursery.cancel_scope.cancel()
        except BaseExceptionGroup as group:
            # Not `except*`: what is raised inside of that comes out in a group before Python 3.11.4.
            ours = group.subgroup(RefereeError)
            if ours is None:
                raise
            raise first(ours) from None
        finally:
            await self._close_all()
        replaced = self._note_replaced()
        if self.caught is None:
            decided = self.until is not None and self.until.decision is not None
            self.prepared.folder.reveal(
                "decided by a sequential test" if decided else "", seed=self.prepared.master_seed
            )
        return Ending(self.caught is None, self.caught, replaced)

    def _note_replaced(self) -> tuple[str, ...]:
        """Processes are started all the time: what they were started from must be what was hashed."""
        names = replaced(self.prepared)
        if names:
            info = self.prepared.folder.info()
            new = [REPLACED.format(name) for name in names]
            info.notes += [note for note in new if note not in info.notes]
            self.prepared.folder.save(info)
        return tuple(names)

    def _next_stage(self) -> bool:
        """Queue what can be played now; False when the tournament is over."""
        if self.until is not None and self.until.decision is not None:
            return False
        prepared = self.prepared
        self.queue.extend(stage(prepared.tournament, self.names, prepared.master_seed, self.results, self.chunk))
        return bool(self.queue)

    async def _watch_signals(self, scope: trio.CancelScope) -> None:
        """The first signal ends the run and keeps what is finished; a second one ends the process."""
        with trio.open_signal_receiver(*SIGNALS) as received:
            async for number in received:
                self.caught = signal.Signals(number)
                break
        for each in SIGNALS:
            signal.signal(each, _leave)
        scope.cancel()

    async def _greet_all(self) -> None:
        """Every bot is started once before the long part begins: one that cannot start is impossible to miss."""
        waiting, failed = deque(self.prepared.bots), list[Greeted]()
        async with trio.open_nursery() as nursery:
            for slot in range(min(len(self.workers), len(waiting))):
                nursery.start_soon(self._greet, slot, waiting, failed)
        self._leave_out(sorted(failed, key=lambda report: self.names.index(report.name)))

    async def _greet(self, slot: int, waiting: deque[str], failed: list[Greeted]) -> None:
        while waiting:
            name = waiting.popleft()
            try:
                async for report in self._worker(slot).carry_out(Greet(self.terms, name, self.prepared.bots[name])):
                    self.listener(report)
                    if isinstance(report, Greeted) and report.failure:
                        failed.append(report)
            except WorkerLost:
                self._replace(slot)
                self.attempts[f"greet {name}"] += 1
                if self.attempts[f"greet {name}"] >= MAX_ATTEMPTS:
                    why = "worker processes of the referee end before they have greeted a bot; their words are above"
                    raise RunError(why) from None
                waiting.append(name)

    def _leave_out(self, failed: list[Greeted]) -> None:
        """Bots that do not start end the run before it has begun, or it goes on without them if it says so."""
        tournament = self.prepared.tournament
        needed = [each for each in failed if tournament.on_start_fault == "stop" or each.name == tournament.hero]
        if needed:
            raise BotStartError("\n".join(f"bot {each.name} did not start: {each.failure}" for each in needed))
        played = {match.partition("-")[2].rpartition("-")[0] for match in self.results}
        for each in failed:
            if any(f"{a}-{b}" in played for a, b in self._pairings(each.name)):
                why = "has played in this run already, so it cannot be left out"
                raise BotStartError(f"bot {each.name} {why}, and did not start: {each.failure}")
        for each in failed:
            self.names.remove(each.name)
        if failed:
            names = [each.name for each in failed]
            self.prepared.folder.leave_out(names)
            self.listener(LeftOut(names, matches_in_all(tournament, len(self.names))))
        if len(self.names) < 2:
            raise BotStartError("fewer than two bots have started")

    def _pairings(self, name: str) -> Iterator[tuple[str, str]]:
        return (pair for other in self.prepared.bots for pair in ((name, other), (other, name)))

    async def _play_stage(self) -> None:
        async with trio.open_nursery() as nursery:
            for slot in range(len(self.workers)):
                nursery.start_soon(self._work, slot)

    async def _work(self, slot: int) -> None:
        while self.queue:
            job = self.queue.popleft()
            left = {plan.match: plan for plan in job.plans}
            bots = {name: self.prepared.bots[name] for name in job.pairing}
            try:
                async for report in self._worker(slot).carry_out(Play(self.terms, job.plans, bots)):
                    self._fold(report, left)
            except WorkerLost:
                self._replace(slot)
                if left:
                    self._fold(Aborted(next(iter(left)), "the worker process that played it has ended"), left)
            self._again(job, left)

    def _fold(self, report: Report, left: dict[str, MatchPlan]) -> None:
        if isinstance(report, Played):
            del left[report.summary.match]
            self.index.add(report.summary)
            self.results[report.summary.match] = remembered(self.prepared.tournament, report.summary)
        elif isinstance(report, Aborted):
            self.why = report.why
        self.listener(report)
        if isinstance(report, Aborted) and report.hopeless:
            raise RunError(f"{report.why}; finished matches are kept, the same command goes on from there")
        if isinstance(report, Played) and self.until is not None and self.until(report.summary):
            self.stop()

    def _again(self, job: Job, left: dict[str, MatchPlan]) -> None:
        """What is not finished goes to the end of the queue; three failures of one match end the run."""
        if not left:
            return
        first = next(iter(left))
        self.attempts[first] += 1
        if self.attempts[first] >= MAX_ATTEMPTS:
            what = f"match {first} failed {MAX_ATTEMPTS} times, by no bot's fault"
            raise RunError(f"{what}: {self.why}; finished matches are kept")
        self.queue.append(Job(pairing=job.pairing, leg=job.leg, plans=tuple(left.values())))

    def _worker(self, slot: int) -> Worker:
        worker = self.workers[slot]
        if worker is None:
            cores = sorted(os.sched_getaffinity(0))
            pinned = len(self.workers) <= len(cores)
            try:
                worker = self.workers[slot] = Worker(cores[slot] if pinned else None)
            except OSError as error:
                raise RunError(f"a worker process of the referee cannot be started: {error}") from None
        return worker

    def _replace(self, slot: int) -> None:
        worker = self.workers[slot]
        self.workers[slot] = None
        if worker is not None:
            worker.kill()

    async def _close_all(self) -> None:
        with trio.CancelScope(shield=True):
            async with trio.open_nursery() as nursery:
                for worker in self.workers:
                    if worker is not None:
                        nursery.start_soon(worker.close, CLOSE_GRACE_S)


def _leave(*_: object) -> None:
    """At once. Workers notice that their stdin is closed, and take their bots with them."""
    if os.isatty(2):
        os.write(2, b"\x1b[?25h")  # a live view has hidden the cursor
    os._exit(130)
