"""The flags that name a model: what fits together, and what a moses.ini gives."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from campanula.formats.model.files import LanguageModelFile, ModelFiles, ReorderingTable
from campanula.formats.model.model import load_model
from campanula.stages.command import UsageError
from campanula.stages.decoding.dense_features import features_on
from campanula.stages.decoding.model_flags import (
    add_model_flags,
    dense_features_of_flags,
    given_model,
    model_files,
    model_inputs,
)


def parsed(*argv: str) -> argparse.Namespace:
    p = argparse.ArgumentParser()
    add_model_flags(p)
    return p.parse_args(argv)


def test_files() -> None:
    assert model_files(parsed("--phrase-table", "t", "--lm", "l")) == ModelFiles(
        "t", lms=(LanguageModelFile("l"),)
    )
    tables = ("--reordering-table", "r", "--reordering-table", "s,hierarchical")
    found = model_files(parsed("--phrase-table", "t", *tables)).reordering_tables
    assert found == (ReorderingTable("r"), ReorderingTable("s", "hierarchical"))
    with pytest.raises(UsageError, match="not both"):
        model_files(parsed("--model", "m", "--reordering-table", "l"))
    with pytest.raises(UsageError, match="not both"):
        model_files(parsed("--model", "m", "--lm", "l"))
    with pytest.raises(UsageError, match="--moses-ini names the files"):
        model_files(parsed("--moses-ini", "m", "--lm", "l"))
    with pytest.raises(UsageError, match="not both"):
        model_files(parsed("--moses-ini", "m", "--model", "l"))
    with pytest.raises(UsageError, match="expected --model, --moses-ini or --phrase-table"):
        model_files(parsed("--lm", "l"))


@pytest.mark.parametrize(
    "flag",
    ["--moses-ini", "--phrase-table", "--lm", "--class-lm", "--classes", "--distortion-table"],
)
def test_one_file_may_be_stdin(flag: str) -> None:
    assert model_inputs(parsed(flag, "-")).count("-") == 1


def test_language_models_are_numbered_as_they_come_those_of_classes_last(tmp_path: Path) -> None:
    flags = ["--class-lm=c", "--lm=a", "--classes=m", "--lm=b", "--class-lm=d", "--classes=n"]
    classed = LanguageModelFile("c", "m"), LanguageModelFile("d", "n")
    lms = (LanguageModelFile("a"), LanguageModelFile("b"), *classed)
    assert model_files(parsed("--phrase-table", "t", *flags)) == ModelFiles("t", lms=lms)
    with pytest.raises(UsageError, match=r"as many --class-lm as --classes, found 2 and 1"):
        model_files(parsed("--phrase-table", "t", *flags[:-1]))
    text = '{"phrase-table": "t", "lm": "a", "features": ["LM0"]}'
    (tmp_path / "model.json").write_text(text)
    beside = model_files(parsed("--model", str(tmp_path), "--class-lm", "c", "--classes", "m"))
    assert beside.lms == (LanguageModelFile(str(tmp_path / "a")), LanguageModelFile("c", "m"))
    assert beside.features == ("LM0", "LM1")


def test_a_distortion_table_goes_with_any_model(tmp_path: Path) -> None:
    files = model_files(parsed("--phrase-table", "t", "--distortion-table", "d"))
    assert files == ModelFiles("t", distortion_table="d")
    (tmp_path / "model.json").write_text('{"phrase-table": "t", "features": ["LM0"]}')
    files = model_files(parsed("--model", str(tmp_path), "--distortion-table", "d"))
    assert files.distortion_table == "d"
    assert files.features == ("LM0", "OutboundDistortion0", "InboundDistortion0")
    (tmp_path / "model.json").write_text('{"phrase-table": "t", "distortion-table": "e"}')
    assert model_files(parsed("--model", str(tmp_path))).distortion_table == str(tmp_path / "e")
    with pytest.raises(UsageError, match="the model has one"):
        model_files(parsed("--model", str(tmp_path), "--distortion-table", "d"))


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


def test_dense_features() -> None:
    assert dense_features_of_flags([]) == ()
    assert dense_features_of_flags(["LM0, Distortion0", "moses"]) == ("LM0", "Distortion0", "moses")
    assert dense_features_of_flags(["none", " none"]) == ("none", "none")
    with pytest.raises(UsageError, match="expected none or others, found none,LM0"):
        dense_features_of_flags(["none", "LM0"])
