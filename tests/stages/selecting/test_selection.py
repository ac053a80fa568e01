"""Selections by each criterion: the pairs of the slow twins, models given or estimated."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.stages import estimate_lm
from campanula.stages.decoding.language_model import SentenceScorer
from campanula.stages.selecting.cross_entropy import CrossEntropyDifference, sample
from campanula.stages.selecting.parallel_lines import ParallelLines
from campanula.stages.selecting.selection import ByCrossEntropy, BySubstrings, select, text_of
from tests.naive import selection as naive

pytestmark = pytest.mark.usefixtures("own_cache")

DOMAIN, OTHER = (
    ["the", "cat", "sat", "on", "a", "mat", "."],
    ["markets", "fell", "on", "a", "friday", "the", "."],
)


def unwatched(lines: Iterable[str], label: str) -> Iterable[str]:
    return lines


def text(seed: int, n: int, words: list[str]) -> list[str]:
    rng = random.Random(seed)
    return [" ".join(rng.choices(words, k=rng.randrange(1, 9))) for _ in range(n)]


SOURCE = [*text(1, 60, OTHER), *text(2, 60, DOMAIN), "", *text(3, 60, OTHER)]
TESTS = text(4, 20, DOMAIN)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("de").write_text("".join(f"{line}\n" for line in SOURCE))
    Path("en").write_text("".join(f"{number}\n" for number in range(len(SOURCE))))
    Path("test").write_text("".join(f"{line}\n" for line in TESTS))
    return tmp_path


def selected(criterion: BySubstrings | ByCrossEntropy) -> tuple[list[int], str]:
    said = select(criterion, ParallelLines(["de", "en"]), "out", unwatched)
    numbers = [int(line) for line in Path("out.indices").read_text().split()]
    assert Path("out.target").read_text().split() == [str(number) for number in numbers]
    lines = Path("out.source").read_text().split("\n")[:-1]
    assert lines == [SOURCE[number] for number in numbers]
    return numbers, said


def test_substrings(folder: Path) -> None:
    for longest, count in ((12, 1), (3, 2)):
        numbers, said = selected(BySubstrings(("test",), longest, count))
        assert numbers == naive.by_substrings(SOURCE, TESTS, longest, count)
        assert said.startswith(f"{len(numbers)} of {len(SOURCE)} pairs selected; ")


def test_models_of_texts(folder: Path) -> None:
    lengths = np.array([len(line.split()) for line in SOURCE])
    n_words = sum(len(line.split()) for line in TESTS)
    general = [SOURCE[place] for place in np.flatnonzero(sample(lengths, n_words, 5))]
    difference = naive.differences(SOURCE, TESTS, general, 3)
    places = [place for place, line in enumerate(SOURCE) if line]
    best = sorted(places, key=lambda place: difference[place])[:40]
    numbers, said = selected(ByCrossEntropy(("test",), keep=40, order=3, seed=5))
    assert numbers == sorted(best)
    assert said.startswith(f"40 of {len(SOURCE)} pairs selected; differences of cross-entropy up")
    assert sum(60 <= number < 120 for number in numbers) > 30


def test_a_share_of_all_but_lines_without_words(folder: Path) -> None:
    assert len(selected(ByCrossEntropy(("test",), share=0.25))[0]) == round(len(SOURCE) / 4)
    numbers, _ = selected(ByCrossEntropy(("test",)))
    assert numbers == [place for place, line in enumerate(SOURCE) if line]


def test_given_models(folder: Path) -> None:
    Path("other").write_text("".join(f"{line}\n" for line in text(5, 40, OTHER)))
    for name in ("test", "other"):
        argv = [name, "--order", "2", "--discount-fallback", "0.5", "1", "1.5"]
        assert estimate_lm.main([*argv, "-q", "-o", f"{name}.arpa"]) == 0
    difference = CrossEntropyDifference(
        SentenceScorer.of_file("test.arpa"), SentenceScorer.of_file("other.arpa")
    )(SOURCE)
    given = ByCrossEntropy(in_domain_lm="test.arpa", general_lm="other.arpa", keep=30)
    numbers, _ = selected(given)
    assert numbers == sorted(np.argsort(difference, kind="stable")[:30].tolist())
    one, _ = selected(ByCrossEntropy(in_domain_lm="test.arpa", keep=30))
    two, _ = selected(ByCrossEntropy(("test",), general_lm="other.arpa", keep=30))
    for found in (numbers, one, two):
        assert sum(60 <= number < 120 for number in found) > 20


@pytest.mark.parametrize("lines", [SOURCE[:-1], [*SOURCE, "one more"], []])
def test_a_text_that_changes_meanwhile_is_named(folder: Path, lines: list[str]) -> None:
    def changing(items: Iterable[str], label: str) -> Iterable[str]:
        if label == "selecting":
            for name in ("de", "en"):
                Path(name).write_text("".join(f"{line}\n" for line in lines))
        return items

    pairs = ParallelLines(["de", "en"])
    problem = f"de: expected the {len(SOURCE)} lines that were read first, found {len(lines)}"
    with pytest.raises(DataError, match=problem):
        select(ByCrossEntropy(("test",), keep=3), pairs, "out", changing)
    assert sorted(os.listdir()) == ["de", "en", "test"]


def test_test_texts_without_a_word_are_refused(folder: Path) -> None:
    Path("empty").write_text("\n \n")
    assert list(text_of(["empty", "test"])) == ["", " ", *TESTS]
    for criterion in (BySubstrings(("empty",)), ByCrossEntropy(("empty",), keep=1)):
        with pytest.raises(DataError, match="empty: expected text, found no word"):
            selected(criterion)


def test_a_corpus_without_a_pair(folder: Path) -> None:
    Path("de").write_text("")
    Path("en").write_text("")
    said = select(BySubstrings(("test",)), ParallelLines(["de", "en"]), "out", unwatched)
    assert said == f"0 of 0 pairs selected; {said.partition('; ')[2]}"
    assert Path("out.indices").read_bytes() == b""
    with pytest.raises(DataError, match="de: expected text, found no word"):
        select(ByCrossEntropy(("test",), keep=1), ParallelLines(["de", "en"]), "out", unwatched)
