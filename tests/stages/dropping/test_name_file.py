"""Names that are written are read back; what is no name is an error with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.files import Output
from campanula.stages.dropping.name_file import digest_of, read_names, write_names

NAMES = ["LM0", "pair_Haus~~house", "\u00e4"]


def test_names_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "names"
    with Output(str(path)) as out:
        write_names(NAMES, out)
    assert read_names(str(path)) == frozenset(NAMES)


def test_their_order_does_not_change_the_digest() -> None:
    assert digest_of(NAMES) == digest_of(reversed(NAMES)) != digest_of(NAMES[1:])


def test_a_line_of_two_words_and_a_file_without_names(tmp_path: Path) -> None:
    path = tmp_path / "names"
    path.write_text("LM0\nLM0 0.5\n")
    with pytest.raises(DataError, match="names: line 2: expected one feature name, found"):
        read_names(str(path))
    path.write_text("\n")
    with pytest.raises(DataError, match="names: expected names of features, found none"):
        read_names(str(path))


@pytest.mark.parametrize("name", ["a b", "", "a\n", "a\r"])
def test_a_name_that_no_line_can_hold(tmp_path: Path, name: str) -> None:
    path = tmp_path / "names"
    with (
        pytest.raises(DataError, match="expected a name without blanks, found"),
        Output(str(path)) as out,
    ):
        write_names([name], out)
    assert not path.exists()
