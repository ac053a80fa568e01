from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from tests.listing import plain_lists

LINE = "{} ||| {} ||| LM0= {} ||| {}\n"


@pytest.mark.parametrize("size", [10, 40, 1 << 18])
def test_unsorted_interleaved_and_ragged_lists(tmp_path: Path, size: int) -> None:
    rows = [(7, "a"), (2, "b"), (7, "c"), (0, "d"), (2, "e"), (7, "f")]
    text = "".join(LINE.format(sid, word, i, -i) for i, (sid, word) in enumerate(rows))
    lists = plain_lists(tmp_path, text, size=size)
    assert [(kbest["sid"], kbest["text"]) for kbest in lists] == [
        (0, ["d"]),
        (2, ["b", "e"]),
        (7, ["a", "c", "f"]),
    ]
    assert lists[2]["score"] == [0.0, -2.0, -5.0]
    assert [row["LM0"] for row in lists[1]["features"]] == [1.0, 4.0]


@pytest.mark.parametrize("size", [10, 1 << 18])
def test_an_error_names_file_and_line(tmp_path: Path, size: int) -> None:
    text = LINE.format(0, "a", 1, 2) * 3 + "\n" + LINE.format(1, "b", "nan", 2)
    problem = r"list: line 5: feature 'LM0': expected a finite number, found 'nan'"
    with pytest.raises(DataError, match=problem):
        plain_lists(tmp_path, text, size=size)


@pytest.mark.parametrize("text", ["", "\n\n", "\ufeff"])
def test_nothing_is_an_error(tmp_path: Path, text: str) -> None:
    with pytest.raises(DataError, match="expected hypotheses, found none"):
        plain_lists(tmp_path, text)


def test_blocks_read_at_once_and_line_by_line_join(tmp_path: Path) -> None:
    dense = "".join(LINE.format(i % 3, "a", i, -i) for i in range(30))
    odd = "1 ||| odd ||| LM0= 1 pp_x= 1 ||| 0\n"
    joined = plain_lists(tmp_path, dense + odd + dense, size=200)
    assert [len(kbest["text"]) for kbest in joined] == [20, 21, 20]
    assert joined == plain_lists(tmp_path, dense + odd + dense)
    assert joined[1]["features"][10] == {"LM0": 1.0, "pp_x": 1.0}
