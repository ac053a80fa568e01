"""Online training on relevant sets: features visited in a second, beside plain numpy.

A visit is an entry of a hypothesis that an epoch reads.  The sets are made up in the shape of real
ones with all of Tillmann and Zhang's templates: 112 binary entries a hypothesis, 365 different ones
a sentence, of which three fifths follow Zipf's law over all features and the others come from all
alike; an output a set, and five truths.

    python -m benchmarks.bench_relevant_set --sentences 29000 --features 4500000 --sets 30
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.timing import seconds
from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.formats.inventories.inventory_names import NumberedNames
from campanula.formats.inventories.reference import InventoryReference
from campanula.stages.kernels.relevant.online import epoch, room_of
from campanula.stages.kernels.relevant.records import (
    EQUATION_7,
    TABLE_II,
    Rows,
    Rule,
    ScaledWeights,
    Sets,
)
from campanula.stages.tuning.plan import Plan
from campanula.stages.tuning.relevant.relevant_sets import RelevantSets
from campanula.stages.tuning.relevant.set_of_lists import SetOfLists
from campanula.stages.tuning.relevant.training import train, wants_apart
from campanula.stages.tuning.restraints import Restraints
from campanula.stages.tuning.settings import TuneSettings

ENTRIES, DIFFERENT, TRUTHS = 112, 365, 5
FREQUENT = 0.6  # share of a sentence's features that follow Zipf's law


def pools(rng: np.random.Generator, n: int, n_features: int) -> Ids:
    """Features (n, DIFFERENT) of sentences, ascending; few stand there twice."""
    shape = (n, DIFFERENT)
    frequent = np.exp(rng.random(shape) * np.log(n_features)).astype(np.int32) - 1
    every = rng.integers(0, n_features, shape, np.int32)
    return np.sort(np.where(rng.random(shape) < FREQUENT, frequent, every), axis=1)


def made_up(n: int, n_sets: int, n_features: int, update: str) -> RelevantSets:
    """Relevant sets of n sentences for an update: n_sets outputs and TRUTHS truths each."""
    rng = np.random.default_rng(1)
    pool = pools(rng, n, n_features)
    names = NumberedNames(InventoryReference(n_features, f"{n_features:032x}"))

    def one(size: int) -> SetOfLists:
        """A set of lists: a hypothesis has features that stand together, around a ring."""
        start = rng.integers(0, DIFFERENT, (n * size, 1))
        place = np.sort((start + np.arange(ENTRIES)) % DIFFERENT, axis=1)
        ids = pool[np.arange(n).repeat(size)[:, None], place].reshape(-1)
        pointer = np.arange(n * size + 1) * ENTRIES
        none = np.zeros(n * size + 1, np.int64), np.zeros(0, np.int32), np.zeros(0)
        # random hashes of texts: all differ, so that no hypothesis is dropped as a duplicate
        gain, text = rng.random(n * size), rng.integers(0, 1 << 60, n * size).astype(np.uint64)
        rows = Rows(np.arange(n + 1) * size, *none, pointer, ids, gain, text)
        return SetOfLists("made up", np.arange(n), rows, names, metric={})

    outputs = [one(1) for _ in range(n_sets)]
    return RelevantSets.of(outputs, one(TRUTHS), apart=wants_apart(plan_of(1, update)))


def plan_of(epochs: int, update: str = "table2") -> Plan:
    """Costmargin with so many epochs."""
    return TuneSettings(loss="costmargin", update=update, epochs=epochs).plan()


def free(n_features: int) -> Restraints:
    """All weights may move."""
    end = np.broadcast_to(np.inf, n_features)
    return Restraints(np.ones(n_features), -end, end)


def numpy_epoch(sets: Sets, order: Ints, w: Floats, eta: float) -> None:
    """Table II, a sum of gathered weights a hypothesis."""
    for i in order.tolist():
        first, last = int(sets.pointer[i]), int(sets.pointer[i + 1])
        common = sets.common[sets.common_pointer[i] : sets.common_pointer[i + 1]]
        rare = sets.rare[sets.rare_pointer[i] : sets.rare_pointer[i + 1]]
        table = np.concatenate([common, rare])
        ends = sets.binary_pointer[first : last + 1]
        codes = sets.binary_code[ends[0] : ends[-1]]
        score = np.add.reduceat(w[table][codes], ends[:-1] - ends[0])
        gain, k, s = sets.gain[first:last], int(sets.truths[i]), int(sets.best[i])
        t = k + int(np.argmax((gain[s] - gain[k:]) * (1.0 - (score[s] - score[k:]))))
        step = eta * (gain[s] - gain[t])
        for j, sign in ((s, step), (t, -step)):
            w[table[codes[ends[j] - ends[0] : ends[j + 1] - ends[0]]]] += sign


def visits(sets: Sets) -> int:
    """Entries that an epoch reads: all that are packed."""
    return len(sets.binary_code) + len(sets.valued_code)


def report(n: int, n_sets: int, n_features: int, epochs: int, update: str) -> str:
    """Processor seconds of packing and of training, in a line."""
    start = time.process_time()
    data = made_up(n, n_sets, n_features, update)
    made = time.process_time()
    warm, limits = plan_of(1, update), free(n_features)
    w = np.zeros(n_features)
    # compiles; the next one is what a training takes beside its epochs
    train(data, w, limits, warm)
    begin = time.process_time()
    train(data, w, limits, warm)
    between = time.process_time()
    train(data, w, limits, plan_of(1 + epochs, update))
    # less a training of one epoch: what is left are the epochs alone, without the setting up
    taken = (time.process_time() - between) - (between - begin)
    speed = visits(data.sets) * epochs / taken
    size = sum(array.nbytes for array in data.sets)
    return (
        f"{update}: {n} sentences, {data.counts.distinct} hypotheses, {data.counts.entries} entries"
        f" ({size / data.counts.entries:.2f} bytes each): made and packed in {made - start:.1f} s; "
        f"{epochs} epochs in {taken:.2f} s, {speed / 1e6:.0f} million features a second"
    )


@pytest.mark.benchmark(group="relevant sets")
@pytest.mark.parametrize("update", ["table2", "eq7"])
def test_online_training(
    benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str], update: str
) -> None:
    """An epoch over 5,000 sentences with 30 outputs and 5 truths each, beside numpy."""
    n_features = 1_000_000
    sets = made_up(5000, 30, n_features, update).sets
    w, order = np.zeros(n_features), np.random.default_rng(1).permutation(5000)
    rule = Rule(EQUATION_7 if update == "eq7" else TABLE_II, False, 1e-4, 1.0)
    weights = ScaledWeights(w, np.ones(1), np.zeros(0), np.zeros(0, np.bool_))
    room = room_of(sets)
    benchmark.pedantic(epoch, (sets, order, rule, weights, room), rounds=3, warmup_rounds=1)
    ours = seconds(lambda: epoch(sets, order, rule, weights, room))
    speed = visits(sets) / ours / 1e6
    with capsys.disabled():
        print(f"\n{update}: {speed:.0f} million features a second", end="")
        if update == "table2":
            # a tenth of the sentences, hence 10 times the ratio
            plain = seconds(lambda: numpy_epoch(sets, order[:500], np.zeros(n_features), 1e-4), 1)
            print(f"; {10 * plain / ours:.0f} x numpy", end="")
        print()


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--sentences", type=int, default=29_000)
    p.add_argument("--sets", type=int, default=30)
    p.add_argument("--features", type=int, default=4_500_000)
    p.add_argument("--epochs", type=int, default=5)
    p.add_argument("--update", default="table2")
    args = p.parse_args()
    print(report(args.sentences, args.sets, args.features, args.epochs, args.update))
