"""The baseline's model, and models with learned tables."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.model.folder import read_model_folder
from campanula.pipelines.expected_bleu.model import BaseModel, LearnedTables
from campanula.stages.command import UsageError
from campanula.stages.condensing.columns import columns_of
from tests.pipelines import tiny

DENSE = ["LM0", "Distortion0", "WordPenalty0", "PhrasePenalty0", "UnknownWordPenalty0"]
DENSE += [f"TranslationModel0_{k}" for k in range(4)]


def flags(folder: Path) -> list[str]:
    tiny.write(folder)
    path = {name: os.fspath(folder / name) for name in ("phrase-table", "lm.arpa")}
    return ["--phrase-table", path["phrase-table"], "--lm", path["lm.arpa"]]


def test_flags_of_the_model_and_others(tmp_path: Path) -> None:
    given = [*flags(tmp_path), "--beam", "9", "--cache", "c"]
    base = BaseModel.of_flags(given)
    assert list(base.features) == DENSE
    assert base.others == ("--beam", "9", "--cache", "c")
    assert base.given == tuple(given)
    some = BaseModel.of_flags([*flags(tmp_path), "--dense-features", "LM0,TranslationModel0"])
    assert list(some.features) == [DENSE[0], *DENSE[5:]]


def test_learned_features_come_behind_those_that_there_are(tmp_path: Path) -> None:
    base = BaseModel.of_flags(flags(tmp_path))
    columns = columns_of(["block", "word-pair", "block-orientation"], [])
    names = base.learned_names(columns)
    assert names[:3] == ["TranslationModel0_4", "TranslationModel0_5", "LexicalReordering0_0"]
    assert len(names) == 8
    tables = LearnedTables(os.fspath(tmp_path / "t"), os.fspath(tmp_path / "o"), "hierarchical")
    made = base.tuned(os.fspath(tmp_path / "run" / "model"), tables, names)
    assert made == ("--model", os.fspath(tmp_path / "run" / "model"))
    files = read_model_folder(made[1])
    assert os.path.realpath(files.phrase_table) == os.path.realpath(tmp_path / "t")
    [table] = files.reordering_tables
    assert (os.path.basename(table.path), table.orientation) == ("o", "hierarchical")
    assert os.path.realpath(files.lms[0].path) == os.path.realpath(tmp_path / "lm.arpa")
    assert files.features == (*DENSE, *names)


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        (["--features", "block"], "has dense features alone"),
        (["--dense-features", "none"], "expected some that are on"),
    ],
)
def test_what_is_no_baseline(tmp_path: Path, more: list[str], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        BaseModel.of_flags([*flags(tmp_path), *more])


def test_names_of_other_tools_are_refused(tmp_path: Path) -> None:
    flags(tmp_path)
    ini = tiny.INI.replace("TranslationModel0", "PT0")
    (tmp_path / "moses.ini").write_text(ini)
    with pytest.raises(DataError, match="feature 'PT0': expected TranslationModel0"):
        BaseModel.of_flags(["--model", os.fspath(tmp_path)])
