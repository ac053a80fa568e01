"""`tune mert` on few sentences, with trust regions of several sizes (docs/mert.md).

    python -m benchmarks.bench_few_sentences dev.de dev.en test.de test.en moses.ini --trust 0 0.005

Tunes on random sets of `--size` sentences, and prints for each `--trust`: corpus BLEU of dev before
and after, the lowest of any iteration, and BLEU of the test set after, its mean and range.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np


def part(path: str, places: Sequence[int], to: Path) -> str:
    """Write the lines of a file at `places` to another file; return its path."""
    lines = Path(path).read_text("utf-8").split("\n")
    to.write_text("".join(f"{lines[place]}\n" for place in places), "utf-8")
    return os.fspath(to)


def history(flags: Sequence[str], folder: Path) -> list[dict[str, Any]]:
    """The iterations of a run."""
    command = [sys.executable, "-m", "campanula", "tune", "mert", *flags, "-q", "--work-dir"]
    subprocess.run([*command, os.fspath(folder)], check=True)
    return [json.loads(line) for line in (folder / "history.jsonl").read_text().splitlines()]


def main() -> None:
    """Run all sets under all sizes of regions."""
    p = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    p.add_argument("source")
    p.add_argument("ref")
    p.add_argument("test", nargs=2)
    p.add_argument("model", help="moses.ini")
    p.add_argument("--trust", nargs="+", default=["0", "0.005"])
    p.add_argument("--sets", type=int, default=8)
    p.add_argument("--size", type=int, default=100)
    p.add_argument("-k", default="50")
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args()
    n = len(Path(args.source).read_text("utf-8").splitlines())
    print("trust   dev before  after  lowest   test before  mean   lowest  highest")
    for trust in args.trust:
        # anew for each size of region, so that all tune on the same sets
        rng = np.random.default_rng(args.seed)
        results = []
        for _ in range(args.sets):
            places = np.sort(rng.permutation(n)[: args.size]).tolist()
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                dev = ["--source", part(args.source, places, folder / "dev.source")]
                dev += ["--ref", part(args.ref, places, folder / "dev.ref")]
                # the table has its BLEU before and after alone, so no iteration need decode it
                test = ["--test", "test", *args.test, "--test-at", "ends"]
                flags = [*dev, *test, "--moses-ini", args.model, "-k", args.k, "--trust", trust]
                lines = history(flags, folder / "run")
            first, last = lines[0], lines[-1]["tuned"]
            lowest = min(line["dev"] for line in lines)
            tests = (values["test"]["test"] for values in (first, last))
            results.append((first["dev"], last["dev"], lowest, *tests))
        dev, after, lowest, before, test = np.array(results).T
        print(
            f"{trust:6}  {dev.mean():10.2f} {after.mean():6.2f} {lowest.min():7.2f}"
            f" {before.mean():13.2f} {test.mean():5.2f} {test.min():8.2f} {test.max():8.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
