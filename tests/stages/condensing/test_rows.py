"""Rows of a phrase table, and their words."""

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.stages.condensing import rows as rows_module
from campanula.stages.condensing.rows import SOURCE, TARGET, read_rows


def test_words_of_rows_as_arrays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows_module, "ROWS", 2)
    lines = ["der  Hund\t||| the dog ||| 1 ||| x", "Haus |||  ||| 1", "ß\u00a0 b ||| c ||| 1"]
    (tmp_path / "table").write_text("\n".join(lines))
    first, second = read_rows(str(tmp_path / "table"), 1)
    assert (first.line, len(first.fields), second.line, len(second.fields)) == (1, 2, 3, 1)
    source, target = first.phrases(SOURCE), first.phrases(TARGET)
    assert source.text.tobytes() == b"derHundHaus"
    assert source.word.tolist() == [0, 3, 7, 11]
    assert source.start.tolist() == [0, 2, 3]
    assert target.start.tolist() == [0, 2, 2]
    assert second.phrases(SOURCE).text.tobytes().decode() == "ß\u00a0b"
    assert first.pair(0) == "der Hund ||| the dog"


def test_a_row_with_other_scores_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "table").write_text("a ||| b ||| 1\na ||| c ||| 1 1\n")
    with pytest.raises(DataError, match="line 2: expected 1 scores, found 2"):
        list(read_rows(str(tmp_path / "table"), 1))
