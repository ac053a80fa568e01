"""Patterns that no feature of a run can match."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.pipelines.patterns import beginnings_of, patterns, refuse_unmatched
from campanula.stages.command import UsageError

DENSE = ["LM0", "TranslationModel0_0"]


def test_patterns_of_flags() -> None:
    given = ["--eta", "1", "--freeze", "LM*", "--bounds", "x", "0", "inf", "--only", "--y"]
    assert patterns(given) == [("--freeze", "LM*"), ("--bounds", "x"), ("--only", "--y")]


@pytest.mark.parametrize(
    "pattern", ["LM0", "LM?", "*_0", "pair_das~~the", "pair_*", "pa*", "?air_x", "[p]air_*", "*"]
)
def test_what_may_match_passes(pattern: str) -> None:
    refuse_unmatched(["--only", pattern], DENSE, ["pair_", "block_"])
    with pytest.raises(UsageError, match="--only: no feature matches"):
        refuse_unmatched(["--only", pattern], [], [])


@pytest.mark.parametrize("pattern", ["LM1", "lm0", "pair", "pairs_*", "uni_the", "pai", "x*", "L?"])
def test_what_cannot_match_is_refused(pattern: str) -> None:
    with pytest.raises(UsageError, match="--bounds: no feature matches"):
        refuse_unmatched(["--freeze", "LM0", "--bounds", pattern, "0", "1"], DENSE, ["pair_"])


def test_without_sparse_features_dense_ones_alone_can_match() -> None:
    with pytest.raises(UsageError, match=r"--freeze: no feature matches 'pair_\*'"):
        refuse_unmatched(["--freeze", "pair_*"], DENSE)


def test_beginnings_of_sparse_features(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("trigger_not~~but\nuni_a\n")
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "phrase-table").write_text("")
    text = '{"phrase-table": "phrase-table", "features": ["LM0", "block-orientation"]}'
    (tmp_path / "model" / "model.json").write_text(text)
    flags = ["--features", "wuebker-a,jump", "--beam", "3"]
    flags += ["--feature-list", os.fspath(tmp_path / "list")]
    flags += ["--model", os.fspath(tmp_path / "model")]
    found = ["block_", "jump_", "back_", "forw_", "trigger_", "uni_"]
    assert beginnings_of(flags) == found
    assert beginnings_of(["--beam", "3"]) == []
