"""The flags that name a model: what fits together, and the features that are on."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from formats.errors import DataError
from formats.model import ModelFiles, load_model
from stages.command import UsageError
from stages.decoding.model_flags import add_model_flags, features_on, given_model, model_files


def parsed(*argv: str) -> argparse.Namespace:
    p = argparse.ArgumentParser()
    add_model_flags(p)
    return p.parse_args(argv)


def test_files() -> None:
    assert model_files(parsed("--phrase-table", "t", "--lm", "l")) == ModelFiles("t", None, "l")
    with pytest.raises(UsageError, match="not both"):
        model_files(parsed("--model", "m", "--lm", "l"))
    with pytest.raises(UsageError, match="--moses-ini names the files"):
        model_files(parsed("--moses-ini", "m", "--lm", "l"))
    with pytest.raises(UsageError, match="not both"):
        model_files(parsed("--moses-ini", "m", "--model", "l"))
    with pytest.raises(UsageError, match="expected --model, --moses-ini or --phrase-table"):
        model_files(parsed("--lm", "l"))


def test_a_moses_ini_gives_more_than_files(tmp_path: Path) -> None:
    (tmp_path / "table").write_text("a ||| b ||| 0.5 |||\n")
    text = "[stack]\n9\n[feature]\nPhraseDictionaryMemory name=TM path=table\n[weight]\nTM= 0.5\n"
    (tmp_path / "moses.ini").write_text(text)
    given = given_model(parsed("--moses-ini", str(tmp_path / "moses.ini")))
    assert given.settings["stack"] == 9
    assert given.weights is not None
    assert dict(given.weights) == {"TM": 0.5}
    model = load_model(given.files, str(tmp_path / "cache"))
    assert features_on(given.files, model) == ["TM"]


def test_features_that_are_on(tmp_path: Path) -> None:
    (tmp_path / "table").write_text("a ||| b ||| 0.5 |||\n")
    files = ModelFiles(str(tmp_path / "table"))
    model = load_model(files, str(tmp_path / "cache"))
    assert features_on(files, model) == model.feature_names()
    some = ModelFiles(files.phrase_table, features=("TranslationModel0", "WordPenalty0"))
    assert features_on(some, model) == ["WordPenalty0", "TranslationModel0"]
    with pytest.raises(DataError, match="feature 'LM0'"):
        features_on(ModelFiles(files.phrase_table, features=("LM0",)), model)
