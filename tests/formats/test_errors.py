from __future__ import annotations

from campanula.formats.errors import DataError


def test_an_error_is_one_line_of_its_parts() -> None:
    assert str(DataError("dev.kbest", "sentence 3", "expected\n a gain")) == (
        "dev.kbest: sentence 3: expected a gain"
    )


def test_a_part_that_is_not_there_is_left_out() -> None:
    assert str(DataError("dev.kbest", None, "cannot be read")) == "dev.kbest: cannot be read"
