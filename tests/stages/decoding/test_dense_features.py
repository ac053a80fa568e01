"""The dense features that are on, by their names, labels and sets."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.model.files import ModelFiles
from campanula.formats.model.model import load_model
from campanula.stages.command import UsageError
from campanula.stages.decoding.dense_features import features_on
from tests.small_models import random_model, random_tillmann_zhang_model, write_model


def test_features_that_are_on(tmp_path: Path) -> None:
    (tmp_path / "table").write_text("a ||| b ||| 0.5 |||\n")
    files = ModelFiles(str(tmp_path / "table"))
    model = load_model(files, str(tmp_path / "cache"))
    assert features_on(files, model) == model.feature_names()
    some = ModelFiles(files.phrase_table, features=("TranslationModel0", "WordPenalty0"))
    assert features_on(some, model) == ["WordPenalty0", "TranslationModel0"]
    with pytest.raises(DataError, match="feature 'LM0'"):
        features_on(ModelFiles(files.phrase_table, features=("LM0",)), model)


def test_none_is_on(tmp_path: Path) -> None:
    (tmp_path / "table").write_text("a ||| b ||| 0.5 |||\n")
    files = ModelFiles(str(tmp_path / "table"))
    model = load_model(files, str(tmp_path / "cache"))
    assert features_on(files, model, ["none", "none"]) == []
    assert features_on(replace(files, features=("none",)), model) == []


def test_sets_and_flags(tmp_path: Path) -> None:
    model = random_tillmann_zhang_model(random.Random(1), 2, True)
    files = write_model(model, tmp_path)
    compiled = load_model(files, str(tmp_path / "cache"))
    usual = compiled.feature_names()
    assert usual[-2:] == ["OutboundDistortion0", "InboundDistortion0"]
    assert features_on(files, compiled) == usual
    assert features_on(files, compiled, ["moses"]) == usual[:-2]
    seven = ["WordPenalty0", "TranslationModel0_0", "TranslationModel0_1", *usual[-2:]]
    seven += ["LMFirst0", "LMRest0"]
    assert features_on(files, compiled, ["tillmann-zhang"]) == seven
    assert features_on(replace(files, features=("tillmann-zhang",)), compiled) == seven
    some = replace(files, features=("LM0",))
    asked = ["Distortion0", "TranslationModel0", "LMRest0"]
    assert features_on(some, compiled, asked) == [
        "Distortion0",
        *(f"TranslationModel0_{k}" for k in range(4)),
        "LMRest0",
    ]
    with pytest.raises(UsageError, match=r"--dense-features: .* LM0, .*; found 'LM1'"):
        features_on(files, compiled, ["LM1"])
    with pytest.raises(UsageError, match="found ''"):
        features_on(files, compiled, [""])
    plain = load_model(replace(files, distortion_table=None), str(tmp_path / "cache"))
    with pytest.raises(UsageError, match=r"--distortion-table.* found 'OutboundDistortion0'"):
        features_on(files, plain, ["tillmann-zhang"])


def test_sets_under_other_names(tmp_path: Path) -> None:
    files = write_model(random_model(random.Random(1), 2, True), tmp_path)
    files = replace(files, labels=(("LM0", "Model"), ("TranslationModel0", "Table")))
    compiled = load_model(files, str(tmp_path / "cache"))
    on = features_on(files, compiled, ["moses"])
    assert on == compiled.feature_names()
    assert {"Model", "Table_0"} <= set(on)
