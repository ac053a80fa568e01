"""What is wrong with the training text is said before any work, with the user's own names."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from campanula.formats.errors import DataError
from campanula.formats.model.files import LanguageModelFile, ModelFiles, ReorderingTable
from campanula.pipelines.expected_bleu.training_check import refuse_misfits
from campanula.pipelines.settings import TrainingFiles
from campanula.stages.command import UsageError

FILES = ModelFiles("table")
TEXT = {"de": "a b\nc\n", "en": "u v\nw\n", "align": "0-0 1-1\n0-0\n"}


def check(folder: Path, *given: str, files: ModelFiles = FILES, **changed: str) -> None:
    """Look at the text, of which some files may be others."""
    paths = []
    for name, text in (TEXT | changed).items():
        (folder / name).write_text(text)
        paths.append(os.fspath(folder / name))
    train = TrainingFiles(*paths[:3])
    refuse_misfits(train, given, tuple(paths[3:]), files)


def test_what_fits_is_silent(tmp_path: Path) -> None:
    check(tmp_path)
    check(tmp_path, "--singleton-penalty", "0.5", "--leave-out", "lexical")
    order = (ReorderingTable("order"),)
    check(tmp_path, "--leave-out", "reordering", files=ModelFiles("table", order))
    lms = (LanguageModelFile("lm"),)
    check(tmp_path, "--leave-out", "lm", files=ModelFiles("table", order, lms))
    refuse_misfits(TrainingFiles("none", "none"), ("--leave-out", "reordering"), (), FILES)


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"align": "0-0 1-1\n0-0\n0-0\n"}, "align: expected 2 lines as in .*de, found 3"),
        ({"align": "0-0\n"}, "align: expected 2 lines as in .*de, found 1"),
        ({"en": "u v\n"}, "en: expected 2 lines as in .*de, found 1"),
        ({"align": "0-0 1-1\n0-7\n"}, "align: line 2: expected links .*, found 0-7"),
        ({"align": "0-0 1-1\nx\n"}, "align: line 2: expected links such as 0-1, found 'x'"),
    ],
)
def test_texts_that_do_not_fit(tmp_path: Path, changed: dict[str, Any], problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        check(tmp_path, **changed)


def test_flags_that_do_not_fit(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--leave-out reordering needs a reordering table"):
        check(tmp_path, "--leave-out", "reordering")
    with pytest.raises(UsageError, match="--leave-out lm needs a language model"):
        check(tmp_path, "--leave-out", "lm")
    with pytest.raises(UsageError, match="--leave-out-text belongs to --leave-out lexical or lm"):
        check(tmp_path, x="a\n", y="u\n", z="0-0\n")
    with pytest.raises(DataError, match=r"z: expected 1 lines as in .*x, found 2"):
        check(tmp_path, "--leave-out", "lexical", x="a\n", y="u\n", z="0-0\n0-0\n")
