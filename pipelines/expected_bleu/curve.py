"""Expected BLEU after every iteration of a training (Wuebker et al. 2015, Figure 2).

    E_t = exp(tau |theta_t|^2 - O_t),    O_t the objective that `optimize` minimises, which is
                                         -log E_t + tau |theta_t|^2 over the weights that move

`growth-transform` writes E_t itself; its objective has another term than L2 and is maximised.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from campanula.formats.errors import DataError
from campanula.formats.files import Output
from campanula.formats.weight_stream import read_weight_stream
from campanula.formats.weights import Weights
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import PathOf, Product

SUFFIX = ".jsonl"
LARGEST = 1e9  # times 2^-52 is the rounding of O_t, and so of log E_t


@dataclass(frozen=True, slots=True)
class CurveWork:
    """Work: computes a line of JSON an iteration from the summary and the weights of `optimize`.

    lines: {"iteration": t, "objective": O_t, "expected_bleu": E_t, "features": n}, of which n have
    a weight other than 0.  The features `fixed` keep their weights lambda, which do not count.  tau
    None: tables were trained, whose lines have no n.
    """

    summary: Product
    each: Product
    weights: Product
    fixed: tuple[str, ...]
    tau: str | None

    command = "expected-bleu"
    suffixes = (SUFFIX,)

    @property
    def inputs(self) -> list[Product]:
        """The summary, the weights of each iteration, and lambda."""
        return [self.summary, self.each, self.weights]

    def identity(self) -> object:
        """Settings and inputs that determine the lines, for the digest."""
        return [*(product.digest for product in self.inputs), self.fixed, self.tau]

    def __str__(self) -> str:
        return os.path.basename(self.summary.path)

    def run(self, cache: Cache, path_of: PathOf) -> None:
        """Write the lines; raises DataError for a tau that leaves E_t no digits."""
        with open(self.summary.path, encoding="utf-8") as file:
            summary = json.load(file)
        lines = self._of_tables(summary) if self.tau is None else self._of_weights(summary)
        with Output(path_of(SUFFIX)) as out:
            for line in lines:
                out.write_line(json.dumps(line))

    def _of_tables(self, summary: dict[str, Any]) -> Iterator[dict[str, Any]]:
        steps = zip(summary["history"], summary["gains"], strict=True)
        for t, (objective, gain) in enumerate(steps):
            if t:  # 0 is the model before the first step
                yield {"iteration": t, "objective": objective, "expected_bleu": gain}

    def _of_weights(self, summary: dict[str, Any]) -> Iterator[dict[str, Any]]:
        history, tau = summary["history"], float(self.tau or 0.0)
        given = Weights.read(self.weights.path)
        constant = np.array([given[name] for name in self.fixed])
        n = len(os.listdir(self.each.path))
        # the last n, since theta_0, which the history may have, too, has no file
        for t, objective in enumerate(history[len(history) - n :], 1):
            theta = read_weight_stream(os.path.join(self.each.path, f"theta.{t}")).theta
            square = float(theta @ theta) - float(constant @ constant)
            if not tau * square <= LARGEST:  # not `>`, which nan would pass
                problem = (
                    f"expected tau |theta|^2 of at most {LARGEST:g}, beside which expected BLEU"
                )
                problem += f" has digits left, found {tau * square:g}: take a smaller --tau"
                raise DataError(self.summary.path, f"iteration {t}", problem)
            yield {
                "iteration": t,
                "objective": objective,
                # O_t = tau |theta|^2 - log E_t, solved for E_t
                "expected_bleu": math.exp(tau * square - objective),
                "features": int(np.count_nonzero(theta) - np.count_nonzero(constant)),
            }
