"""Source sentences, with options of the store or their own."""

from __future__ import annotations

import random

import numpy as np
import pytest

from campanula.formats.model.model import load_model
from campanula.stages.decoding.left_out.leave_one_out import LeaveOneOut, LeftOut
from campanula.stages.decoding.option_store import OptionStore
from campanula.stages.decoding.source_sentences import BATCH, source_sentences
from tests.small_models import random_model, random_tillmann_zhang_model, write_model
from tests.training import Corpus


@pytest.mark.parametrize("make", [random_model, random_tillmann_zhang_model])
def test_every_line_is_a_sentence_with_the_options_of_its_spans(make, tmp_path):
    small = make(random.Random(2), 0, False)
    model = load_model(write_model(small, tmp_path), str(tmp_path / "cache"))
    store = OptionStore(model, np.zeros(len(model.all_features()) + 1), 20)
    lines = [" a  b\t\u00fc ", "", *["d"] * BATCH, "c"]
    sentences = list(source_sentences(lines, model, store))
    assert [sentence.sid for sentence in sentences] == list(range(len(lines)))
    assert [" ".join(sentence.source) for sentence in sentences] == [*map(normalised, lines)]
    for line, sentence in zip(lines, sentences, strict=True):
        n = len(line.split())
        assert len(sentence.first) == len(sentence.count) == n
        assert (sentence.count[:, 0] > 0).all()  # a word without a block is copied
        assert (sentence.jump_row is None) == (small.distortion is None)
        assert sentence.jump_row is None or len(sentence.jump_row) == n + 1
        option = np.arange(n)
        assert sentence.in_store(option) is option


def normalised(line: str) -> str:
    return " ".join(line.split())


def test_own_options_have_numbers_in_the_store(tmp_path):
    corpus = Corpus([("a b", "u v", "0-0 1-1"), ("a", "u", "0-0")], tmp_path)
    model = corpus.model()
    store = OptionStore(model, np.zeros(len(model.all_features()) + 1), 20)
    leave_one_out = LeaveOneOut(model, store, LeftOut(corpus.text(), "table"))
    sentences = list(source_sentences(corpus.source, model, store, leave_one_out))
    assert [list(sentence.source) for sentence in sentences] == [["a", "b"], ["a"]]
    for sentence in sentences:
        assert sentence.own is not None
        assert sentence.first is sentence.own.first
        option = np.arange(len(sentence.own.number))
        assert sentence.in_store(option).tolist() == sentence.own.number.tolist()
