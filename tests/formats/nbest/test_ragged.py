"""Blocks of lines with labels of their own; test_uniform compares them with lines one by one."""

from __future__ import annotations

import pytest

from campanula.formats.nbest.fields import FieldLines
from campanula.formats.nbest.labels import Labels
from campanula.formats.nbest.ragged import ragged_features
from campanula.formats.records.names import Names


def rows(
    *fields: str, mark: str = "=", labels: Labels | None = None
) -> list[dict[str, float]] | None:
    names = Names()
    lines = FieldLines.of([field.encode() for field in fields])
    features = ragged_features(lines, labels or Labels(mark), names)
    return None if features is None else list(features.rows(names))


@pytest.mark.parametrize(
    "fields",
    [("LM0= 1 TM0= 2 3", "pp_a= 1 LM0= 4 "), ("LM0=1 TM0=2 3", "pp_a=1 LM0=4")],
)
def test_labels_and_values(fields: tuple[str, str]) -> None:
    found = rows(*fields)
    assert found == [{"LM0": 1.0, "TM0_0": 2.0, "TM0_1": 3.0}, {"pp_a": 1.0, "LM0": 4.0}]


def test_both_ways_to_write_a_value() -> None:
    assert rows("LM0= 1", "LM0=2 TM0= 3") == [{"LM0": 1.0}, {"LM0": 2.0, "TM0": 3.0}]


def test_another_mark() -> None:
    assert rows("LM: 1 a=b: -1.7E1", "LM: 2", mark=":") == [{"LM": 1.0, "a=b": -17.0}, {"LM": 2.0}]


def test_a_line_without_features() -> None:
    assert rows("LM0= 1", "", "LM0= 2") == [{"LM0": 1.0}, {}, {"LM0": 2.0}]


@pytest.mark.parametrize(
    "field",
    [
        "1 LM0= 1",
        "LM0= nan",
        "LM0= 0,5",
        "LM0= TM0= 1",
        "LM0=",
        "LM0= 1 2",
        "LM0= 1 LM0= 2",
        "TM0= 1 2 TM0_1= 3",
        "a=b= 1",
        "= 1",
        "LM0=\x0b1",
    ],
)
def test_anything_else_is_left_to_the_lines(field: str) -> None:
    assert rows("LM0= 1", field) is None
    assert rows("LM0= 1", "LM0= 1") is not None


def test_a_label_has_as_many_values_as_in_an_earlier_block() -> None:
    labels = Labels()
    assert rows("TM0= 1 2", labels=labels) is not None
    assert rows("TM0= 1", labels=labels) is None
    assert rows("TM0= 3 4", labels=labels) == [{"TM0_0": 3.0, "TM0_1": 4.0}]
