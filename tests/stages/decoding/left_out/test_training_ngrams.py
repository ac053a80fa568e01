"""N-grams of a training text are counted once, and belong to the text and the model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.model.model import load_model
from campanula.stages.decoding.left_out import training_ngrams as module
from campanula.stages.decoding.left_out.training_ngrams import training_ngrams
from tests.training import Corpus, estimated_lms

PAIRS = [("a", "u v", "0-0"), ("a", "u v w", "0-0"), ("b", "v", "0-0"), ("b", "", "")]


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("ngrams-*"))


def test_they_are_counted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = Corpus(PAIRS, tmp_path)
    lms = estimated_lms(corpus, 3, classes=2)
    cache = tmp_path / "cache"
    model = load_model(replace(corpus.extract(), lms=lms), str(cache))
    first = training_ngrams(model, lms, corpus.paths[1], str(cache))
    [entry] = entries(cache)
    monkeypatch.setattr(module, "_Counted", None)
    again = training_ngrams(model, lms, corpus.paths[1], str(cache))
    for name, a in first._asdict().items():
        b = getattr(again, name)
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)
    parts = tmp_path / "parts"
    parts.mkdir()
    lines = Path(corpus.paths[1]).read_text().splitlines(keepends=True)
    for i in range(2):
        (parts / f"part.{i}").write_text("".join(lines[2 * i : 2 * i + 2]))
    monkeypatch.undo()
    of_parts = training_ngrams(model, lms, str(parts), str(cache))  # of the same lines
    np.testing.assert_array_equal(of_parts.times, first.times)
    assert entry in entries(cache)
    assert len(entries(cache)) == 2


def test_sums_are_those_of_the_ngrams(tmp_path: Path) -> None:
    corpus = Corpus(PAIRS, tmp_path)
    lms = estimated_lms(corpus, 2)
    cache = str(tmp_path / "cache")
    model = load_model(replace(corpus.extract(), lms=lms), cache)
    counted = training_ngrams(model, lms, corpus.paths[1], cache)
    # <s> u twice, <s> v, <s> </s>, u v twice, v </s> twice, v w, w </s>
    assert counted.adjusted.sum() == counted.times.sum() == 10
    # u stands behind one other word, v behind two, w behind one, </s> behind three
    assert sorted(counted.unigram.tolist()) == [0, 0, 1, 1, 2, 3]
    assert counted.context[0, :4].tolist() == [7, 2, 1, 1]
    # by Eq. 26 where there are words of each count, else the fallback
    assert counted.discount[:2].tolist() == [[0.0, 0.5, 0.5, 3.0], [0.0, 0.5, 1.0, 1.5]]
    assert counted.uniform.tolist() == [1 / 5]


@pytest.mark.parametrize(
    ("target", "classes", "problem"),
    [
        ("u <s>", 0, "line 1: expected words of text, found the reserved '<s>'"),
        ("u new", 2, "word 'new': expected it, as line 1 of .* has it, found none"),
        ("", 0, None),
    ],
)
def test_texts_that_no_model_is_of(
    tmp_path: Path, target: str, classes: int, problem: str | None
) -> None:
    corpus = Corpus(PAIRS, tmp_path)
    lms = estimated_lms(corpus, *([] if classes else [2]), classes=classes)
    cache = str(tmp_path / "cache")
    model = load_model(replace(corpus.extract(), lms=lms), cache)
    other = tmp_path / "other"
    other.write_text(f"{target}\n" if problem else "")
    with pytest.raises(DataError, match=problem or "expected sentences of 1 to .*, found 0"):
        training_ngrams(model, lms, str(other), cache)
    assert not entries(tmp_path / "cache")
