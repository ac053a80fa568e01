"""Rows of a phrase table, ranked by the sentences that come to them."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np

from campanula.formats.model.model import load_model
from campanula.stages.decoding.left_out.ranked_rows import RankedRows
from campanula.stages.decoding.option_store import OptionStore
from campanula.stages.kernels.search.options import row_values
from tests.training import Corpus, random_pairs


def test_rows_are_ranked_by_value_and_by_key(tmp_path: Path) -> None:
    corpus = Corpus(random_pairs(random.Random(3), 12), tmp_path)
    model = corpus.model()
    weight = np.linspace(-1.0, 1.0, len(model.all_features()) + 1)
    store = OptionStore(model, weight, 20)
    ranked = RankedRows(model, store)
    start = model.row_start
    nodes = np.flatnonzero(np.diff(start) > 0)
    assert (np.diff(start)[nodes] > 1).any()
    # some first: what is ranked later leaves these as they are
    for some in (nodes[::2], nodes):
        ranked.rank(some)
        for node in some.tolist():
            rows = np.arange(start[node], start[node + 1])
            value = row_values(rows, store.table, store.lm, store.row_weights)
            best = ranked.arrays.best[rows]
            assert ranked.arrays.value[rows].tolist() == value.tolist()
            assert best.tolist() == rows[np.argsort(-value, kind="stable")].tolist()
            assert (np.diff(ranked.arrays.key[rows]) > 0).all()
            assert sorted(ranked.arrays.key_row[rows].tolist()) == rows.tolist()
    assert ranked.arrays.whole[nodes].all()  # extract-blocks leaves no block out


def test_a_table_without_some_rows_is_not_whole(tmp_path: Path) -> None:
    corpus = Corpus([("a", "u", "0-0"), ("a", "v", "0-0"), ("b", "w", "0-0")], tmp_path)
    files = corpus.extract()
    table = Path(files.phrase_table)
    table.write_text("".join(table.read_text().splitlines(keepends=True)[1:]))
    model = load_model(files, str(tmp_path / "cache"))
    store = OptionStore(model, np.zeros(len(model.all_features()) + 1), 20)
    ranked = RankedRows(model, store)
    nodes = np.flatnonzero(np.diff(model.row_start) > 0)
    ranked.rank(nodes)
    assert sorted(ranked.arrays.whole[nodes].tolist()) == [False, True]
