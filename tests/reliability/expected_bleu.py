"""Runs of `tune expected-bleu` that are killed at random moments: they end in the same bytes.

    python -m tests.reliability.expected_bleu --sentences 500 --kills 10

On made-up captions, with blocks and word pairs, and two runs of MERT a system.  A run that nobody
kills; then runs with one job, with two, and with workers of dask, each killed as often as is asked
for, then finished.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from tests.captions import SIDES
from tests.reliability.relevant_set import (
    DASK,
    TWO,
    RelevantRuns,
    RelevantTorture,
    kill_all,
    parser,
)
from tests.reliability.runs import Variant
from tests.reliability.torture import Torture

SHORT = ["--solver-iterations", "4", "--mert-at", "2,4", "--replicates", "2", "-k", "10"]
SHORT += ["--mert-iterations", "2", "--mert-k", "10", "--restarts", "2", "--trust", "0"]
SEARCH = ["--beam", "10", "--stack", "20"]
PARTS = "4"


class ExpectedBleuRuns(RelevantRuns):
    """Runs in a folder, which has the data."""

    def __init__(self, folder: Path, sentences: int) -> None:
        super().__init__(folder, sentences, 0)
        path = {name: os.fspath(folder / name) for name in ("table", "lm")}
        self.flags = ["--phrase-table", path["table"], "--lm", path["lm"], *SEARCH]

    def argv(self, variant: Variant, work: str) -> list[str]:
        """The arguments of a run."""
        path = {name: os.fspath(self.folder / name) for name in os.listdir(self.folder)}
        own = ["expected-bleu", "--source", path["dev.de"], "--ref", path["dev.en"], *self.flags]
        own += ["--train", *(path[f"train.{side}"] for side in SIDES)]
        own += ["--features", "wuebker-a,wuebker-b", "--together", "a,b", "--shards", PARTS]
        own += ["--test", "x", path["dev.de"], path["dev.en"], "-q", *SHORT]
        if variant.loop == DASK and variant.workers > 1:
            own += ["--engine", "dask", "--dask-workers", str(variant.workers)]
        own += ["--jobs", "2" if variant.loop == TWO else "1"]
        own += ["--cache", os.fspath(self.folder / "models")]
        return [*own, "--work-dir", os.fspath(self.folder / work)]

    def contents(self, work: str) -> dict[str, object]:
        """Every result of a run, but what the steps took."""
        found = super().contents(work)
        return {name: value for name, value in found.items() if name != "seconds.jsonl"}


class ExpectedBleuTorture(RelevantTorture):
    """Kills of runs of the loop."""

    def __init__(self, folder: Path, seed: int, sentences: int) -> None:
        Torture.__init__(self, folder, seed, ExpectedBleuRuns(folder, sentences), 3600.0)


def main() -> int:
    """Kill as often as is asked for in each way; print the figures."""
    args = parser(__doc__, sentences=500, kills=10).parse_args()
    with tempfile.TemporaryDirectory(prefix="campanula-") as folder:
        kill_all(ExpectedBleuTorture(Path(folder), args.seed, args.sentences), args)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
