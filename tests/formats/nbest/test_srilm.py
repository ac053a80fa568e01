"""N-best files of SRILM: 1.0, 2.0 and columns, plain or compressed, one or several."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.nbest import FORMATS
from campanula.formats.nbest.blocks import Block, read_blocks
from campanula.formats.nbest.srilm import is_srilm, sentence_of
from tests.listing import plain_lists
from tests.plain import plain

COLUMNS = "-310.5 -12.25 2 <s> hello word </s>\n-311 -10.5 2 hello -pau- world\n-9 -1 0\n"
ONE = "NBestList1.0\n(-3105) hello word\n(-3110.5) hello world\n"
TWO = """NBestList2.0
(-1530) hello ( st: 0.1 et: 0.4 g: -12 a: -140 ) h ( st: 0.1 et: 0.2 g: 0 a: -70 ) \
ow ( st: 0.2 et: 0.4 g: 0 a: -70 ) word ( st: 0.4 et: 0.9 g: -8.5 a: -90 )
(-99)
"""


def test_columns(tmp_path: Path) -> None:
    (found,) = plain_lists(tmp_path, COLUMNS, "srilm")
    assert (found["id"], found["score"]) == ("list", None)
    assert found["text"] == ["hello word", "hello world", ""]
    assert found["features"][1] == {"AM": -311.0, "LM": -10.5, "Words": 2.0}


def test_composite_scores(tmp_path: Path) -> None:
    (found,) = plain_lists(tmp_path, ONE, "srilm")
    assert (found["text"], found["score"]) == (["hello word", "hello world"], [-3105.0, -3110.5])
    assert found["features"] == [{"F0": -3105.0}, {"F0": -3110.5}]


def test_only_blanks_and_tabs_are_between_words(tmp_path: Path) -> None:
    (found,) = plain_lists(tmp_path, "NBestList1.0\n(-1) a\u00a0b\u3000c\td\n", "srilm")
    assert found["text"] == ["a\u00a0b\u3000c d"]


def test_scores_of_words_are_added_and_phones_skipped(tmp_path: Path) -> None:
    (found,) = plain_lists(tmp_path, TWO, "srilm")
    assert (found["text"], found["score"]) == (["hello word", ""], [-1530.0, -99.0])
    assert found["features"] == [{"AM": -230.0, "LM": -20.5}, {"AM": 0.0, "LM": 0.0}]


def test_lists_one_after_another_in_a_file(tmp_path: Path) -> None:
    first, second = plain_lists(tmp_path, ONE + ONE, "srilm")
    assert (first["sid"], second["sid"]) == (0, 1)
    assert first["text"] == second["text"]


def test_files_are_sentences_called_after_them(tmp_path: Path) -> None:
    blocks: list[Block] = []
    for name in ("spk_b.1.gz", "spk_a.2.score.gz"):
        (tmp_path / name).write_bytes(gzip.compress(COLUMNS.encode()))
        blocks += read_blocks(str(tmp_path / name))
    found = [plain(kbest) for kbest in FORMATS["srilm"].read(blocks, "x")]
    assert [kbest["id"] for kbest in found] == ["spk_b.1", "spk_a.2"]
    names = {"a/b/utt1.nbest": "utt1", "stdin": None, "u.nbest100.gz": "u", "u.1-2": "u.1-2"}
    assert {name: sentence_of(name) for name in names} == names


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("-3 -1\n", "line 1: expected acoustic score, language model score, number of words, wo"),
        ("-3 nan 1 a\n", "line 1: feature 'LM': expected a finite number, found 'nan'"),
        ("NBestList1.0\n-3 a\n", "line 2: expected a score in brackets, `(-310) words`, found '-3"),
        ("NBestList1.0\n(x) a\n", "line 2: score: expected a number, found 'x'"),
        ("NBestList2.0\n(-1) a ( st: 1 et:\n", "line 2: expected `word ( st: .. et: .. g: .. a: "),
        ("NBestList2.0\n(1) a ( st: 1 et: 2 g: x a: 1 )\n", "line 2: 'a': g: expected a number"),
        ("NBestList1.0\n", "expected hypotheses, found none"),
        ("NBestList1.0\n" * 2 + "(-1) a\n", "line 2: expected hypotheses, found none"),
        ("NBestList1.0\n(-1) a\n" + "NBestList1.0\n" * 2, "line 4: expected hypotheses, found no"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(DataError) as error:
        plain_lists(tmp_path, text, "srilm")
    assert problem in str(error.value)


def test_what_looks_like_such_a_list() -> None:
    assert is_srilm(COLUMNS.splitlines())
    assert is_srilm(["NBestList2.0"])
    assert not is_srilm(["-3 -1 2 a", "-3 -1 x a"])
    assert not is_srilm(["-3 -1 1.5 a"])
