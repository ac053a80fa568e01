"""Memory of `optimize`, with and without --stream, and of `oracle-search` on long sentences.

    python -m benchmarks.bench_memory                                      lists of four shapes
    python -m benchmarks.bench_memory --oracle MODEL SOURCE REF --words 800 2000

Prints the peak resident memory of whole processes; for the oracle search, the difference between a
sentence of so many words, joined from the lines of SOURCE, and one of ten words.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.side_by_side import cost_of_ours
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Writer

SHAPES = {  # lists, hypotheses, dense features, binary entries a hypothesis, binary features
    "50,000 lists of one hypothesis": (50_000, 1, 10, 0, 0),
    "one list of 300,000 hypotheses": (1, 300_000, 10, 0, 0),
    "15,000 lists of 100": (15_000, 100, 14, 0, 0),
    "500 lists of 50, 500,000 features": (500, 50, 0, 100, 500_000),
}


def lists(shape: Sequence[int], names: Names) -> Iterator[KBest]:
    """Yield random lists of a shape."""
    n_lists, size, dense, entries, binary = shape
    rng = np.random.default_rng(1)
    ids = np.array([names.id(f"f{i}") for i in range(dense)], np.int32)
    sparse = [f"b{i}" for i in range(binary)]
    for sid in range(n_lists):
        if entries:
            chosen = (rng.choice(binary, entries, replace=False) for _ in range(size))
            features = Features.of(
                [dict.fromkeys((sparse[i] for i in c), 1.0) for c in chosen], names
            )
        else:
            features = Features.of_dense(ids, rng.normal(size=(dense, size)))
        yield KBest(sid, Texts.of([""] * size), features, names, gain=rng.random(size))


def shapes() -> None:
    """Print the memory of `optimize` on lists of each shape."""
    print("in memory  --stream   (MB)")
    for title, shape in SHAPES.items():
        with tempfile.TemporaryDirectory() as folder:
            path, weights, names = Path(folder, "lists"), Path(folder, "w0"), Names()
            with Writer(os.fspath(path), KBest, "made") as out:
                for kbest in lists(shape, names):
                    out.write(kbest)
            weights.write_text("".join(f"{name} 0\n" for name in names))
            flags = ["optimize", os.fspath(path), "--weights", os.fspath(weights), "-q"]
            flags += ["--loss", "bayes-risk", "--solver", "sgd", "--epochs", "1", "-o", os.devnull]
            whole, streamed = (cost_of_ours([*flags, *more]).peak for more in ((), ("--stream",)))
            print(f"{whole:9.0f}  {streamed:8.0f}   {title}", flush=True)


def oracle(model: str, source: str, ref: str, sizes: Sequence[int]) -> None:
    """Print the memory that sentences of some lengths take beyond that of ten words."""
    with tempfile.TemporaryDirectory() as folder:
        sentence, reference = Path(folder, "source"), Path(folder, "ref")
        texts = (Path(path).read_text("utf-8").splitlines() for path in (source, ref))
        pairs = [(one.split(), other.split()) for one, other in zip(*texts, strict=True)]
        base = 0.0
        for size in (10, *sizes):
            words: list[str] = []
            target: list[str] = []
            for one, other in pairs:
                if len(words) < size:
                    words += one
                    target += other
            sentence.write_text(" ".join(words[:size]) + "\n")
            reference.write_text(" ".join(target) + "\n")
            flags = ["oracle-search", os.fspath(sentence), "--ref", os.fspath(reference)]
            flags += ["--model", model]
            taken = cost_of_ours([*flags, "-q", "-o", os.devnull]).peak
            # the first, of ten words, is what a process needs at least
            base = base or taken
            print(f"{size:6} words: {taken - base:5.0f} MB beyond {base:.0f}", flush=True)


def main() -> None:
    """Print one table or the other."""
    p = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    p.add_argument("--oracle", nargs=3, metavar=("MODEL", "SOURCE", "REF"))
    p.add_argument("--words", nargs="+", type=int, default=[800, 2000])
    args = p.parse_args()
    if args.oracle:
        model, source, ref = args.oracle
        oracle(model, source, ref, args.words)
    else:
        shapes()


if __name__ == "__main__":
    main()
