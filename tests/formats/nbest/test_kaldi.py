"""Text archives of Kaldi: words, and costs beside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from campanula.formats.errors import DataError
from campanula.formats.nbest.kaldi import is_kaldi, parted
from tests.listing import plain_lists, with_settings

WORDS = "spk-1-utt1-1 hello word\nspk-1-utt1-2  hello\tworld \nspk-1-utt2-1\n"
COSTS = "spk-1-utt1-1 310.5\nspk-1-utt1-2 -3.25\nspk-1-utt2-1 0\n"


def read(folder: Path, words: str = WORDS, costs: str = COSTS) -> list[dict[str, Any]]:
    (folder / "ac").write_text(costs)
    given = {"costs": {"AM": str(folder / "ac")}, "scores": {"LM": str(folder / "ac")}}
    return with_settings(folder, words, "kaldi", **given)


def test_utterances_with_costs_and_scores(tmp_path: Path) -> None:
    first, second = read(tmp_path)
    assert (first["id"], first["text"]) == ("spk-1-utt1", ["hello word", "hello world"])
    assert first["features"] == [{"AM": -310.5, "LM": 310.5}, {"AM": 3.25, "LM": -3.25}]
    assert (second["id"], second["text"]) == ("spk-1-utt2", [""])
    assert str(second["features"][0]["AM"]) == "0.0"
    assert plain_lists(tmp_path, WORDS, "kaldi")[0]["features"] == [{}, {}]


@pytest.mark.parametrize(
    ("words", "costs", "problem"),
    [
        (
            WORDS,
            COSTS.replace("utt1-2", "utt1-3"),
            "ac: line 2: expected 'spk-1-utt1-2', in",
        ),
        (WORDS, COSTS[:36], "ac: at the end: expected a number of 'spk-1-utt2-1', found none"),
        (
            WORDS,
            COSTS + "x-1 3\n",
            "ac: line 4: expected as many numbers as hypotheses, found 'x",
        ),
        (WORDS, COSTS.replace("310.5", "nan"), "line 1: 'spk-1-utt1-1': expected a finite number"),
        (WORDS, COSTS.replace("310.5", "[ 1 2 ]"), "line 1: expected `spk-1-utt1-1 NUMBER`, found"),
        ("utt a\n", "", "list: line 1: expected a key `UTTERANCE-RANK`, found 'utt'"),
        ("u-1 a\nu-1 b\n", "u-1 1\nu-1 2\n", "line 2: expected each key once, found 'u-1' again"),
        ("u-1 a\nv-1 b\nu-2 c\n", "u-1 1\nv-1 2\nu-2 3\n", "expected another id than before, fou"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, words: str, costs: str, problem: str) -> None:
    with pytest.raises(DataError) as error:
        read(tmp_path, words, costs)
    assert problem in str(error.value)


def test_only_blanks_and_tabs_are_between_words(tmp_path: Path) -> None:
    (found,) = plain_lists(tmp_path, "u\u00a01-1 a\u00a0b\u3000c\td\n", "kaldi")
    assert (found["id"], found["text"]) == ("u\u00a01", ["a\u00a0b\u3000c d"])


def test_two_spellings_of_a_number_are_two_utterances(tmp_path: Path) -> None:
    found = plain_lists(tmp_path, "0-1 a\n0-2 b\n00-1 c\n", "kaldi")
    assert [(kbest["id"], kbest["text"]) for kbest in found] == [("0", ["a", "b"]), ("00", ["c"])]


def test_keys_and_their_ranks() -> None:
    assert parted("a-b-12") == ("a-b", 12)
    assert is_kaldi(WORDS.splitlines())
    assert not is_kaldi(["a-2 x", "a-3 y"])
    assert not is_kaldi(["the-1 x", "a cat"])
