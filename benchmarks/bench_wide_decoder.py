"""`decode` with millions of weights, and the time that writing the features adds.

    python -m pytest benchmarks/bench_wide_decoder.py --benchmark-only -s
    CAMPANULA_FEATURES=45000000 ...          (default: 2,000,000; 4 GB on disk for the former)

Weights of Tillmann and Zhang's templates over the words of a text, against an inventory that has
its index: seconds from the start of a process to the first sentence, memory of its own a weight,
and sentences a CPU second beside those with 200,000 weights.  Then the best translations of a
training text are written with features of all templates, and with none: the same search.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.bench_decode import task, weight
from benchmarks.captions import lines_of
from benchmarks.template_names import PIECE, TEMPLATES, TemplateNames
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.model.model import Model
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Writer
from campanula.formats.weight_stream import write_weight_stream
from campanula.stages.decoding.decoder import Decoder
from campanula.stages.decoding.list_inventory import ListInventory
from campanula.stages.decoding.search_settings import SearchSettings
from campanula.stages.decoding.sparse.index_cache import index_of
from campanula.stages.decoding.sparse.options import SparseWeights
from campanula.stages.inventories.growing import Growing
from tests.examples import MOSES, MULTI30K
from tests.small_models import random_model, write_model

FEATURES = int(os.environ.get("CAMPANULA_FEATURES", "2000000"))
FEW = 200_000
SENTENCES = 400
ROUNDS = 7  # pairs of processes
WARM = 40  # sentences decoded before speed is measured
TRAINING = 2000  # sentences of training text

DECODE = """
import json, sys, time
from benchmarks.resident import resident
from campanula.stages import decode
start = float(sys.argv[1])
args = decode.parser().parse_args(sys.argv[3:])
setup = decode.setup_of_flags(args)
lines = open(args.input, encoding="utf-8").read().split("\\n")[:-1]
lists = iter(setup.decoder().decode_all(lines))
next(lists)
first = time.time() - start
for _ in range(int(sys.argv[2])):
    next(lists)
begin = time.process_time()
n = sum(1 for _ in lists)
speed = n / (time.process_time() - begin)
print(json.dumps({"first": first, "speed": speed, "anonymous": resident()}))
"""


def texts() -> tuple[list[str], list[str]]:
    """Source and target of a training text: captions, or made-up ones where those are absent."""
    if MULTI30K.is_dir():
        return lines_of("train.de"), lines_of("train.en")
    rng = random.Random(1)
    words = [*"abcdef", *(f"w{k}" for k in range(2000))]
    lines = [" ".join(rng.choices(words, k=13)) for _ in range(4000)]
    return lines, lines


def model_flags(folder: Path) -> list[str]:
    """Flags of the model that `task` loads."""
    if MOSES.is_dir():
        return ["--model", str(MOSES), "--cache", str(folder)]
    files = write_model(random_model(random.Random(1), 3, True), folder)
    tables = [
        "--phrase-table",
        files.phrase_table,
        "--reordering-table",
        files.reordering_tables[0].path,
    ]
    return [*map(str, tables), "--lm", files.lms[0].path, "--cache", str(folder)]


def made(folder: Path, model: Model, n: int) -> tuple[list[str], float]:
    """Flags for n random weights against an inventory, which is made; seconds of its index."""
    path, stream = str(folder / f"F{n}"), str(folder / f"theta{n}")
    with Growing(path, new=True) as growing:
        growing.ids_of_names(model.feature_names())
        for text, pointer in TemplateNames(*texts(), min(n // 8, PIECE)).pieces():
            growing.ids(text, pointer)
            if len(growing) >= n:
                break
        growing.commit()
    inventory = Inventory.open(path)
    theta = np.random.default_rng(1).normal(0.0, 0.05, len(inventory))
    theta[: len(model.feature_names())] = [weight(name) for name in model.feature_names()]
    write_weight_stream(stream, inventory.reference, theta, "random")
    start = time.perf_counter()
    index_of(inventory, str(folder))
    flags = ["--inventory", path, "--no-extend", "--weights", stream]
    return [*flags, "--features", ",".join(TEMPLATES), "-k", "1"], time.perf_counter() - start


def run(flags: list[str]) -> dict[str, Any]:
    """Decode in a process of its own: seconds to the first sentence, speed, memory."""
    # time.time(): perf_counter of two processes need not have the same zero
    command = [sys.executable, "-c", DECODE, str(time.time()), str(WARM), *flags]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return dict(json.loads(output))


@pytest.mark.benchmark(group="decode")
def test_weights_by_the_million(
    benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Start, memory and speed with many weights, beside those with 200,000."""
    model, lines = task(tmp_path)
    source = tmp_path / "source"
    source.write_text("".join(f"{line}\n" for line in lines[:SENTENCES]), encoding="utf-8")
    common = [*model_flags(tmp_path), str(source)]
    few, _ = made(tmp_path, model, FEW)
    many, indexing = made(tmp_path, model, FEATURES)
    n_few, n_many = (len(Inventory.open(flags[1])) for flags in (few, many))
    for flags in (few, many):
        run([*flags, *common])  # kernels are compiled, files are in the page cache
    benchmark.pedantic(run, ([*few, *common],), rounds=1)
    pairs = [(run([*few, *common]), run([*many, *common])) for _ in range(ROUNDS)]
    speeds = [large["speed"] / small["speed"] for small, large in pairs]
    small, large = pairs[-1]
    added = (large["anonymous"] - small["anonymous"]) / max(n_many - n_few, 1)
    with capsys.disabled():
        print(f"\n{n_many} weights beside {n_few}; an index of all made in {indexing:.0f} s")
        print("  seconds to the first sentence:", end=" ")
        print(" beside ".join(spread([pair[side]["first"] for pair in pairs]) for side in (1, 0)))
        print(f"  anonymous memory: {added:.2f} bytes a weight more")
        print(f"  sentences a CPU second: {large['speed']:.0f} beside {small['speed']:.0f}", end="")
        print(f" in the last pair; of the speed {spread(speeds)}")


