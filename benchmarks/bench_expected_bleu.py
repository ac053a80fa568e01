"""Time and memory of 40 iterations of RPROP, SGD, AdaGrad and growth transformation (W15 6.2).

    python -m benchmarks.bench_expected_bleu [--sentences 29000] [--entries 7] [--rows 1000000]
    python -m benchmarks.bench_expected_bleu --folder real

Every line is a command: its wall time, processor time, and peak resident memory.  `packing` is the
first pass over the lists, which puts them into the cache, where the solvers find them; growth
transformation also reads and writes the phrase table.  Each has its ratio to RPROP, as in the
paper, whose GT took 6.4 times as long and three times the memory.

The synthetic lists have 100 hypotheses a sentence, of 15 dense features and --entries blocks, of
ten times as many different ones a list; blocks are a seventh of the table's rows and follow Zipf's
law.  A real folder has `lists` (a stream or collection against `inventory`), `inventory`, `weights`
and `phrase-table.gz`.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterator

import numpy as np

from benchmarks.side_by_side import Cost, cost_of_ours
from benchmarks.synthetic_lists import HYPOTHESES, list_of
from campanula.formats.collections.opening import open_lists
from campanula.formats.collections.writer import CollectionWriter
from campanula.formats.files import Output
from campanula.formats.inventories.inventory_names import NumberedNames
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.weights import Weights
from campanula.stages.inventories.growing import Growing

ITERATIONS, SHARDS = 40, 16
DENSE = {
    "LM0": 0.5,
    **dict.fromkeys(("Distortion0", "WordPenalty0", "PhrasePenalty0", "UnknownWordPenalty0"), 0.1),
    **{f"TranslationModel0_{k}": 0.2 for k in range(4)},
    **{f"LexicalReordering0_{k}": 0.1 for k in range(6)},
}
ROWS_A_BLOCK, TARGETS_A_SOURCE, TARGETS = 7, 16, 50_021
CHUNK = 1 << 16
SOLVERS = {
    "rprop": "--solver rprop --iterations {0}",
    "sgd": "--solver sgd --epochs {0} --eta 10",
    "adagrad": "--solver adagrad --epochs {0} --eta 0.05",
}


def phrases(row: int) -> tuple[str, str]:
    """Source and target phrase of a row."""
    # two primes, so that the targets of neighbouring rows differ and all TARGETS come up
    return f"s{row // TARGETS_A_SOURCE}", f"t{row * 7919 % TARGETS}"


def write_table(path: str, n_rows: int) -> None:
    """Write a phrase table of n_rows; row i has the phrases `phrases(i)`."""
    with Output(path) as out:
        for start in range(0, n_rows, CHUNK):
            rows = [phrases(row) for row in range(start, min(start + CHUNK, n_rows))]
            lines = (f"{s} ||| {t} ||| 0.05 0.1 0.0625 0.1 ||| 0-0 ||| 9 9 1\n" for s, t in rows)
            out.write("".join(lines).encode())


def write_inventory(path: str, n_rows: int) -> tuple[InventoryReference, int]:
    """Write an inventory of the dense features and of every seventh row's block.

    Return its reference and the number of blocks.
    """
    fired = range(0, n_rows, ROWS_A_BLOCK)
    with Growing(path, new=True) as growing:
        growing.ids_of_names(DENSE)
        for start in range(0, len(fired), CHUNK):
            pairs = map(phrases, fired[start : start + CHUNK])
            growing.ids_of_names(f"block_{source}~~{target}" for source, target in pairs)
        return growing.commit(), len(fired)


class SyntheticLists:
    """Random lists of dense and block features; the ids of blocks begin at len(DENSE)."""

    def __init__(self, names: NumberedNames, n_blocks: int, entries: int) -> None:
        self.names = names
        self.n_blocks = n_blocks
        self.entries = entries
        self.rng = np.random.default_rng(1)

    def list(self, sid: int) -> KBest:
        """A random list."""
        rng = self.rng
        size = 10 * self.entries
        # exp of an even draw: rank r comes with probability in proportion to 1/r, Zipf's law
        drawn = np.exp(rng.random(2 * size) * np.log(self.n_blocks)).astype(np.int64) - 1
        # twice as many were drawn as are needed, since frequent ones come again and again
        pool = rng.permutation(np.unique(drawn))[:size] + len(DENSE)
        dense = np.round(rng.normal(-10.0, 3.0, (len(DENSE), HYPOTHESES)), 3)
        features = Features.of_dense(np.arange(len(DENSE), dtype=np.int32), dense)
        return list_of(sid, pool.astype(np.int32), self.entries, features, self.names, rng)


def make(folder: str, sentences: int, entries: int, n_rows: int) -> None:
    """Write inventory, phrase table, weights and lists of a synthetic folder."""
    reference, n_blocks = write_inventory(os.path.join(folder, "inventory"), n_rows)
    write_table(os.path.join(folder, "phrase-table.gz"), n_rows)
    Weights(DENSE).write(os.path.join(folder, "weights"))
    lists = SyntheticLists(NumberedNames(reference), n_blocks, entries)
    first = list(range(0, sentences, -(-sentences // SHARDS)))
    path = os.path.join(folder, "lists")
    with CollectionWriter(path, KBest, "synthetic", None, first, reference) as out:
        for sid in range(sentences):
            out.write(lists.list(sid))


def commands(
    folder: str, cache: str, jobs: int, iterations: int
) -> Iterator[tuple[str, list[str]]]:
    """Yield the name and the command line of every measurement."""
    lists, inventory, weights, table = (
        os.path.join(folder, name) for name in ("lists", "inventory", "weights", "phrase-table.gz")
    )
    common = [lists, "--inventory", inventory, "--weights", weights, "--cache", cache, "-q"]
    common += ["--jobs", str(jobs), "-o", os.path.join(cache, "out.gz")]
    # block features alone, since growth-transform changes nothing but the phrase table
    loss = ["--loss", "expected-bleu", "--tau", "1e-7", "--only", "block_*"]
    for name, flags in (("packing", SOLVERS["rprop"]), *SOLVERS.items()):
        # one iteration, of which nearly all is the pass that packs the lists
        # (it is first, since the cache that it fills serves all after it)
        count = 1 if name == "packing" else iterations
        yield name, ["optimize", *common, *loss, *flags.format(count).split()]
    growth = ["--phrase-table", table, "--tau", "1e-7", "--iterations"]
    yield "growth-transform", ["growth-transform", *common, *growth, str(iterations)]
    # one iteration: nearly all of its time is reading and writing the phrase table
    yield "its table alone", ["growth-transform", *common, *growth, "1"]


def rows(
    folder: str, cache: str, jobs: int, iterations: int, costs: dict[str, Cost]
) -> Iterator[str]:
    """Measure and yield the lines of the table; add the numbers to `costs`, by name."""
    yield f"{iterations} iterations, {jobs} threads"
    columns = ("seconds", "CPU s", "MB")
    yield f"{'':20s}" + "".join(f"{column:>9s}{'/ rprop':>9s}" for column in columns)
    base: Cost | None = None
    for name, argv in commands(folder, cache, jobs, iterations):
        costs[name] = cost_of_ours(argv)
        if name == "rprop":
            base = costs[name]
        parts = []
        for place, number in enumerate(costs[name]):
            ratio = "" if base is None else f"{number / base[place]:.2f}"
            parts.append(f"{number:9.1f}{ratio:>9s}")
        yield f"{name:20s}" + "".join(parts)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", help="a folder with lists, inventory, weights, phrase-table.gz")
    parser.add_argument("--sentences", type=int, default=29_000)
    parser.add_argument("--entries", type=int, default=7, help="blocks a hypothesis")
    parser.add_argument("--rows", type=int, default=1_000_000, help="of the table")
    parser.add_argument("--iterations", type=int, default=ITERATIONS)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", metavar="FILE", help="the numbers, too, in a file")
    args = parser.parse_args()
    costs: dict[str, Cost] = {}
    with tempfile.TemporaryDirectory() as own:
        folder = args.folder
        if folder is None:
            folder = own
            start = time.perf_counter()
            make(folder, args.sentences, args.entries, args.rows)
            print(f"synthetic lists made in {time.perf_counter() - start:.0f} s", flush=True)
        cache = os.path.join(own, "cache")
        os.makedirs(cache, exist_ok=True)
        for line in rows(folder, cache, args.jobs, args.iterations, costs):
            print(line, flush=True)
        if args.json:
            content = {"iterations": args.iterations, "jobs": args.jobs, "rows": costs}
            with open_lists(os.path.join(folder, "lists"), KBest) as lists:
                content["lists"] = lists.signature
            with open(args.json, "w", encoding="utf-8") as out:
                json.dump(content, out, indent=1)


if __name__ == "__main__":
    main()
