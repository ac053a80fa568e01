"""The store of options: known phrases once, unknown words copied, words past the vocabulary."""

from __future__ import annotations

import random

import numpy as np
import pytest

from campanula.formats.model.model import load_model
from campanula.stages.decoding.option_store import OptionStore
from campanula.stages.decoding.sparse.options import SparseWeights
from tests.small_models import random_model, write_model


@pytest.fixture
def compiled(tmp_path):
    model = random_model(random.Random(2), 2, True)
    return load_model(write_model(model, tmp_path), str(tmp_path / "cache"))


def test_a_phrase_has_the_same_options_each_time(compiled):
    store = OptionStore(compiled, np.zeros(15), 20)
    [(first, count)] = store.spans([[b"a", b"b", b"new"]])
    n = len(store.options.score)
    [(again, count_again)] = store.spans([[b"a", b"b", b"new"]])
    assert first.tolist() == again.tolist()
    assert count.tolist() == count_again.tolist()
    assert len(store.options.score) == n


def test_unknown_words_get_numbers_past_the_vocabulary(compiled):
    weights = SparseWeights(("word-pair",), {"pair_new~~other": 1.0})
    store = OptionStore(compiled, np.zeros(15), 20, weights)
    [(first, count)] = store.spans([["ä".encode(), b"new"]])
    assert count[:, 0].tolist() == [1, 1]
    assert [store.phrases(o) for o in first[:, 0].tolist()] == [
        (("ä",), ("ä",)),
        (("new",), ("new",)),
    ]
    assert store.target_text(0) == compiled.target.word(0).decode()


def test_without_sparse_features_the_search_is_told_of_none(compiled):
    store = OptionStore(compiled, np.zeros(15), 20)
    assert store.seams().active == 0
    assert not store.turns()
    orient = SparseWeights(("orientation",), {"orient_L": 1.0})
    assert OptionStore(compiled, np.zeros(15), 20, orient).turns()
