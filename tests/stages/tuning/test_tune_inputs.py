"""What a tuning reads from the paths of its inputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.weights import Weights
from campanula.stages.tuning.settings import TuneSettings
from campanula.stages.tuning.tune_inputs import TuneInputs
from tests.stages.tuning.sharded import files


@pytest.fixture
def paths(tmp_path: Path) -> dict[str, str]:
    return files.write(tmp_path)


@pytest.mark.parametrize("streamed", [False, True])
def test_lists_are_read_into_memory_or_again_at_every_pass(
    paths: dict[str, str], streamed: bool
) -> None:
    inputs = TuneInputs(paths["coll"], paths["w0.stream"], streamed=streamed)
    data = inputs.read_lists()
    assert data.n_lists == 20
    assert (data.resident is None) == streamed
    assert len(data.names) == len(inputs.shards().names)


def test_shards_are_packed_in_the_folder_given(paths: dict[str, str], tmp_path: Path) -> None:
    inputs = TuneInputs(paths["coll"], paths["w0.stream"], cache=str(tmp_path / "packed"))
    assert inputs.shards().n_lists == 20
    assert any((tmp_path / "packed" / "shards").iterdir())


def test_the_plan_follows_from_the_inputs() -> None:
    settings = TuneSettings(loss="ramp3", solver="ssd")
    assert TuneInputs("lists", "weights").plan(settings).rounds == 10
    assert TuneInputs("lists", "weights", hope="hopes").plan(settings).rounds == 1


def test_theta0_is_a_number_a_file_or_the_default(tmp_path: Path) -> None:
    path = str(tmp_path / "center")
    Weights({"f": 2.5}).write(path)
    center = TuneInputs("lists", "weights", center=path).read_center()
    assert isinstance(center, Weights)
    assert dict(center) == {"f": 2.5}
    assert TuneInputs("lists", "weights", center=0.0).read_center() == 0.0
    assert TuneInputs("lists", "weights").read_center() is None


def test_references_are_read_for_losses_that_need_them(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("a b\n")
    inputs = TuneInputs("lists", "weights", refs=(str(tmp_path / "ref"),))
    references = inputs.read_references(inputs.plan(TuneSettings(loss="hinge")))
    assert references is not None
    assert len(references) == 1
    assert inputs.read_references(inputs.plan(TuneSettings(loss="ramp3"))) is None
