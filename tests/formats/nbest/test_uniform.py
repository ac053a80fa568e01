"""The fast paths agree with the lines read one by one, or say that they cannot."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.errors import LineError
from campanula.formats.nbest import FORMATS, OurFormat
from campanula.formats.nbest.blocks import Block
from campanula.formats.nbest.reading import LineReader
from campanula.formats.nbest.rows import GatheredLists, pieces_of
from campanula.formats.nbest.sentence_ids import SentenceIds
from campanula.formats.records.names import Names
from tests.plain import plain

LINES = [
    "0 ||| the cat  ||| A= 1 LM0= -17.4 TM0= -0.2 1e-05 ||| -3.81",
    "1 ||| a = b |c| \x1c é ||| A= -1.5e3 LM0= .5 TM0= +3 1E5 ||| 4",
    "1 |||  ||| A= 0 LM0= 7 TM0= 1 1 ||| -0.0",
]
FORMS = {
    "moses": LINES,
    "cdec": [f"{i} ||| x ||| A={i} LM0=-17.{i} TM0=1e-05 ||| -3.8" for i in range(3)],
    "phrasal": [f"{i} ||| x ||| LM: {i}.5 a=b: -1.7E1 ||| -3 ||| 0-0 1-{i}" for i in range(3)],
    "travatar": [f"{i} ||| x y ||| -{i} ||| lm={i}.5 w=2" for i in range(3)],
    "marian": [f"{i} ||| x ||| F0= -{i} ||| -1" for i in range(3)],
}


def reader_of(form: str) -> LineReader:
    """A reader of one of our formats."""
    found = FORMATS[form]
    assert isinstance(found, OurFormat)
    return found.reader()


def one_by_one(text: bytes, form: str) -> list[dict[str, Any]]:
    reader, names, ids = reader_of(form), Names(), SentenceIds()
    lines = [line for _, line in Block("list", 1, text).lines()]
    rows = [row for line in lines for row in reader.read(line)]
    return [plain(kbest) for kbest in GatheredLists(list(pieces_of(rows, names, ids)), names, ids)]


def at_once(text: bytes, form: str) -> list[dict[str, Any]] | None:
    names, ids = Names(), SentenceIds()
    piece = reader_of(form).piece(Block("list", 1, text), names, ids)
    return None if piece is None else [plain(kbest) for kbest in GatheredLists([piece], names, ids)]


@pytest.mark.parametrize("form", FORMS)
def test_lines_laid_out_alike_are_read_at_once(form: str) -> None:
    text = "".join(f"{line}\n" for line in FORMS[form]).encode()
    assert at_once(text, form) is not None
    assert at_once(text, form) == one_by_one(text, form)


def test_features_without_labels_and_without_scores() -> None:
    for text in (b"0 ||| a ||| 1 2 ||| 3\n0 ||| b ||| 4 5 ||| 6\n", b"0 ||| a ||| A= 1\n"):
        assert at_once(text, "moses") == one_by_one(text, "moses")
        assert at_once(text, "moses") is not None


@pytest.mark.parametrize(
    "line",
    [
        "2 ||| x ||| A= 1 LM0= -17.4 -0.2 TM0= 1e-05 ||| -3.81",
        "2 ||| x ||| A= 1 LM0= -17.4 TM0= -0.2 ||| -3.81",
        "2 ||| x ||| A= 1 LM0= -17.4 TM0= -0.2 1 1 ||| -3.81",
        "2 ||| x ||| A= 1 LM0= nan TM0= -0.2 1 ||| -3.81",
        "2 ||| x ||| A= 1 LM0= 1e999 TM0= -0.2 1 ||| -3.81",
        "2 ||| x ||| A= 1 LM0= 1.2.3 TM0= -0.2 1 ||| -3.81",
        "2 ||| x ||| A= 1 LM0= 0,5 TM0= -0.2 1 ||| -3.81",
        "2 ||| x ||| A= 1 LM0= 1_0 TM0= -0.2 1 ||| -3.81",
        "2 ||| x ||| A= 1 LM0= 1 TM0= -0.2 1 ||| inf",
        "2 ||| x ||| A= 1 LM0= 1 TM0= -0.2 1 ||| 1_0",
        "2 ||| x ||| A= 1 LM0= 1 TM0= -0.2 1 ||| 1 2",
        "2 ||| x ||| A= 1 LM0= 1 TM0= -0.2 1",
        "2 ||| x ||| A= 1 LM0= 1 TM0= -0.2 1 ||| 1 ||| 0-0",
        "2 ||| x ||| A= 1 LM0= 1\x0bTM0= -0.2 1 ||| 1",
        "2 ||| x ||| A= 1 LM0= 1 TM0= -0.2\u00a01 ||| 1",
        "-2 ||| x ||| A= 1 LM0= 1 TM0= -0.2 1 ||| 1",
        "2.0 2 ||| x ||| A= 1 LM0= 1 TM0= -0.2 1 ||| 1",
        " ||| x ||| A= 1 LM0= 1 TM0= -0.2 1 ||| 1",
        "2 ||| ||| x ||| A= 1 LM0= 1 TM0= -0.2 1 ||| 1",
        "2 ||| x ||| y ||| A= 1 LM0= 1 TM0= -0.2 1 ||| 1",
        "",
        "what",
    ],
)
def test_a_line_that_is_wrong_or_odd_sends_the_block_the_other_way(line: str) -> None:
    text = "".join(f"{line}\n" for line in [*LINES, line, *LINES]).encode()
    assert at_once(text, "moses") is None


@pytest.mark.parametrize(
    "features",
    [
        "LM0= -17.4 A= 1 TM0= -0.2 1e-05",
        "A= 1 LM1= -17.4 TM0= -0.2 1",
        "A= 1 XLM0= -17.4 TM0= -0.2 1",
        "A= 1 TM0= -0.2 1 pp_a= 1 pp_b= 2",
        "pp_a= 7",
    ],
)
def test_a_line_with_other_labels_does_not(features: str) -> None:
    line = f"2 ||| x ||| {features} ||| -3.81"
    text = "".join(f"{line}\n" for line in [*LINES, line, *LINES, line]).encode()
    assert at_once(text, "moses") == one_by_one(text, "moses")
    assert at_once(text, "moses") is not None


def test_lines_that_make_up_for_each_other_are_seen() -> None:
    for first, second in [
        ("0 ||| x ||| y ||| A= 1 ||| 2", "0 ||| A= 1 ||| 2"),
        ("0 ||| x ||| A= 1 B= 2 A= 3 ||| 2", "0 ||| x ||| B= 4 ||| 2"),
        ("0 ||| x ||| A= 1 2 B= 3 ||| 2", "0 ||| x ||| A= 1 B= ||| 2"),
        ("0 ||| x ||| A= 1 ||| 2 3", "0 ||| x ||| A= 1 ||| "),
    ]:
        lines = ["0 ||| x ||| A= 1 B= 2 ||| 2", first, second]
        assert at_once("".join(f"{line}\n" for line in lines).encode(), "moses") is None


TOKENS = [
    "A=",
    "B=",
    "pp_a=",
    "pp_b=",
    "1",
    "-2.5",
    "1e-3",
    "A=1",
    "x",
    "|||",
    " ",
    "nan",
    "0-0",
    "1.2.3",
    "=",
    "\t",
]


@given(st.lists(st.lists(st.sampled_from(TOKENS), max_size=8), max_size=2), st.randoms())
def test_whatever_is_read_at_once_is_what_the_lines_say(
    extra: list[list[str]], rng: random.Random
) -> None:
    lines = ["0 ||| x ||| A= 1 B= 2 3 ||| 2"] * 2
    lines += [f"0 ||| x ||| {' '.join(tokens)} ||| 2" for tokens in extra]
    rest = lines[1:]
    rng.shuffle(rest)
    text = "".join(f"{line}\n" for line in [lines[0], *rest]).encode()
    found = at_once(text, "moses")
    if found is not None:
        assert found == one_by_one(text, "moses")


@given(st.data())
def test_spoiled_characters_never_change_the_meaning(data: st.DataObject) -> None:
    text = bytearray("".join(f"{line}\n" for line in LINES).encode())
    rng = random.Random(data.draw(st.integers()))
    for _ in range(rng.randint(1, 3)):
        text[rng.randrange(len(text))] = rng.choice(b" =|-+.e0159AB_\n\tn,x")
    text = bytearray(text.decode("utf-8", "replace").encode())
    try:
        expected = one_by_one(bytes(text), "moses")
    except LineError:
        expected = None
    found = at_once(bytes(text), "moses") if text.endswith(b"\n") else None
    if found is not None:
        assert found == expected
