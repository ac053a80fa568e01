"""Two shell commands in turn: the ratios of their times, pair by pair."""

from __future__ import annotations

import shlex
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

PROCESS = Path(__file__).with_name("process.py")


class Cost(NamedTuple):
    """What a command took: wall seconds, seconds of processor time, MB at its peak."""

    wall: float
    cpu: float
    peak: float


def cost(command: str, folder: Path) -> Cost:
    """Run a shell command in a folder; raises RuntimeError with its stderr where it fails."""
    # -S: without site-packages the interpreter is smaller, and its size is in the peak
    words = [sys.executable, "-S", str(PROCESS), str(folder), command]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{command}\n{done.stderr}")
    return Cost(*map(float, done.stdout.split()))


def cost_of_ours(words: Sequence[str], folder: Path | None = None) -> Cost:
    """Run a command of ours in a folder, or here; raises RuntimeError where it fails."""
    return cost(shlex.join([sys.executable, "-m", "campanula", *words]), folder or Path.cwd())


def alternate(theirs: str, ours: str, folder: Path, pairs: int) -> list[tuple[Cost, Cost]]:
    """Run both in turn, `pairs` times, after ours has once: it may compile or fill its cache."""
    cost(ours, folder)
    # in turn, so that other work on the machine does not fall on one side alone
    return [(cost(theirs, folder), cost(ours, folder)) for _ in range(pairs)]


class Ratio(NamedTuple):
    """Median of both sides, and of their quotients with the lowest and the highest."""

    theirs: float
    ours: float
    median: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.median:.2f} ({self.low:.2f}-{self.high:.2f})"


def ratio(pairs: list[tuple[Cost, Cost]], field: str) -> Ratio:
    """How many times as much the first side took as the second, in `wall` or `cpu`."""
    taken = [(getattr(one, field), getattr(other, field)) for one, other in pairs]
    # within a pair: what slowed both of its runs cancels out, as it would not in a quotient of
    # two medians; the median of quotients, since one disturbed run would pull a mean
    quotients = [one / other for one, other in taken]
    one, other = (statistics.median(column) for column in zip(*taken, strict=True))
    return Ratio(one, other, statistics.median(quotients), min(quotients), max(quotients))
