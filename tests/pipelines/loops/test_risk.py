"""Minimum risk: the expected cost for scales of the scores that double, each from the last."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from campanula.formats.weights import Weights
from campanula.pipelines.loops.optimizing import OptimizeFlags
from campanula.pipelines.loops.risk import RECIPE
from campanula.stages import optimize
from tests.examples import random_lists, write_kbest
from tests.pipelines.arguments import argv_of
from tests.pipelines.one_iteration import chain

FIXED = ["--loss", "bayes-risk", "--solver", "lbfgs", "--center", "0"]
ALPHA, C = 10.0, 0.5
Lists = list[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]


def test_what_an_iteration_runs(tmp_path: Path) -> None:
    tasks = chain(tmp_path, RECIPE.tuner(OptimizeFlags()))
    strengths = ["256.0", "64.0", "16.0", "4.0", "1.0"]
    assert [argv_of(task)[3:-5] for task in tasks] == [[*FIXED, "--C", s] for s in strengths]


def risk(w: np.ndarray[Any, Any], gamma: float, lists: Lists) -> float:
    """The twin: the expected cost of softmax(gamma s), and L2 of the strength C."""
    total = 0.5 * C * float(w @ w)
    for features, gain in lists:
        score = gamma * (features @ w)
        p = np.exp(score - score.max())
        total += float(p @ (ALPHA * (1.0 - gain)) / p.sum())
    return total


def test_the_steps_minimise_the_risk_of_scaled_scores(tmp_path: Path) -> None:
    """With theta = gamma w, as scipy finds it from a numerical gradient."""
    records, plain = random_lists(3, n_lists=12, max_size=6, sparse=False)
    write_kbest(tmp_path / "lists", records)
    (tmp_path / "weights").write_text("LM0 0.3\nWordPenalty0 -0.2\n")
    names = ["LM0", "WordPenalty0"]
    lists = [
        (
            np.array([[row[name] for name in names] for row, _ in rows]),
            np.array([g for _, g in rows]),
        )
        for rows in plain
    ]
    theta = np.array([0.3, -0.2])
    found = []
    tasks = chain(tmp_path, replace(RECIPE, doublings=2).tuner(OptimizeFlags(("--C", str(C)))))
    for gamma, task in zip((0.25, 0.5, 1.0), tasks, strict=True):
        assert optimize.main(argv_of(task)) == 0
        weights = Weights.read(task.path)
        theta = gamma * minimize(risk, theta / gamma, (gamma, lists), tol=1e-10).x
        found.append([weights[name] for name in names])
        np.testing.assert_allclose(found[-1], theta, rtol=1e-3, atol=1e-4)
    assert all(np.linalg.norm(x) < np.linalg.norm(y) for x, y in pairwise(found))
