"""Expected BLEU by iteration, from what `optimize` and `growth-transform` say."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.weight_stream import write_weight_stream
from campanula.formats.weights import Weights
from campanula.pipelines.expected_bleu.curve import CurveWork
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Leaf, task_of
from tests.plain import json_lines


def lines_of(
    folder: Path, summary: Mapping[str, object], tau: str | None
) -> list[dict[str, float]]:
    (folder / "summary").write_text(json.dumps(summary))
    Weights({"LM0": 2.0, "WordPenalty0": 9.0}).write(os.fspath(folder / "lambda"))
    names = ("summary", "each", "lambda")
    summed, each, weights = (Leaf(os.fspath(folder / name), name) for name in names)
    with Cache(os.fspath(folder / "cache")) as cache:
        fixed = () if tau is None else ("LM0",)
        task = task_of(cache, CurveWork(summed, each, weights, fixed, tau))
        task.call.work.run(cache, lambda suffix: os.fspath(folder / f"curve{suffix}"))
    return json_lines(folder / "curve.jsonl")


def test_what_regularises_is_taken_off_and_the_fixed_weights_are_no_part_of_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "each").mkdir()
    reference = InventoryReference(3, "0" * 32)
    for t, theta in enumerate(([2.0, 0.5, 0.0], [2.0, 1.0, -1.0]), 1):
        path = os.fspath(tmp_path / "each" / f"theta.{t}")
        write_weight_stream(path, reference, np.array(theta), "test")
    gains = [0.25, 0.5]
    objectives = [-math.log(0.25) + 0.1 * 0.25, -math.log(0.5) + 0.1 * 2.0]
    for history in (objectives, [3.0, *objectives]):
        first, second = lines_of(tmp_path, {"history": history}, "0.1")
        assert [first["iteration"], second["iteration"]] == [1, 2]
        assert [first["expected_bleu"], second["expected_bleu"]] == pytest.approx(gains)
        assert [first["features"], second["features"]] == [1, 2]
        assert [first["objective"], second["objective"]] == objectives


def test_a_tau_that_leaves_no_digits_is_refused(tmp_path: Path) -> None:
    (tmp_path / "each").mkdir()
    path = os.fspath(tmp_path / "each" / "theta.1")
    write_weight_stream(path, InventoryReference(2, "0" * 32), np.array([2.0, 1.0]), "test")
    for tau in ("1e10", "1e300"):
        with pytest.raises(DataError, match=r"summary: iteration 1: expected tau .* smaller --tau"):
            lines_of(tmp_path, {"history": [float(tau)]}, tau)


def test_growth_says_it_itself(tmp_path: Path) -> None:
    summary = {"history": [-3.0, -2.0, -1.0], "gains": [0.1, 0.2, 0.3]}
    assert lines_of(tmp_path, summary, None) == [
        {"iteration": 1, "objective": -2.0, "expected_bleu": 0.2},
        {"iteration": 2, "objective": -1.0, "expected_bleu": 0.3},
    ]
