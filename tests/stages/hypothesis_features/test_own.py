"""A feature of one's own: what its function gets, and what it may give."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest
from campanula.stages.command import UsageError
from campanula.stages.hypothesis_features.own import own_feature, own_values
from tests.examples import random_lists


@pytest.fixture
def kbest() -> KBest:
    (first, *_), _ = random_lists(seed=3, n_lists=1)
    return replace(first, sid=1)


def test_a_function_gets_texts(kbest: KBest) -> None:
    values = own_values("size", lambda texts: [len(text) for text in texts])
    assert values.of_list(kbest).tolist() == [float(len(text)) for text in kbest.text]
    assert values.signature == "size"


def test_it_may_ask_for_the_number_of_the_sentence_and_the_source(
    kbest: KBest, tmp_path: Path
) -> None:
    def asked(texts: list[str], sid: int, source: str) -> Any:
        return (float(f"{sid}.{source}") for _ in texts)

    (tmp_path / "source").write_text("5\n25\n")
    values = own_values("asked", asked, str(tmp_path / "source"))
    assert values.of_list(kbest).tolist() == [1.25] * len(kbest)
    assert values.signature.startswith("asked:")
    (tmp_path / "source").write_text("5\n")
    short = own_values("asked", asked, str(tmp_path / "source"))
    assert short.signature != values.signature
    with pytest.raises(DataError, match="source: sentence 1: expected a line for every sentence"):
        short.of_list(kbest)
    with pytest.raises(UsageError, match="the feature asked needs --source"):
        own_values("asked", asked)


@pytest.mark.parametrize(
    ("result", "shown"),
    [([1.0], "found 1"), ([np.nan] * 99, "found 99"), ("nan", "found some that are not finite")],
)
def test_a_finite_number_a_hypothesis(kbest: KBest, result: Any, shown: str) -> None:
    def given(texts: list[str]) -> Any:
        return [float(result)] * len(texts) if isinstance(result, str) else result

    problem = (
        f"feature f: sentence 1: expected {len(kbest)} finite numbers, one a hypothesis, {shown}"
    )
    with pytest.raises(DataError, match=problem):
        own_values("f", given).of_list(kbest)


def test_the_summary_is_the_first_line_of_the_function() -> None:
    def marks(texts: list[str]) -> list[int]:
        """Count marks.

        All of them.
        """
        return [0] * len(texts)

    assert own_feature("marks", marks).summary == "Count marks."
    assert own_feature("none", lambda texts: texts).summary == "a feature of your own"
