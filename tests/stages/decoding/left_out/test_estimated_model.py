"""Language models that estimate-lm makes of a text, and others, which are refused by an n-gram."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.model.files import LanguageModelFile
from campanula.formats.model.language_models import read_language_models
from campanula.formats.model.model import load_model
from campanula.stages.decoding.left_out.estimated_model import HINT, model_parts
from campanula.stages.decoding.left_out.training_ngrams import training_ngrams
from tests.examples import MOSES, MULTI30K
from tests.training import Corpus, estimated_lms

PAIRS = [("a", "u v", "0-0"), ("a", "u v w", "0-0"), ("b", "v", "0-0"), ("b", "", "")]
PAIRS += [("b", "u v v", ""), PAIRS[0]]


def test_models_lie_one_behind_the_other(tmp_path: Path) -> None:
    lms = estimated_lms(Corpus(PAIRS, tmp_path), 3, 1, classes=2)
    automaton = read_language_models(lms).automaton
    parts = model_parts(automaton)
    assert [part.number for part in parts] == [0, 1, 2]
    assert [part.order for part in parts] == [3, 1, 2]
    assert [part.first for part in parts] == [0, 6, 12]  # u v w <unk> <s> </s>
    assert [part.n_words for part in parts] == [6, 6, 5]  # A B <unk> <s> </s>
    assert np.sum([part.own for part in parts], axis=0).tolist() == [1] * len(automaton.state)


def refused(
    tmp_path: Path, change: Callable[[str], str], order: int = 3, pairs: list = PAIRS
) -> str:
    """What is said of a model of the text that was changed, and of a text of these pairs."""
    corpus = Corpus(PAIRS, tmp_path / "whole")
    [lm] = estimated_lms(corpus, order)
    Path(lm.path).write_text(change(Path(lm.path).read_text()))
    model = load_model(replace(corpus.extract(), lms=(lm,)), str(tmp_path / "cache"))
    text = Corpus(pairs, tmp_path / "text").paths[1]
    with pytest.raises(DataError) as caught:
        training_ngrams(model, [lm], text, str(tmp_path / "cache"))
    said = str(caught.value)
    assert "\n" not in said
    assert said.startswith(lm.path)
    assert said.endswith(HINT)
    return said.removeprefix(f"{lm.path}: ").removesuffix(f": {HINT}").replace(text, "TEXT")


def line(words: str, to: str) -> Callable[[str], str]:
    """A change of the line of an n-gram."""

    def changed(text: str) -> str:
        lines = text.split("\n")
        [x] = [i for i, row in enumerate(lines) if row.split("\t")[1:2] == [words]]
        lines[x] = to
        return "\n".join(lines)

    return changed


def test_another_probability_or_backoff(tmp_path: Path) -> None:
    said = refused(tmp_path, line("v", "-0.5\tv\t-0.2"))
    assert said.startswith("1-gram 'v': expected log10 -0.")
    assert "as estimate-lm makes it of TEXT, found log10 -0.5 and backoff -0.2" in said
    said = refused(tmp_path, line("u v", "-0.1\tu v\t0"))
    assert said.startswith("2-gram 'u v': expected log10 ")
    assert said.endswith("found log10 -0.1")
    said = refused(tmp_path, line("v w </s>", "-0.1\tv w </s>"))
    assert said.startswith("3-gram 'v w </s>': expected log10 ")


def test_another_text(tmp_path: Path) -> None:
    """One more sentence, though it is there already; one less; another word; other words."""
    assert "-gram '" in refused(tmp_path, str, pairs=[*PAIRS, PAIRS[1]])
    assert "-gram '" in refused(tmp_path, str, pairs=PAIRS[:-1])
    lacking = [*PAIRS, ("b", "v new", "0-0")]
    expected = "word 'new': expected it, as line 7 of TEXT has it, found none"
    assert refused(tmp_path, str, pairs=lacking) == expected
    without = [PAIRS[0], *PAIRS[2:]]
    expected = "1-gram 'w': expected none as estimate-lm makes it of TEXT, found it"
    assert refused(tmp_path, str, pairs=without) == expected


def test_another_order(tmp_path: Path) -> None:
    """A bigram model that goes as one of trigrams, and the other way round."""

    def cut(text: str) -> str:
        head, rest = text.split("\nngram 3=")
        body = rest.partition("\n")[2].partition("\n\\3-grams:")[0]
        return f"{head}\n{body}\n\\end\\\n"

    assert "-gram '" in refused(tmp_path, cut)

    def added(text: str) -> str:
        text = text.replace("\n\n\\1", "\nngram 3=1\n\n\\1", 1)
        return text.replace("\\end\\", "\\3-grams:\n-0.25\tu v v\n\n\\end\\")

    # the bigrams of a model of two are counted otherwise, so that may be seen first
    assert "-gram '" in refused(tmp_path, added, 2)


def test_an_ngram_more(tmp_path: Path) -> None:
    def added(text: str) -> str:
        [count] = [row for row in text.split("\n") if row.startswith("ngram 3=")]
        text = text.replace(count, f"ngram 3={int(count[8:]) + 1}")
        return text.replace("\n\\end\\", "-0.25\tu v u\n\n\\end\\")

    said = refused(tmp_path, added)
    assert (
        said == "3-gram 'u v u': expected none as estimate-lm makes it of TEXT, found log10 -0.25"
    )


@pytest.mark.skipif(not MULTI30K.is_dir() or not MOSES.is_dir(), reason="no shared data")
def test_a_model_of_kenlm_is_taken(tmp_path: Path) -> None:
    """It estimates in single precision."""
    lm = LanguageModelFile(str(MOSES / "lm.arpa.gz"))
    table = tmp_path / "table"
    table.write_text("a ||| a ||| 1 1 1 1 ||| 0-0 ||| 1 1 1\n")
    files = replace(Corpus([("a", "a", "0-0")], tmp_path).extract(), lms=(lm,))
    model = load_model(files, str(tmp_path / "cache"))
    counted = training_ngrams(model, [lm], str(MULTI30K / "train.en"), str(tmp_path / "cache"))
    assert counted.order.tolist() == [5]
