"""Phrase tables: rows are read in order; what is wrong is said with its line."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.moses.phrase_table import (
    NO_COUNTS,
    WordSequences,
    pair_counts,
    pair_key,
    read_phrase_table,
)

GOOD = (
    "das haus ||| the house ||| 0.5 1 0 1e-50 ||| 0-0 1-1 ||| 1 2 1 ||| |||\n"
    "das ||| the ||| 1 1 1 1\n"
    "das\u00a0x ||| \U0001f98b ||| 1 1 1 1\r\n"
    "haus |||  ||| 1 1 1 1 |||\n"
    "das  haus\t||| building ||| .25 1 1 1 ||| a|||b\n"
)


def phrases_of(words: list[bytes], phrases: WordSequences) -> list[str]:
    return [
        b" ".join(words[w] for w in phrases.word[a:b]).decode()
        for a, b in zip(phrases.offset[:-1], phrases.offset[1:], strict=True)
    ]


@pytest.mark.parametrize("packed", [False, True])
def test_reads_phrases_and_scores(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / "table"
    path.write_bytes(gzip.compress(GOOD.encode()) if packed else GOOD.encode())
    table = read_phrase_table(str(path))
    source = phrases_of(table.source_words, table.source)
    assert source == ["das haus", "das", "das\u00a0x", "haus"]
    assert table.row_source.tolist() == [0, 1, 2, 3, 0]
    target = phrases_of(table.target_words, table.target)
    assert target == ["the house", "the", "\U0001f98b", "", "building"]
    np.testing.assert_allclose(table.score[0], [np.log(0.5), 0, -100, -100])
    np.testing.assert_allclose(table.score[4], [np.log(0.25), 0, 0, 0])
    assert tuple(table.key[4].tolist()) == pair_key(b"das haus", [b"building"])
    assert table.count.tolist() == [[1, 2, 1]] + [[-1, -1, -1]] * 4


def test_a_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_text(GOOD, encoding="utf-8-sig")
    assert read_phrase_table(str(path)).source_words[0] == b"das"


def test_text_is_utf8(tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_bytes(GOOD.encode() + b"das ||| caf\xe9 ||| 1 1 1 1\n")
    with pytest.raises(DataError, match="line 6: expected UTF-8, found byte 0xe9 at column 12"):
        read_phrase_table(str(path))


@pytest.mark.parametrize(
    "field", ["", "1 1", "1 1 x", "1 1 -1", "1 1 0.5", "1 1 3000000000", "1 1 1_0"]
)
def test_what_is_no_count_is_none(tmp_path: Path, field: str) -> None:
    path = tmp_path / "table"
    path.write_text(f"a ||| b ||| 1 ||| 0-0 ||| {field} ||| |||\n", encoding="utf-8")
    assert read_phrase_table(str(path)).count.shape == (0, 3)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a ||| b", "line 6: expected 3 fields with ||| between, found 2"),
        ("", "line 6: expected 3 fields with ||| between, found 1"),
        (" ||| b ||| 1 1 1 1", "line 6: expected a source phrase, found none"),
        ("a ||| b ||| 1 1 1", "line 6: expected 4 scores, found 3"),
        ("a ||| b ||| 1 1 1 x", "line 6: expected numbers of at least 0, found '1 1 1 x'"),
        ("a ||| b ||| 1 1 1 -1", "line 6: expected numbers of at least 0"),
        ("a ||| b ||| 1 nan 1 1", "line 6: expected numbers of at least 0"),
        ("a ||| b ||| 1 inf 1 1", "line 6: expected numbers of at least 0"),
        ("a ||| b ||| 1 0_7 1 1", "line 6: expected numbers of at least 0"),
        ("a ||| b ||| 1 infinity 1 1", "line 6: expected numbers of at least 0"),
        ("a ||| b ||| 1 １ 1 1", "line 6: expected numbers of at least 0"),
        ("a ||| b ||| 1 1e309 1 1", "line 6: expected numbers of at least 0"),
    ],
)
def test_says_what_is_wrong(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "table"
    path.write_text(GOOD + line + "\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_phrase_table(str(path))
    assert message in str(caught.value)


def test_an_empty_table_and_a_damaged_one_are_errors(tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_bytes(b"")
    with pytest.raises(DataError, match="expected phrase pairs, found none"):
        read_phrase_table(str(path))
    path.write_bytes(gzip.compress(GOOD.encode())[:-9])
    with pytest.raises(DataError, match="cannot be read"):
        read_phrase_table(str(path))
    with pytest.raises(DataError, match="cannot be read"):
        read_phrase_table(str(tmp_path))


def test_counts_of_thousands_of_digits_are_none() -> None:
    assert pair_counts([b"", b"", b"", b"", b"9" * 5000 + b" 1 1"]) == NO_COUNTS
