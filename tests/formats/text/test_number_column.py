"""Columns of numbers: finite, one a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.text.number_column import read_numbers
from campanula.formats.text.numbers import finite_number


def test_numbers_are_read_exactly(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("0.1\n-3\n 1e-300\t\r\n5")
    assert read_numbers(str(tmp_path / "a")).tolist() == [0.1, -3.0, 1e-300, 5.0]
    (tmp_path / "a").write_text("")
    assert read_numbers(str(tmp_path / "a")).shape == (0,)


@pytest.mark.parametrize("text", ["", "x", "nan", "inf", "-inf", "1_0", "1 2", "0,5", "1e999"])
def test_what_is_no_finite_number_is_named_by_its_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValueError, match="expected a finite number, found"):
        finite_number(text)
    (tmp_path / "a").write_text(f"1\n{text}\n")
    with pytest.raises(DataError, match=r"a: line 2: expected a finite number, found"):
        read_numbers(str(tmp_path / "a"))
