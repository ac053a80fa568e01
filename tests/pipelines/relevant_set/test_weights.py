"""Weights that a run begins with."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.weight_stream import read_weight_stream, write_weight_stream
from campanula.formats.weights import Weights
from campanula.pipelines.relevant_set.inventories import begin
from campanula.pipelines.relevant_set.weights import Beginning, flat, perturbed
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Leaf, StageTask


def test_seeds_are_near_a_tenth_and_differ_by_seed() -> None:
    values = flat(["a", "b", "c"])
    one, two = perturbed(values, 1), perturbed(values, 2)
    assert one == perturbed(values, 1)
    assert one != two
    assert all(abs(value - 0.1) <= 0.01 for value in (*one.values(), *two.values()))


def test_alone_they_are_text(tmp_path: Path) -> None:
    with Cache(os.fspath(tmp_path / "cache")) as cache:
        made = Beginning(cache, os.fspath(tmp_path)).weights("seed-1", flat(["a", "b"]), "flat")
    assert dict(Weights.read(made.path)) == {"a": 0.1, "b": 0.1}
    assert (tmp_path / "seed-1").read_text().startswith("# seed-1:flat\n")


def overlaid(tmp_path: Path, values: dict[str, float]) -> list[float]:
    """Numbers of a stream of three weights, after some of them have been set."""
    inventory = Leaf(os.fspath(tmp_path / "F"), "F")
    begin(inventory, ["a", "b", "c", "late"])
    fixed = Leaf(os.fspath(tmp_path / "w"), "w")
    opened = Inventory.open(inventory.path)
    reference = type(opened.reference)(3, opened.digest(3))
    write_weight_stream(fixed.path, reference, [1.0, 2.0, 3.0], "")  # type: ignore[arg-type]
    with Cache(os.fspath(tmp_path / "cache")) as cache:
        made = Beginning(cache, os.fspath(tmp_path), inventory, fixed).weights("w", values, "")
        assert isinstance(made, StageTask)
        cache.build([made])
        return read_weight_stream(made.path).theta.tolist()


def test_beside_others_they_are_a_stream(tmp_path: Path) -> None:
    assert overlaid(tmp_path, {"c": 0.5, "a": 0.25}) == [0.25, 2.0, 0.5]


@pytest.mark.parametrize("name", ["none", "late"])
def test_a_feature_without_a_weight_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError, match=f"expected a weight of feature '{name}'"):
        overlaid(tmp_path, {name: 1.0})
