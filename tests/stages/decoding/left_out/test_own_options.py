"""What changes in the features of a sentence's own options."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from campanula.stages.decoding.language_model import language_model
from campanula.stages.decoding.left_out.own_options import OwnOptions, own_lm, own_rows
from campanula.stages.kernels.records import ROW, SCORES
from tests.stages.kernels.lm.small_left import text_of, whole_and_left
from tests.training import Corpus

NONE = np.zeros((0, 1), np.int32)


def test_changes_are_added_to_the_columns_they_are_of():
    change = np.array([[1.0, 10.0, 100.0], [2.0, 20.0, 200.0]])
    own = OwnOptions(NONE, NONE, np.array([7, 4]), change, np.array([0, 2, 1]))
    value = np.zeros((2, SCORES + 4))
    own.add_changes(value, np.array([0, 1, 3]), np.array([1, 0, 1]))
    assert value[:, SCORES:].tolist() == [[2.0, 200.0, 20.0, 0.0], [3.0, 300.0, 30.0, 0.0]]
    arcs = np.zeros((SCORES + 4, 3))
    own.add_to_arcs(arcs, np.array([1, 0, 1]))
    assert arcs[SCORES:].tolist() == [[2, 1, 2], [200, 100, 200], [20, 10, 20], [0, 0, 0]]


def test_rows_are_options_where_they_have_reordering_scores_of_their_own(tmp_path):
    model = Corpus([("a b", "u v", "0-0 1-1")], tmp_path).model()
    info = np.zeros((3, 6), np.int32)
    info[:, ROW] = [2, -1, 0]
    own = OwnOptions(NONE, NONE, np.arange(3), np.zeros((3, 2)), np.array([0, 2]))
    assert own_rows(own, model, info) == (model, info)
    assert own_rows(None, model, info) == (model, info)
    scores = model.reordering[[2, 0, 0]]
    scores[1], scores[2, 4] = 0.0, -3.0
    changed, other = replace(own, reordering=scores).rows(model, info)
    assert other[:, ROW].tolist() == [0, -1, 2]
    assert info[:, ROW].tolist() == [2, -1, 0]
    assert changed.score[[0, 2]].tolist() == model.score[[2, 0]].tolist()
    assert changed.reordering is scores
    change = replace(own, reordering=scores).reordering_change(model, info)
    assert np.argwhere(change).tolist() == [[2, 4]]
    assert change[2, 4] == -3.0 - float(model.reordering[0, 4])


def test_options_of_the_store_have_places():
    own = OwnOptions(NONE, NONE, np.array([7, 4, 9]), np.zeros((3, 2)), np.array([0, 2]))
    assert own.places(np.array([9, 7, 7, 4], np.int32)).tolist() == [2, 0, 0, 1]


def test_language_models_are_the_sentences_own_where_it_has_some(tmp_path: Path) -> None:
    lm = language_model(None)
    own = OwnOptions(NONE, NONE, np.arange(0), np.zeros((0, 2)), np.array([0, 2]))
    assert own_lm(None, lm) is own_lm(own, lm) is lm
    mine = whole_and_left(text_of(1, tmp_path), 2)[1][0]
    assert own_lm(replace(own, lm=mine), lm) is mine
