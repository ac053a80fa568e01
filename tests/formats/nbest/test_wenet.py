"""N-best lists of WeNet's decoder_main, and what they are told by."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.nbest.detecting import detect
from tests.listing import plain_lists

TEXT = """wav spk1-utt1
candidate -3.12341 hello word
candidate -3.5 hello world
wav BAC009S0764W0121
candidate -1e-05 甚至出现交易几乎停滞的情况
"""


def test_utterances_with_their_hypotheses(tmp_path: Path) -> None:
    first, second = plain_lists(tmp_path, TEXT, "wenet")
    assert (first["id"], first["text"]) == ("spk1-utt1", ["hello word", "hello world"])
    assert first["score"] == [-3.12341, -3.5]
    assert first["features"] == [{"F0": -3.12341}, {"F0": -3.5}]
    assert (second["id"], second["text"]) == (
        "BAC009S0764W0121",
        ["甚至出现交易几乎停滞的情况"],
    )
    assert second["score"] == [-1e-05]


def test_what_was_written_is_read_whatever_the_size_of_blocks(tmp_path: Path) -> None:
    rng = random.Random(3)
    lists = {
        f"u{i}": [(rng.gauss(0, 9), " ".join(rng.choices(["a", "wav", "candidate", "-1"], k=n)))]
        * rng.randint(1, 4)
        for i, n in enumerate(rng.choices(range(1, 5), k=30))
    }
    text = "".join(
        f"wav {name}\n" + "".join(f"candidate {score!r} {words}\n" for score, words in rows)
        for name, rows in lists.items()
    )
    for size in (7, 64, 1 << 18):
        found = plain_lists(tmp_path, text, "wenet", size)
        pairs = {each["id"]: list(zip(each["score"], each["text"], strict=True)) for each in found}
        assert pairs == lists
        assert [each["id"] for each in found] == [*lists]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("candidate -1 a\n", "line 1: expected `wav ` and an utterance, found 'candidate -1 a'"),
        ("wav u1\nu1 hello\n", "line 2: expected `candidate `, a score and a text, found 'u1 hel"),
        ("wav u1\ncandidate hello\n", "line 2: score: expected a number, found 'hello'"),
        ("wav u1\ncandidate -inf a\n", "line 2: score: expected a finite number, found '-inf'"),
        ("wav u1\nwav u2\ncandidate -1 a\n", "line 1: wav u1: expected hypotheses, found none"),
        ("wav u1\ncandidate -1 a\nwav u1\ncandidate -1 a\n", "line 3: wav u1: expected another id"),
        ("wav \ncandidate -1 a\n", "line 1: wav: expected the number or the id of a sentence"),
        ("wav u1\ncandidate -1 a\n\nwav u2", "line 4: wav u2: expected hypotheses, found none"),
        ("", "expected hypotheses, found none"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(DataError) as error:
        plain_lists(tmp_path, text, "wenet")
    assert problem in str(error.value)


def test_it_is_told_from_texts_with_such_words() -> None:
    assert detect(TEXT.splitlines()) == "wenet"
    assert detect(["wav silence", "", "wav u1", "candidate -1 a"]) == "wenet"
    assert detect(["wav u1", "wav u2"]) is None
    assert detect(["candidate -1 a", "wav u1"]) is None
    assert detect(["wav u1", "candidate -1 a", "u2 b"]) is None
