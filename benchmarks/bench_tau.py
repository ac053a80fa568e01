"""Expected BLEU on held-out sentences, by tau (docs/losses.md).

    score-bleu --gain he-deng --ref val.en run.kbest -o scored.kbest
    python -m benchmarks.bench_tau scored.kbest w0

Tunes on some sentences of random halves and measures on the other halves: means of the splits.
"""

from __future__ import annotations

import argparse

import numpy as np

from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader
from campanula.formats.weights import Weights
from campanula.stages.kernels.lists.winners import winners
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.tuning.settings import TuneSettings
from campanula.stages.tuning.tune import minimise, objective_of
from campanula.stages.tuning.tuning_set import TuningSet

TAUS = (0.0, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1)
LOSS = "expected-bleu"


def measured(weights: Weights, held_out: TuningSet) -> tuple[float, float]:
    """Expected gain, and BLEU of the best outputs, of weights on sentences."""
    theta = weights.checked_vector(held_out.names, "lists", False)
    # without the penalty, whatever tau was in tuning: the expected gain itself is compared
    plan = TuneSettings(loss=LOSS, tau=0.0).plan()
    expected = float(np.exp(-objective_of(held_out, plan, theta).value(theta)))
    whole = held_out.whole
    assert whole.stats is not None
    sums = whole.stats[winners(whole.lists, theta)].sum(axis=0)
    return expected, 100.0 * float(Bleu().corpus_values(sums[None])[0])


def main() -> None:
    """Print a row for each tau and number of sentences."""
    p = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    p.add_argument("lists")
    p.add_argument("weights")
    # 507 is half of Multi30k's validation set: more would be held out and tuned on as well
    p.add_argument("--sentences", nargs="+", type=int, default=[100, 507])
    p.add_argument("--splits", type=int, default=4)
    args = p.parse_args()
    with Reader(args.lists, KBest) as reader:
        lists = list(reader)
    initial, half = Weights.read(args.weights), len(lists) // 2
    print("tuned on  tau      expected gain  BLEU")
    for n in args.sentences:
        for tau in TAUS:
            results = []
            for seed in range(args.splits):
                # by the number of the split, so that every tau sees the same splits
                order = np.random.default_rng(seed).permutation(len(lists))
                held_out = TuningSet.of([lists[i] for i in order[half:]], metric=Bleu())
                settings = TuneSettings(loss=LOSS, tau=tau)
                tuned = minimise([lists[i] for i in order[:n]], initial, settings)
                results.append(measured(tuned.weights, held_out))
            expected, bleu = np.mean(results, axis=0)
            print(f"{n:8}  {tau:<7g}  {expected:13.4f}  {bleu:.2f}", flush=True)


if __name__ == "__main__":
    main()
