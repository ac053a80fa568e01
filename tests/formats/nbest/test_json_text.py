"""Records of JSON, however they are wrapped, read through a window that grows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.lines import LONGEST_LINE
from campanula.formats.nbest import json_text
from campanula.formats.nbest.blocks import Block, read_blocks
from campanula.formats.nbest.json_text import entries

RECORDS = [{"a": [1, 2.5e-3, -7]}, {"b": 'x\n"\u2581é\U0001f600 \\'}, {}, {"c": {"d": None}}, 12]


def values(folder: Path, text: str, size: int = 1 << 18, within: str | None = None) -> list[object]:
    (folder / "f").write_text(text)
    blocks = read_blocks(str(folder / "f"), size)
    return [entry.value for entry in entries(blocks, "f", within)]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 1000])
@pytest.mark.parametrize("indent", [None, 2])
def test_every_wrapping_has_the_same_records(tmp_path: Path, size: int, indent: int | None) -> None:
    ascii_too = [json.dumps(RECORDS, indent=indent, ensure_ascii=False)]
    ascii_too.append("\n".join(json.dumps(record, indent=indent) for record in RECORDS))
    ascii_too.append(" ,\n".join(json.dumps(record, indent=indent) for record in RECORDS))
    for text in ascii_too:
        assert values(tmp_path, text, size) == RECORDS
        assert values(tmp_path, f"\ufeff\n {text}\n\n", size) == RECORDS


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_records_are_members_of_an_object(tmp_path: Path, size: int) -> None:
    text = json.dumps(
        {"info": [1, {"utts": 3}], "utts": {"x": RECORDS[0], "y": RECORDS[1]}, "z": 1}
    )
    assert values(tmp_path, text, size, "utts") == RECORDS[:2]
    (tmp_path / "f").write_text('{\n"x": 1,\n"y": 2}')
    found = entries(read_blocks(str(tmp_path / "f")), "f", "")
    assert list(found) == [(1, "'x' (line 2)", "x"), (2, "'y' (line 3)", "y")]


def test_places_are_lines_and_records(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("[{},\n\n{}]")
    found = entries(read_blocks(str(tmp_path / "f")), "f")
    assert [entry.place for entry in found] == ["record 0 (line 1)", "record 1 (line 3)"]
    (tmp_path / "f").write_text('{"a":\n1}\n{}')
    found = entries(read_blocks(str(tmp_path / "f")), "f")
    assert [entry.place for entry in found] == ["line 1", "line 3"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[{"a": 1}, {"a": 2}', "expected ',' or ']', found the end of the file"),
        ('{"a": 1}\n{"a": tru}\n{}', "line 2: expected JSON (Expecting value), found 'tru}"),
        ('{"a": "b\n', "line 1: expected JSON (Invalid control character at), found"),
        ("[{}] []", "line 1: expected the end of the file, found '[]"),
        ('{"a": 1, "a": 2}', "line 1: key 'a' stands here for the second time"),
        ("[" * 100_000, "line 1: expected JSON with fewer values inside each other"),
        ('{"a": 1}\nhello', "line 2: expected JSON (Expecting value), found 'hello"),
    ],
)
@pytest.mark.parametrize("size", [3, 1 << 18])
def test_what_is_no_json_is_named(tmp_path: Path, text: str, problem: str, size: int) -> None:
    with pytest.raises(DataError) as error:
        values(tmp_path, text, size)
    assert problem in str(error.value)


def test_an_error_does_not_wait_for_the_end_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("[{]" + " " * 1_000_000)
    taken: list[Block] = []

    def blocks() -> Iterator[Block]:
        for block in read_blocks(str(tmp_path / "f"), 1000):
            taken.append(block)
            yield block

    with pytest.raises(DataError, match="expected JSON"):
        list(entries(blocks(), "f"))
    assert len(taken) < 10


def test_a_line_may_be_long_and_a_record_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = json.dumps([{"text": "a" * 500}] * 200)
    monkeypatch.setattr("campanula.formats.nbest.blocks.LONGEST_LINE", 1000)
    monkeypatch.setattr(json_text, "LONGEST_LINE", 2000)
    assert len(many) > 100_000
    assert len(values(tmp_path, many, 100)) == 200
    with pytest.raises(DataError, match=r"line 1: expected a record of at most .*, found a longer"):
        values(tmp_path, json.dumps([{"text": "a" * 9000}]), 100)
    assert LONGEST_LINE == 1 << 25
