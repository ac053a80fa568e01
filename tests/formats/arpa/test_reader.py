"""ARPA files: what they say is read; what is wrong is said with its line."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.arpa.reader import read_arpa
from campanula.formats.errors import DataError
from campanula.formats.lines import LONGEST_LINE

GOOD = """a comment before the data

\\data\\
ngram 1=4
ngram 2=2

\\1-grams:
-1.5\t<s>\t-0.25
-0.5 </s>
-2 \u00e4\u00a0b -0.5
-99\t<unk>\t0

\\2-grams:
-0.25\t<s> \u00e4\u00a0b
-0.125\t\u00e4\u00a0b </s>

\\end\\
"""


@pytest.mark.parametrize("packed", [False, True])
def test_reads_words_probabilities_and_weights(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / "lm"
    path.write_bytes(gzip.compress(GOOD.encode()) if packed else GOOD.encode())
    arpa = read_arpa(str(path))
    assert [word.decode() for word in arpa.vocabulary] == ["<s>", "</s>", "\u00e4\u00a0b", "<unk>"]
    assert [words.tolist() for words in arpa.words] == [[[0], [1], [2], [3]], [[0, 2], [2, 1]]]
    np.testing.assert_array_equal(arpa.prob[0], np.array([-1.5, -0.5, -2, -99], np.float32))
    np.testing.assert_array_equal(arpa.backoff[0], np.array([-0.25, 0, -0.5, 0], np.float32))
    np.testing.assert_array_equal(arpa.prob[1], np.array([-0.25, -0.125], np.float32))
    assert arpa.order == 2


def test_a_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "lm"
    path.write_text(GOOD.partition("\n\n")[2], encoding="utf-8-sig")
    assert len(read_arpa(str(path)).vocabulary) == 4


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\\data\\", "data", "expected '\\data\\', found the end of the file"),
        ("ngram 1=4", "ngram 2=4", "line 4: expected 'ngram 1=COUNT'"),
        ("ngram 1=4\nngram 2=2", "", "expected unigrams, found none"),
        ("ngram 2=2", "ngram 2=3", "line 16: expected a log probability and 2 words, found ''"),
        ("ngram 2=2", "ngram 2=1", "expected '\\end\\', found"),
        ("-1.5\t<s>", "nan\t<s>", "line 8: expected a log10 probability, found 'nan'"),
        ("-1.5\t<s>", "-1_5\t<s>", "line 8: expected a log10 probability, found '-1_5'"),
        ("-1.5\t<s>", "-inf\t<s>", "line 8: expected a log10 probability, found '-inf'"),
        ("-1.5\t<s>", "-1e39\t<s>", "line 8: expected a log10 probability, found '-1e39'"),
        ("-0.25\n-0.5", "-1e38\n-0.5", "line 8: expected a back-off weight, found '-1e38'"),
        ("-1.5\t<s>", "0.5\t<s>", "line 8: expected a log10 probability, found '0.5'"),
        ("-0.25\n-0.5", "x\n-0.5", "line 8: expected a back-off weight, found 'x'"),
        ("-99\t<unk>", "-99\t<s>", "line 11: expected a new word"),
        (
            "-0.125\t\u00e4",
            "-0.125\t\u00f6",
            "line 15: expected words that are unigrams, found '\u00f6",
        ),
        ("\\2-grams:", "\\3-grams:", "line 13: expected '\\2-grams:'"),
        ("\\end\\", "", "expected '\\end\\', found the end of the file"),
    ],
)
def test_says_what_is_wrong(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    path = tmp_path / "lm"
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_arpa(str(path))
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(path))


def test_a_cut_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "lm"
    lines = GOOD.splitlines(keepends=True)
    for cut in range(len(lines)):
        path.write_text("".join(lines[:cut]), encoding="utf-8")
        with pytest.raises(DataError):
            read_arpa(str(path))
    path.write_bytes(gzip.compress(GOOD.encode())[:-9])
    with pytest.raises(DataError):
        read_arpa(str(path))


@pytest.mark.parametrize(
    "data", [b"mmap lm http://kheafield.com/code\n\0\0", b"blmt\0\x01\n\\data\\"]
)
def test_a_binary_file_is_named(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "lm"
    path.write_bytes(data)
    with pytest.raises(
        DataError, match="lm: expected a language model as ARPA text, found a binary"
    ):
        read_arpa(str(path))


def test_a_line_without_an_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "lm.gz"
    path.write_bytes(gzip.compress(GOOD.encode() + b" " * (LONGEST_LINE + 1), 1))
    assert read_arpa(str(path)).order == 2
    path.write_bytes(gzip.compress(b" " * (LONGEST_LINE + 1), 1))
    with pytest.raises(DataError, match="line 1: expected a line of at most 32 MiB"):
        read_arpa(str(path))


UNEVEN = ["-1\tb", "-1 b -0.5 ", "-1\t\tb\t-0.5", "-1\tb\t-0.5\r", " -1 b"]


@pytest.mark.parametrize("other", UNEVEN)
def test_a_batch_with_an_uneven_line_is_read_line_by_line(tmp_path: Path, other: str) -> None:
    """Lines without a back-off weight, with two blanks, or carriage returns beside plain ones."""
    lines = ["\\data\\", "ngram 1=3", "", "\\1-grams:", "-1\ta\t-0.25", other, "-2\tc\t0"]
    path = tmp_path / "lm"
    path.write_text("\n".join([*lines, "", "\\end\\", ""]))
    model = read_arpa(str(path))
    assert model.vocabulary == [b"a", b"b", b"c"]
    assert model.prob[0].tolist() == [-1, -1, -2]
    assert model.backoff[0].tolist() == [0, 0, 0]  # of the highest order there are none
