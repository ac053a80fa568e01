from __future__ import annotations

import itertools

import pytest

from campanula.formats.arrays.types import Floats
from campanula.formats.nbest.fields import FieldLines, Layout, cut
from campanula.formats.nbest.sentence_ids import SentenceIds

LAYOUT = Layout(5, 2, 3, (4,), "=", [("LM0", 1)])
LINES = b"7 ||| the cat  ||| LM0= 1 ||| -3 ||| 0-0 1-1 \n2 |||  ||| LM0= 2 ||| .5 ||| \n"


def texts(lines: FieldLines | Floats) -> list[bytes]:
    """The texts of some lines."""
    assert isinstance(lines, FieldLines)
    bounds = lines.start.tolist()
    return [lines.byte[a : b - 1].tobytes() for a, b in itertools.pairwise(bounds)]


def test_fields_of_all_lines() -> None:
    found = cut(LINES, LAYOUT, SentenceIds())
    assert found is not None
    assert found.score is not None
    assert found.sid.tolist() == [7, 2]
    assert list(found.text) == ["the cat", ""]
    assert found.score.tolist() == [-3.0, 0.5]
    assert texts(found.features) == [b"LM0= 1", b"LM0= 2"]
    assert list(found.others[4]) == ["0-0 1-1", ""]


@pytest.mark.parametrize(
    "line",
    [
        b"0 ||| a ||| LM0= 1 ||| -3",
        b"0 ||| a ||| LM0= 1 ||| -3 ||| 0-0 ||| 1",
        b" x ||| a ||| LM0= 1 ||| -3 ||| 0-0",
        b"x y ||| a ||| LM0= 1 ||| -3 ||| 0-0",
        b"0 ||| a ||| LM0= 1 ||| x ||| 0-0",
        b"0 ||| a ||| LM0= 1 ||| nan ||| 0-0",
        b"0 ||| a ||| LM0= 1 ||| 1_0 ||| 0-0",
        b"0 ||| ||| LM0= 1 ||| 1 ||| 0-0",
        b"",
    ],
)
def test_a_line_that_is_not_laid_out_so(line: bytes) -> None:
    assert cut(LINES + line + b"\n", LAYOUT, SentenceIds()) is None


def test_lines_without_scores_and_alignments() -> None:
    found = cut(b"0 ||| a ||| LM0= 1\n", Layout(3, 2, None, (), "=", [("LM0", 1)]), SentenceIds())
    assert found is not None
    assert (found.score, found.others) == (None, {})
    assert texts(found.features) == [b"LM0= 1"]


@pytest.mark.parametrize("written", ["utt-1", "007", "ß", "123456789"])
def test_ids_of_any_form(written: str) -> None:
    ids = SentenceIds()
    found = cut(LINES + f"{written} ||| a ||| LM0= 1 ||| -3 ||| 0-0\n".encode(), LAYOUT, ids)
    assert found is not None
    expected = 123456789 if written == "123456789" else -1
    assert found.sid.tolist() == [7, 2, expected]
