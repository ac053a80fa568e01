"""A task's name says what determines its bytes, and nothing else."""

from __future__ import annotations

import pytest

from campanula.stages.engines.task import Task, task

FUNCTION = "tests.stages.engines.functions:numbers"


def test_the_name_is_that_of_what_determines_the_bytes() -> None:
    one = task("/a", "decode", FUNCTION, {"path": "/x"}, ["digest"], ".kbest")
    other = task("/b", "decode", FUNCTION, {"path": "/y"}, ["digest"], ".kbest")
    assert one.name == other.name
    assert one.output == f"/a/{one.name}"
    assert one.name.startswith("decode-")
    assert one.name.endswith(".kbest")
    for name in (
        task("/a", "decode", FUNCTION, {"path": "/x"}, ["another"], ".kbest").name,
        task("/a", "decode", f"{FUNCTION}2", {"path": "/x"}, ["digest"], ".kbest").name,
    ):
        assert name != one.name


def test_the_title_is_the_stage() -> None:
    assert task("/a", "score-bleu", FUNCTION, {}, []).title == "score-bleu"
    assert Task(FUNCTION, {}, "/a/plain").title == "plain"


def test_the_function_is_found_by_its_name() -> None:
    assert Task("math:hypot", {}, "/a/b").resolve()(3.0, 4.0) == 5.0  # type: ignore[arg-type]


def test_what_does_not_travel_is_refused_here() -> None:
    with pytest.raises(TypeError, match="serializable"):
        task("/a", "decode", FUNCTION, {"path": object()}, [])