def spread(values: list[float]) -> str:
    """The median, and the range in brackets."""
    return f"{median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def written(model: Model, lines: list[str], out: Path, sparse: Any, inventory: Any = None) -> float:
    """Sentences a CPU second of decoding and writing."""
    theta = np.array([weight(name) for name in model.feature_names()])
    settings = SearchSettings(k=1)
    start = time.process_time()
    decoder = Decoder(model, theta, settings, None, sparse, None, inventory)
    reference = None if inventory is None else inventory.known
    with Writer(str(out), KBest, "", inventory=reference) as lists:
        for kbest in decoder.decode_all(lines):
            lists.write(kbest)
        if inventory is not None:
            inventory.commit()
    return len(lines) / (time.process_time() - start)


@pytest.mark.benchmark(group="decode")
def test_written_features(
    benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Training text with the features of all templates written, beside the same search alone."""
    model, _ = task(tmp_path)
    lines, on = texts()[0][:TRAINING], SparseWeights(TEMPLATES, {})
    out, cache = tmp_path / "out", str(tmp_path)
    written(model, lines[:50], out, on)  # compiles
    with ListInventory(str(tmp_path / "warm"), cache=cache) as warm:
        written(model, lines[:50], out, on, warm)
    best = {"plain": 0.0, "names": 0.0, "new": 0.0, "known": 0.0}
    benchmark.pedantic(written, (model, lines[:50], out, None), rounds=1)
    for k in range(3):
        best["plain"] = max(best["plain"], written(model, lines, out, None))
        best["names"] = max(best["names"], written(model, lines, out, on))
        for way in ("new", "known"):
            with ListInventory(str(tmp_path / f"G{k}"), cache=cache) as inventory:
                assert inventory.index is not None  # made before the clock runs
                best[way] = max(best[way], written(model, lines, out, on, inventory))
    with capsys.disabled():
        print(f"\n{len(lines)} training sentences, 1-best: {best['plain']:.0f} a CPU second")
        for way, text in (
            ("names", "features with names"),
            ("new", "against an inventory that has none of them"),
            ("known", "against one that has them"),
        ):
            print(f"  {text}: {best[way] / best['plain']:.2f} of the speed")
