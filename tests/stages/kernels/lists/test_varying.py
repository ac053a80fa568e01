"""Features that differ within a list, against sets of their values."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from campanula.formats.records.features import Features
from campanula.formats.records.names import Names
from campanula.stages.kernels.lists.varying import mark_varying
from campanula.stages.kernels.shards import numbering
from campanula.stages.tuning.packing import join
from campanula.stages.tuning.sharded.packing import pack, shard_of
from tests.stages.kernels.problems import problem
from tests.stages.tuning.sharded.shards import random_lists


def test_features_that_vary_within_a_list_are_told():
    p = problem()
    varies = np.zeros(len(p.theta), np.bool_)
    mark_varying(p.lists, varies)
    rows = [[row for row, _ in kbest] for kbest in p.rows]
    found = {name for name, v in zip(p.names, varies, strict=True) if v}
    assert found == {n for n in p.names for z in rows if len({row.get(n, 0.0) for row in z}) > 1}


@pytest.mark.parametrize(
    ("rows", "varying"),
    [
        ([{"a": 2.0, "b": 1.0}, {"a": 2.0, "b": 1.0}], set()),
        ([{"a": 2.0}, {"a": 3.0}, {"a": 2.0}], {"a"}),
        ([{"a": 2.0}, {"a": 1.0}], {"a"}),
        ([{"a": 1.0}, {}, {"b": 2.0}], {"a", "b"}),
    ],
)
def test_sparse_values_all_over_a_list_are_looked_at(rows, varying):
    names = Names(["a", "b"])
    entries = [(names.id(n), value) for row in rows for n, value in row.items()]
    ids, values = np.array(entries).T
    sparse = Features.of_dense(np.zeros(0, np.int32), np.zeros((0, len(rows))))
    pointer = np.cumsum([0, *map(len, rows)])
    sparse = sparse.with_sparse(pointer, ids.astype(np.int32), values)
    varies = np.zeros(2, np.bool_)
    mark_varying(join([sparse, sparse]), varies)
    assert {name for name, v in zip(names, varies, strict=True) if v} == varying


@pytest.mark.parametrize("seed", range(5))
def test_a_binary_feature_of_all_hypotheses_is_the_same(seed):
    """As lists have them where nobody makes dense features of them; shards say the same."""
    records = random_lists(seed, 9)
    n = len(records[0].names)
    size, binary = len(records[0]), records[0].features
    always = np.setdiff1d(np.arange(n), np.concatenate(records[0].used_ids))[0]
    ids = [np.sort([always, *binary.binary_id[a:b]]) for a, b in pairwise(binary.binary_pointer)]
    pointer = binary.binary_pointer + np.arange(size + 1)
    whole = np.concatenate(ids).astype(np.int32)
    first = replace(binary, binary_pointer=pointer, binary_id=whole)
    kbests = [type(records[0])(0, records[0].text, first, records[0].names, gain=records[0].gain)]
    varies, elsewhere = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    mark_varying(join([first]), varies)
    mark_varying(join([Features.of([{}], Names()), binary]), elsewhere)
    assert not varies[always]
    assert (varies == elsewhere).all()
    arrays = pack(kbests, "test")
    used = np.unique(np.concatenate(kbests[0].used_ids))
    own = np.zeros(len(used), np.bool_)
    numbering.mark_varying(shard_of(arrays), own)
    assert (own == varies[used]).all()
    assert (arrays["constant"] == np.flatnonzero(~own)).all()
