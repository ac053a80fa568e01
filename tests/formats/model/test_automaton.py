"""The automaton's scores are those of the n-grams, and its states only contexts that matter."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.arpa.reader import Arpa, read_arpa
from campanula.formats.errors import DataError
from campanula.formats.model.automaton import MISSING_UNKNOWN, Automaton, with_unknown
from campanula.formats.model.hash_table import FREE
from campanula.formats.model.language_models import compiled
from tests.naive import decoder as naive
from tests.naive.arpa_model import Model
from tests.naive.decoder import Words
from tests.small_models import arpa_text, random_ngrams


def automaton_of(path: Path, ngrams: Model, order: int) -> tuple[Arpa, Automaton]:
    path.write_text(arpa_text(ngrams, order), encoding="utf-8")
    arpa = with_unknown(read_arpa(str(path)))
    return arpa, compiled(arpa, str(path)).automaton


def walk(
    automaton: Automaton,
    transitions: dict[tuple[int, int], tuple[float, int]],
    state: int,
    word: int,
) -> tuple[float, int]:
    """Read a word: (log probability, next state)."""
    total = 0.0
    while state != 0 and (state, word) not in transitions:
        total += automaton.state.view(np.float32)[state, 0]
        state = automaton.state[state, 1]
    if state == 0:
        return total + automaton.unigram.view(np.float32)[word, 0], automaton.unigram[word, 1]
    prob, state = transitions[state, word]
    return total + prob, state


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_scores_equal_those_of_the_ngrams(tmp_path: Path, order: int) -> None:
    for seed in range(5):
        rng = random.Random(f"{order} {seed}")
        ngrams = random_ngrams(rng, order)
        arpa, automaton = automaton_of(tmp_path / "lm", ngrams, order)
        model = naive.NaiveModel({}, ngrams, order, {})
        values = automaton.table.view(np.float32)
        transitions = {
            (int(row[0]), int(row[1])): (float(values[i, 3]), int(row[2]))
            for i, row in enumerate(automaton.table)
            if row[0] != FREE
        }
        words = [word.decode() for word in arpa.vocabulary]
        for _ in range(20):
            state = int(automaton.special[0, 0])
            context: Words = ("<s>",)
            for _ in range(8):
                word = rng.choice(words)
                prob, state = walk(automaton, transitions, state, words.index(word))
                expected = naive.word_log10(model, context, word) * math.log(10)
                assert prob == pytest.approx(expected, abs=1e-5)
                context = (*context, word)
                length = automaton.state[state, 2]
                assert length < order
                if length:
                    kept = context[-length:]
                    extended = any(gram[:-1] == kept for gram in ngrams)
                    assert extended or ngrams[kept][1] != 0


def test_the_unknown_word_may_be_written_in_capitals(tmp_path: Path) -> None:
    ngrams: Model = {(w,): (-2.0, 0.0) for w in ("<s>", "</s>", "<UNK>")}
    arpa, automaton = automaton_of(tmp_path / "lm", ngrams, 1)
    assert arpa.vocabulary[automaton.special[0, 2]] == b"<unk>"
    assert b"<UNK>" not in arpa.vocabulary
    assert arpa.prob[0][automaton.special[0, 2]] == -2.0
    both = ngrams | {("<unk>",): (-3.0, 0.0)}
    arpa, automaton = automaton_of(tmp_path / "lm", both, 1)
    assert arpa.prob[0][automaton.special[0, 2]] == -3.0
    assert b"<UNK>" in arpa.vocabulary


def test_a_model_without_unknown_word_gets_one(tmp_path: Path) -> None:
    ngrams: Model = {("<s>",): (-1.0, 0.0), ("</s>",): (-1.0, 0.0)}
    arpa, automaton = automaton_of(tmp_path / "lm", ngrams, 1)
    assert arpa.vocabulary[automaton.special[0, 2]] == b"<unk>"
    prob = automaton.unigram.view(np.float32)[automaton.special[0, 2], 0]
    assert prob == pytest.approx(MISSING_UNKNOWN * math.log(10))


@pytest.mark.parametrize("missing", ["<s>", "</s>"])
def test_sentence_ends_are_needed(tmp_path: Path, missing: str) -> None:
    ngrams: Model = {(w,): (-1.0, 0.0) for w in ("<s>", "</s>", "<unk>") if w != missing}
    with pytest.raises(DataError, match="no such unigram"):
        automaton_of(tmp_path / "lm", ngrams, 1)


def test_an_ngram_without_its_context_is_an_error(tmp_path: Path) -> None:
    ngrams: Model = {(w,): (-1.0, 0.0) for w in ("<s>", "</s>", "<unk>", "a", "b")}
    ngrams["a", "b"] = (-0.5, 0.0)
    ngrams["b", "a", "b"] = (-0.5, 0.0)
    with pytest.raises(DataError, match="3-gram 'b a b': expected its first 2 words"):
        automaton_of(tmp_path / "lm", ngrams, 3)


def test_an_ngram_twice_is_an_error(tmp_path: Path) -> None:
    ngrams: Model = {(w,): (-1.0, 0.0) for w in ("<s>", "</s>", "<unk>")}
    ngrams["<s>", "</s>"] = (-0.5, 0.0)
    text = arpa_text(ngrams, 2).replace("ngram 2=1", "ngram 2=2")
    text = text.replace("-0.5\t<s> </s>\n", "-0.5\t<s> </s>\n" * 2)
    (tmp_path / "lm").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="found one twice"):
        compiled(read_arpa(str(tmp_path / "lm")), "lm")
