"""estimate-classes end to end: the likelihood never falls, and what is written is read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from campanula.formats.text.corpus import read_corpus
from campanula.formats.text.word_classes import read_word_classes
from campanula.stages import estimate_classes
from tests.naive import word_classes as naive

TEXT = [f"{a} {n} {v}" for a in ("a", "the") for n in ("cat", "dog", "ä\u00a0b") for v in "sx"]


def write(path: Path, lines: list[str]) -> str:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("flags", [[], ["--seed", "3"]])
def test_words_in_like_places_are_a_class(tmp_path: Path, flags: list[str]) -> None:
    text, out = write(tmp_path / "text", TEXT), tmp_path / "classes"
    argv = [text, "--classes", "3", *flags, "-q", "-o"]
    assert estimate_classes.main([*argv, str(out)]) == 0
    assert estimate_classes.main([*argv, str(tmp_path / "again")]) == 0
    assert out.read_bytes() == (tmp_path / "again").read_bytes()
    found = {word.decode(): name.decode() for word, name in read_word_classes(str(out)).items()}
    assert set(found) == {word for line in TEXT for word in line.split(" ")}
    assert set(found.values()) == {"1", "2", "3"}
    if not flags:  # from other starts it may end elsewhere
        assert found["cat"] == found["dog"] == found["ä\u00a0b"]
        assert found["a"] == found["the"]


@pytest.mark.parametrize("seed", [None, 1, 2])
def test_the_likelihood_never_falls(seed: int | None) -> None:
    rng = np.random.default_rng(4)
    lines = [" ".join(rng.choice(list("abcdefghij"), 6)) for _ in range(30)]
    corpus = read_corpus(lines, "text")
    steps = list(estimate_classes.estimate_classes(corpus, 4, seed))
    assert steps[-1].moved == 0
    likelihood = [step.log_likelihood for step in steps]
    assert (np.diff(likelihood) >= -1e-9).all()
    assert likelihood[-1] > likelihood[0]
    sentences = [line.split() for line in lines]
    for step in steps:
        classes = dict(zip(corpus.words, step.class_of.tolist(), strict=True))
        assert step.log_likelihood == pytest.approx(naive.log_likelihood(sentences, classes))


def test_the_start_is_by_frequency() -> None:
    corpus = read_corpus(["b b b", "a a c", "d"], "text")
    first = next(estimate_classes.estimate_classes(corpus, 3))
    assert dict(zip(corpus.words, first.class_of.tolist(), strict=True)) == {
        "b": 0,
        "a": 1,
        "c": 2,
        "d": 2,
    }


def test_the_summary_says_whether_words_still_move(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = write(tmp_path / "text", TEXT)
    assert estimate_classes.main([text, "--classes", "3", "-o", str(tmp_path / "out")]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("estimate-classes: 7 words, perplexity ")
    assert "still moved" not in line
    assert estimate_classes.main([text, "--classes=3", "--iterations=1", "-o", "/dev/null"]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert "in 1 iterations; the last one still moved" in line


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "expected at least 3 different words for as many classes, found 0"),
        (["a b a"], "expected at least 3 different words for as many classes, found 2"),
        (["a b c", "c <s> d"], "line 2: expected words of text, found the reserved '<s>'"),
    ],
)
def test_bad_text_is_one_line_and_no_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: list[str], message: str
) -> None:
    text, out = write(tmp_path / "train", lines), tmp_path / "classes"
    assert estimate_classes.main([text, "--classes", "3", "-o", str(out)]) == 1
    assert capsys.readouterr().err == f"estimate-classes: {text}: {message}\n"
    assert not out.exists()
