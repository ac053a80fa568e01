"""Kernels of leave-one-out are compiled once, whether links are left out or not."""

from __future__ import annotations

import numpy as np

from campanula.stages.decoding.left_out.leave_one_out import (
    LEXICAL,
    REORDERING,
    LeaveOneOut,
    LeftOut,
)
from campanula.stages.decoding.option_store import OptionStore
from campanula.stages.kernels.bitext.left_records import NO_LINKS, NO_OWN_LINKS
from tests.training import Corpus


def kinds(record):
    """Types of all arrays of a tuple of tuples."""
    return [kinds(each) if isinstance(each, tuple) else (each.dtype, each.ndim) for each in record]


def test_without_links_arrays_have_the_same_types(tmp_path):
    corpus = Corpus([("a b", "u v", "0-0 1-1")], tmp_path)
    model = corpus.model()
    store = OptionStore(model, np.ones(len(model.all_features()) + 1), 5)
    parts, cache = (LEXICAL, REORDERING), str(tmp_path / "cache")
    left_out = LeftOut(corpus.text(), "table", 0.1, parts, None, cache)
    chooser = LeaveOneOut(model, store, left_out)
    [batch] = corpus.text().batches(corpus.source, 9)
    own, _ = chooser._own_counts.count(batch, store.nodes(batch.source))
    assert kinds(chooser._counted.links) == kinds(NO_LINKS)
    assert kinds(own.links) == kinds(NO_OWN_LINKS)
