"""Kill runs of `tune` at random moments and start them again: they end in the same bytes.

    python -m tests.reliability.torture --kills 1000 --seed 1

Every loop, and one with another decoder and scorer, with one worker and with two.  A run is killed
up to four times, by SIGKILL (itself, or with its workers) or by SIGTERM, then finished.  After
SIGTERM nothing unfinished is left, and no program that the run has started.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.reliability.runs import FOREIGN, SHORT, Runs, Variant, wait

MOST = 4  # kills of one run
PATIENCE = 60.0  # seconds that a run may take
GRACE = 6.0  # seconds that tasks and programs of a run may take to be gone
VARIANTS = [Variant(loop, workers) for loop in (*SHORT, FOREIGN) for workers in (1, 2)]


class Difference(Exception):
    """A killed run has come to something else."""


class Torture:
    """Kills of one variant after another, counted."""

    def __init__(
        self, folder: Path, seed: int, runs: Runs | None = None, patience: float = PATIENCE
    ) -> None:
        self.runs = runs or Runs(folder)
        self.patience = patience
        self.random = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.known: dict[Variant, tuple[dict[str, object], float]] = {}

    @property
    def kills(self) -> int:
        """How many runs were killed before their end."""
        return self.counts["SIGKILL"] + self.counts["SIGTERM"]

    def whole(self, variant: Variant) -> tuple[dict[str, object], float]:
        """What a run that nobody kills comes to, and its seconds."""
        if variant not in self.known:
            name = f"whole-{variant.loop}-{variant.workers}"
            assert self.runs.run(Variant(variant.loop, 1), name) == 0  # which loads the kernels
            self.runs.remove(name)
            started = time.monotonic()
            self.finish(variant, name)
            seconds = time.monotonic() - started
            self.known[variant] = self.runs.contents(name), seconds
        return self.known[variant]

    def finish(self, variant: Variant, work: str) -> None:
        """Run to the end; raises Difference where that is none."""
        status = wait(process := self.runs.fork(variant, work), self.patience)
        if status != 0:
            if status is None:
                os.killpg(process, signal.SIGKILL)
            raise Difference(f"{variant}: ended with {status}: {self.runs.messages(work)}")

    def trial(self, variant: Variant, most: int) -> None:
        """Kill a run a few times, then finish it; raises Difference."""
        self.trial_of(variant, self.random.randint(1, most))

    def trial_of(self, variant: Variant, kills: int, share: float = 1.0) -> None:
        """Kill a run so many times, then finish it; raises Difference.

        share is that of a whole run's seconds within which each is killed.
        """
        expected, seconds = self.whole(variant)
        work = f"killed-{variant.loop}-{variant.workers}"
        for _ in range(kills):
            self.kill(variant, work, self.random.uniform(0.0, share * seconds))
        self.finish(variant, work)
        found = self.runs.contents(work)
        if found != expected:
            names = found.keys() | expected.keys()
            differ = [name for name in sorted(names) if found.get(name) != expected.get(name)]
            raise Difference(f"{variant}: {differ} differ in {self.runs.folder / work}")
        if "Traceback" in self.runs.messages(work):
            raise Difference(f"{variant}: {self.runs.messages(work)}")
        self.counts["runs"] += 1
        self.runs.remove(work)

    def kill(self, variant: Variant, work: str, moment: float) -> None:
        """Kill a run after so many seconds."""
        number = self.random.choice((signal.SIGKILL, signal.SIGTERM))
        everyone = self.random.random() < 0.5 and number == signal.SIGKILL
        before = self._unfinished(work)
        process = self.runs.fork(variant, work)
        status = wait(process, moment)
        if status is not None:
            self.counts["ended before"] += 1
            return
        try:
            (os.killpg if everyone else os.kill)(process, number)
        except ProcessLookupError:  # it has no group of its own yet
            os.kill(process, number)
        status = wait(process, self.patience)
        if status is None:
            raise Difference(f"{variant}: {number.name} does not end it")
        if status == 0:
            self.counts["ended before"] += 1
            return
        self.counts[number.name] += 1
        if number == signal.SIGTERM:
            self._check_left(variant, work, before)

    def _unfinished(self, work: str) -> set[str]:
        """What is unfinished in a run, such as models in its cache, which stay there for a day."""
        return set(map(os.fspath, (self.runs.folder / work).rglob(".*.tmp")))

    def _check_left(self, variant: Variant, work: str, before: set[str]) -> None:
        """Raise Difference for what SIGTERM has left."""
        until = time.monotonic() + GRACE
        while True:
            left = self._unfinished(work) - before
            programs = self.runs.processes()
            if not left and not programs:
                return
            if time.monotonic() > until:
                raise Difference(f"{variant}: SIGTERM leaves files {left}, processes {programs}")
            time.sleep(0.01)


def main() -> int:
    """Kill as often, or as long, as is asked for; print the figures."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--kills", type=int, default=1000, metavar="N", help="(default: 1000)")
    p.add_argument("--seconds", type=float, default=float("inf"), help="stop after that")
    p.add_argument("--seed", type=int, default=1, help="of variants, signals and moments")
    args = p.parse_args()
    started = reported = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="campanula-") as folder:
        torture = Torture(Path(folder), args.seed)
        while torture.kills < args.kills and time.monotonic() - started < args.seconds:
            torture.trial(torture.random.choice(VARIANTS), MOST)
            if time.monotonic() - reported > 30.0:
                reported = time.monotonic()
                print(f"{reported - started:.0f} s: {dict(torture.counts)}", file=sys.stderr)
    counts = torture.counts
    print(
        f"{torture.kills} kills in {time.monotonic() - started:.0f} s, seed {args.seed}: ", end=""
    )
    print(f"{counts['SIGKILL']} by SIGKILL, {counts['SIGTERM']} by SIGTERM; ", end="")
    print(f"{counts['runs']} runs ended in the same bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
