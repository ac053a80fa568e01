"""Test the p-values of `compare` on systems between which there is no difference.

    python -m benchmarks.bench_calibration one.out other.out --ref test.en --pairs 1000

Swaps the outputs of two systems at random, sentence by sentence, so that neither is better, and
counts the pairs whose p-value is at most 0.05: these are 5 % if the p-values are right.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.formats.text.references import References
from campanula.stages.comparing.interval import bootstrap_samples
from campanula.stages.comparing.scored_outputs import ScoredOutputs
from campanula.stages.comparing.significance import Chance, Sampling, SystemStatistics, chance
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.table import metric_named

LEVEL = 0.05


def null_pair(stats: Ints, rng: np.random.Generator) -> Ints:
    """Statistics (n, 2, w) of two systems, swapped at random sentence by sentence."""
    swap = rng.random(len(stats))[:, None, None] < 0.5
    swapped: Ints = np.where(swap, stats[:, ::-1], stats)
    return swapped


def tested(metric: Metric, pair: Ints, sampling: Sampling) -> Chance:
    """p-values of a pair (n, 2, w)."""
    # both at once, as in `compare`: each sample has the same sentences of either system
    samples = bootstrap_samples(pair, sampling.samples, sampling.seed)
    first, second = (SystemStatistics(pair[:, [j]], samples[:, [j]]) for j in (0, 1))
    return chance(metric, (first, second), sampling)


def main() -> None:
    """Print the share of significant pairs for each kind of p-value."""
    p = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    p.add_argument("outputs", nargs=2, type=Path)
    p.add_argument("--ref", required=True)
    p.add_argument("--metric", default="bleu")
    p.add_argument("--pairs", type=int, default=1000)
    p.add_argument("--samples", type=int, default=1000)
    p.add_argument("--trials", type=int, default=1000)
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args()
    metric, references = metric_named(args.metric), References.read([args.ref])
    files = [path.read_text("utf-8").split("\n")[: len(references)] for path in args.outputs]
    stats = ScoredOutputs.of_texts(metric, files, references).stats
    rng = np.random.default_rng(args.seed)
    # a seed for each pair: with one for all, every pair would be tried by the same swaps
    seeds = rng.integers(1, 1 << 31, size=args.pairs).tolist()
    chances = [
        tested(metric, null_pair(stats, rng), Sampling(args.samples, args.trials, seed))
        for seed in seeds
    ]
    print(
        f"{args.pairs} null pairs of {len(stats)} sentences, {chances[0].differing} of which differ"
    )
    for name in ("randomisation", "bootstrap"):
        share = np.mean([getattr(p_values, name) <= LEVEL for p_values in chances])
        print(f"{name:14} p <= {LEVEL}: {100 * share:.1f} %")


if __name__ == "__main__":
    main()
