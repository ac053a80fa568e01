from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.weight_files import lines as weight_lines
from campanula.formats.weight_files.lines import WeightLines, WeightTable


@pytest.fixture
def lines(tmp_path: Path) -> WeightLines:
    (tmp_path / "w").write_text("# comment\n\n a\t1 \n#b 2\nc 3\n")
    return WeightLines(str(tmp_path / "w"))


def test_blank_lines_and_comments_are_left_out(lines: WeightLines) -> None:
    assert list(lines) == ["a 1", "c 3"]
    assert list(lines.without("# ")) == ["a 1", "#b 2", "c 3"]
    assert lines.text().count("\n") == 4


def test_errors_name_the_line(lines: WeightLines) -> None:
    for line in lines:
        if line == "c 3":
            with pytest.raises(DataError, match="w: line 5: feature 'c': expected a number, fou"):
                lines.value("x", "c")


def test_another_file_beside_it(lines: WeightLines, tmp_path: Path) -> None:
    (tmp_path / "other").write_text("d 4\n")
    assert list(lines.beside("other")) == ["d 4"]
    assert list(lines.beside(str(tmp_path / "other"))) == ["d 4"]
    with pytest.raises(DataError, match="none: cannot be read"):
        lines.beside("none")


def test_a_name_stands_once(lines: WeightLines) -> None:
    table = WeightTable()
    table.add_pairs(lines)
    assert table.weights == {"a": 1.0, "c": 3.0}
    with pytest.raises(DataError, match="feature 'a' stands here for the second time"):
        table.add(lines, "a", "1")
    with pytest.raises(DataError, match="expected a feature's name"):
        table.add(lines, "", "1")


def test_more_text_than_weights_can_be_is_refused_before_it_is_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weight_lines, "LARGEST", 1000)
    (tmp_path / "w").write_text("\n" * 100)
    with pytest.raises(DataError, match=r"w: expected weights, at most .* of text, found more"):
        WeightLines(str(tmp_path / "w"))
