from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.errors import LineError
from campanula.formats.nbest.rows import GatheredLists, Row, pieces_of
from campanula.formats.nbest.sentence_ids import SentenceId, SentenceIds, sentence_id_of
from campanula.formats.records.names import Names
from tests.plain import plain

TOKENS = st.lists(
    st.sampled_from(["0", "1", "12", "007", "7", "12345678901234567890", "spk1-utt1", "ö"]),
    min_size=1,
    max_size=9,
)


def lists_of(
    sentences: Iterable[SentenceId], size: int = 4
) -> list[tuple[int, str | None, list[int]]]:
    """Id or number of each list, and the texts in it: the places of its hypotheses."""
    names, ids = Names(), SentenceIds()
    rows = [Row(sentence, str(place), {"f": 1.0}) for place, sentence in enumerate(sentences)]
    cuts = range(0, len(rows), size)
    pieces = [piece for at in cuts for piece in pieces_of(rows[at : at + size], names, ids)]
    return [(k.sid, k.id, list(map(int, k.text))) for k in GatheredLists(pieces, names, ids)]


def slow(tokens: list[str]) -> list[tuple[int, str | None, list[int]]]:
    numbers = all(token.isdigit() and len(token) <= 18 for token in tokens)
    numbers = numbers and len(set(map(int, tokens))) == len(set(tokens))
    order = list(dict.fromkeys(tokens))
    if numbers:
        order.sort(key=int)
    places = [[place for place, token in enumerate(tokens) if token == found] for found in order]
    sids = [int(token) if numbers else place for place, token in enumerate(order)]
    names = [None if numbers and token == str(int(token)) else token for token in order]
    return list(zip(sids, names, places, strict=True))


@given(TOKENS, st.integers(1, 4))
def test_numbers_stay_and_other_ids_are_numbered_as_they_appear(
    tokens: list[str], size: int
) -> None:
    assert lists_of(map(sentence_id_of, tokens), size) == slow(tokens)


@given(TOKENS, TOKENS)
def test_tokens_of_a_block_have_the_keys_of_single_ones(
    first: list[str], second: list[str]
) -> None:
    one, other = SentenceIds(), SentenceIds()
    for tokens in (first, second):
        expected = [one.key(sentence_id_of(token)) for token in tokens]
        keys = other.keys(token.encode() for token in tokens)
        assert keys.tolist() == expected
    assert one.settled(keys).tolist() == other.settled(np.array(keys)).tolist()


def test_ids_beside_numbers_are_kept() -> None:
    assert lists_of([(5, "b"), (2, "a"), (5, "b"), 3]) == [
        (2, "a", [1]),
        (3, None, [3]),
        (5, "b", [0, 2]),
    ]


@pytest.mark.parametrize(
    ("sentences", "problem"),
    [
        ([(0, "a"), (0, "b")], "sentence 0: expected one id, found 'a' and 'b'"),
        ([(0, "a"), (1, "a")], "expected ids of their own, found 'a' of sentences 0 and 1"),
        ([(0, "a"), "b"], "expected a number beside every id, as others have; found 'b' alone"),
    ],
)
def test_ids_that_contradict_each_other(sentences: list[SentenceId], problem: str) -> None:
    with pytest.raises(LineError, match=problem):
        lists_of(sentences)


@pytest.mark.parametrize("tokens", [["0", "00", "0"], ["00", "0", "00"], ["01", "001", "01"]])
def test_two_spellings_of_a_number_are_two_sentences(tokens: list[str]) -> None:
    first, second, _ = tokens
    assert lists_of(map(sentence_id_of, tokens), 1) == [(0, first, [0, 2]), (1, second, [1])]


@pytest.mark.parametrize("token", ["", "a\nb", "-1"])
def test_what_is_no_id(token: str) -> None:
    with pytest.raises(LineError, match="expected the number or the id of a sentence"):
        sentence_id_of(token)


@pytest.mark.parametrize(
    ("form", "lines"),
    [
        ("tsv", ["id\ttext\tAM", "u-2\thello\t-1", "u-1\tgood\t-2", "u-2\thallo\t-3"]),
        (
            "moses",
            ["u-2 ||| hello ||| AM= -1", "u-1 ||| good ||| AM= -2", "u-2 ||| hallo ||| AM= -3"],
        ),
        (
            "jsonl",
            [
                '{"id": "u-2", "text": "hello", "features": {"AM": -1}}',
                '{"id": "u-1", "hyps": [{"text": "good", "features": {"AM": -2}}]}',
                '{"id": "u-2", "text": "hallo", "features": {"AM": -3}}',
            ],
        ),
    ],
)
def test_every_format_has_ids_of_any_form(form: str, lines: list[str]) -> None:
    from campanula.formats.nbest import FORMATS
    from campanula.formats.nbest.blocks import Block

    block = Block("list", 1, "".join(f"{line}\n" for line in lines).encode())
    first, second = map(plain, FORMATS[form].read([block], "list"))
    assert (first["sid"], first["id"], first["text"]) == (0, "u-2", ["hello", "hallo"])
    assert (second["sid"], second["id"], second["text"]) == (1, "u-1", ["good"])
