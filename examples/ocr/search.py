"""Search for weights as it is often done: on a grid, or with Optuna (docs/reranking-ocr.md).

Reads scored lists as `show` prints them, of a metric whose statistics are errors and words (wer),
and writes weights.  Both searches see the objective itself, the word errors of the hypotheses that
the weights choose, at the price of one matrix product a point.  --features names the weights that
are sought; the first is 1, those of other features are 0.

    grid     33 points: 11 weights of the second feature, 0 to 1, times 3 of the third, 0, 1 and 2
    optuna   200 trials of its default sampler (TPE), each weight from -10 to 10

Example:  show tune.scored.kbest | python3 search.py grid --features CTC,LM,Words > grid.weights
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
TRIALS = 200
RANGE = 10.0


class Lists:
    """Features (n, F) and word errors (n,) of all hypotheses, and where each list begins."""

    def __init__(self, lines: Sequence[str]) -> None:
        lists = [json.loads(line)["hyps"] for line in lines]
        rows = list(itertools.chain.from_iterable(lists))
        self.names = list(rows[0]["features"])
        self.feature = np.array([[row["features"][name] for name in self.names] for row in rows])
        self.errors = np.array([row["stats"][0] for row in rows])
        self.start = np.cumsum([0, *map(len, lists)])

    def word_errors(self, theta: Floats) -> int:
        """Word errors of the hypotheses that the weights choose."""
        score = self.feature @ theta
        bounds = itertools.pairwise(self.start)
        return sum(int(self.errors[a + np.argmax(score[a:b])]) for a, b in bounds)


def grid(errors: Callable[[Sequence[float]], int], size: int, seed: int) -> Sequence[float]:
    """Best point of the grid, the first of several."""
    if size != 2:
        raise SystemExit("search.py: a grid has two weights beside the first")
    points = itertools.product(np.linspace(0, 1, 11), (0.0, 1.0, 2.0))
    return min(points, key=errors)


def optuna(errors: Callable[[Sequence[float]], int], size: int, seed: int) -> Sequence[float]:
    """Best of Optuna's trials."""
    import optuna

    def objective(trial: Any) -> int:
        return errors([trial.suggest_float(str(k), -RANGE, RANGE) for k in range(size)])

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
    study.optimize(objective, n_trials=TRIALS)
    return [study.best_params[str(k)] for k in range(size)]


SEARCHES = {"grid": grid, "optuna": optuna}


def main() -> None:
    """Write the weights that a search finds, and say how long it took."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("search", choices=list(SEARCHES))
    p.add_argument("--features", default="CTC,LM,LetterLM,Unknown,Words,Letters")
    p.add_argument("--seed", type=int, default=1, help="of optuna's sampler")
    flags = p.parse_args()
    lists, features = Lists(sys.stdin.readlines()), flags.features.split(",")
    place = [lists.names.index(name) for name in features]

    def theta(weights: Sequence[float]) -> Floats:
        full = np.zeros(len(lists.names))
        full[place] = [1.0, *weights]
        return full

    def errors(weights: Sequence[float]) -> int:
        return lists.word_errors(theta(weights))

    start = time.perf_counter()
    best = theta(SEARCHES[flags.search](errors, len(place) - 1, flags.seed))
    seconds = time.perf_counter() - start
    for name, weight in zip(lists.names, best, strict=True):
        print(name, float(weight))
    print(f"{flags.search}: {lists.word_errors(best)} errors, {seconds:.2f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
