"""Runs of `tune expected-bleu` that are killed at random moments: they end in the same bytes.

    python -m tests.reliability.expected_bleu --sentences 500 --kills 10

On made-up captions, with blocks and word pairs, and two runs of MERT a system.  A run that nobody
kills; then runs with one job, with two, and with workers
of dask, each killed as often as is asked for, then finished.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

from tests.reliability.relevant_set import DASK, ONE, TWO, RelevantRuns, RelevantTorture
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
        own += ["--train", *(path[f"train.{name}"] for name in ("de", "en", "align"))]
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
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--sentences", type=int, default=500, help="(default: 500)")
    p.add_argument("--kills", type=int, default=10, help="of each run (default: 10)")
    p.add_argument("--seed", type=int, default=1, help="of signals and moments")
    p.add_argument("--without-dask", action="store_true", help="one job and two alone")
    args = p.parse_args()
    variants = [Variant(ONE, 1), Variant(TWO, 1)]
    variants += [] if args.without_dask else [Variant(DASK, 2)]
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="campanula-") as folder:
        torture = ExpectedBleuTorture(Path(folder), args.seed, args.sentences)
        for variant in variants:
            before = torture.kills
            while (left := args.kills - (torture.kills - before)) > 0:
                torture.trial_of(variant, left, share=2.0 / args.kills)
            seconds = time.monotonic() - started
            killed = torture.kills - before
            print(f"{variant.loop}: killed {killed} times, same bytes; {seconds:.0f} s", flush=True)
    print(f"seed {args.seed}: {dict(torture.counts)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
