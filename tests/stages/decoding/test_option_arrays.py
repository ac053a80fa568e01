"""The option of a copied word, and the table that the kernels read."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.model.model import load_model
from campanula.stages.decoding.language_model import language_model
from campanula.stages.decoding.option_arrays import (
    copied_option,
    no_options,
    row_weights_of,
    table_of,
)
from campanula.stages.kernels.records import (
    COPIED,
    ESTIMATED,
    OPTION_SCORES,
    PHRASES,
    PLAIN,
    SCORES,
    UNKNOWN,
    WORDS,
)
from tests.small_models import random_model, write_model


def test_a_copied_word_has_the_scores_of_moses(tmp_path: Path) -> None:
    small = random_model(random.Random(2), 2, True)
    model = load_model(write_model(small, tmp_path), str(tmp_path / "cache"))
    assert model.lm is not None
    weight = np.arange(1.0, len(model.all_features()) + 1)
    weights = row_weights_of(model, weight, 0.5)
    assert weights.score.tolist() == weight[SCORES : SCORES + model.score.shape[1]].tolist()
    lm = language_model(model.lm.automaton)
    unknown = model.lm.numbers(b"new")
    option = copied_option(unknown, lm, weight, weights, OPTION_SCORES)
    # -100 for the unknown word, -1 for a word, 1 for a phrase
    plain = -100.0 * weight[UNKNOWN] - weight[WORDS] + weight[PHRASES]
    assert option.score[0, PLAIN] == plain
    log = float(option.rest[0, 0])
    assert log < 0.0
    assert option.score[0, ESTIMATED] == pytest.approx(plain + (weight[0] + 0.5) * log)
    assert option.info[0, COPIED] == 1
    assert option.rest[1].tolist() == [0.0]


def test_a_store_begins_with_memory_and_the_model_s_table(tmp_path: Path) -> None:
    small = random_model(random.Random(2), 2, True)
    model = load_model(write_model(small, tmp_path), str(tmp_path / "cache"))
    options = no_options(OPTION_SCORES, 1)
    assert len(options.score) == len(options.info) > 0
    assert not options.score.any()
    table = table_of(model)
    assert table.row_start is model.row_start
    assert table.hierarchical.tolist() == list(model.hierarchical)
