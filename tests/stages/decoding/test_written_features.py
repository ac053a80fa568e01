"""Features to write and weights to search with, of models with and without a language model."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.model.files import ModelFiles
from campanula.formats.model.model import Model, load_model
from campanula.formats.records.names import Names
from campanula.stages.decoding.sparse.feature_ids import NamedFeatures
from campanula.stages.decoding.written_features import SearchWeights, Written
from tests.small_models import random_model, write_model


@pytest.fixture
def files(tmp_path: Path) -> ModelFiles:
    return write_model(random_model(random.Random(3), 3, True), tmp_path)


def weights_of(model: Model, **weight: float) -> np.ndarray:
    return np.array([weight.get(name, 0.0) for name in model.all_features()])


def test_all_that_is_on_is_written_when_nothing_is_said(files: ModelFiles, tmp_path: Path) -> None:
    model, names = load_model(files, str(tmp_path)), Names(["other"])
    theta = np.arange(1.0, 1.0 + len(model.all_features()))
    written = Written.of(model, None, theta, NamedFeatures(names).ids_of)
    assert list(written.names) == model.feature_names()
    assert [names[number] for number in written.ids] == model.feature_names()
    assert (
        written.weight.tolist() == theta[written.column].tolist() == (written.column + 1).tolist()
    )


def test_what_is_on_is_written_in_the_order_of_the_model(files: ModelFiles, tmp_path: Path) -> None:
    model = load_model(files, str(tmp_path))
    theta = weights_of(model, LMRest0=2.0, WordPenalty0=-1.0)
    written = Written.of(
        model, ("LMRest0", "WordPenalty0", "none such"), theta, NamedFeatures(Names()).ids_of
    )
    assert list(written.names) == ["WordPenalty0", "LMRest0"]
    assert written.weight.tolist() == [-1.0, 2.0]


def test_the_rest_of_a_split_language_model_weighs_every_word(
    files: ModelFiles, tmp_path: Path
) -> None:
    model = load_model(files, str(tmp_path))
    theta = weights_of(model, LM0=0.5, LMFirst0=3.0, LMRest0=1.0, Distortion0=0.25)
    found = SearchWeights.of(model, theta)
    assert (found.full[0], found.first, found.distortion) == (1.5, 2.0, 0.25)
    assert found.full[1:].tolist() == theta[1:].tolist()
    assert theta[0] == 0.5


def test_without_a_language_model_its_weight_is_0(files: ModelFiles, tmp_path: Path) -> None:
    model = load_model(ModelFiles(files.phrase_table), str(tmp_path))
    theta = np.arange(1.0, 1.0 + len(model.all_features()))
    found = SearchWeights.of(model, theta)
    assert found.full.tolist() == [0.0, *theta]
    assert (found.first, found.distortion, found.jump.tolist()) == (0.0, 1.0, [])
