"""An index of features: ids by key, whole or added to; names that share a key are noticed."""

from __future__ import annotations

import random

import numpy as np
import pytest

from campanula.formats.feature_names.sparse import PREFIXES
from campanula.stages.decoding.sparse import feature_index
from campanula.stages.decoding.sparse.feature_index import NAMES, UNITS, FeatureIndex, empty_table
from campanula.stages.decoding.sparse.name_parsing import parsed_names, text_of
from campanula.stages.kernels.sparse import tables


def some_names(rng, n):
    names = {"LM0": None, "slen_x": None}
    while len(names) < n:
        a, b, c = rng.choices(["a", "b%7E", "ü", "d", "%25"] + [f"w{k}" for k in range(9)], k=3)
        name = rng.choice(
            [f"bigram_{a}~{b}", f"trigram_{a}~{b}~{c}", f"tph_{a}~~{b}~{c}", f"pair_{a}~~{b}"]
        )
        names[name] = None
    return [*names]


def ids(index, names):
    parsed = parsed_names(*text_of(names), int(index.seed[0]))
    return tables.ids_of(index.key, index.id, parsed.key).tolist()


def test_every_feature_finds_its_id():
    names = some_names(random.Random(1), 300)
    index = FeatureIndex.of_names(names)
    assert ids(index, names) == [-1, -1, *range(2, 300)]
    assert ids(index, ["pair_x~~y"]) == [-1]
    assert index.malformed.tolist() == [1]
    assert index.size[NAMES] == 300


@pytest.mark.parametrize("cut", [0, 1, 2, 150, 299, 300])
def test_an_index_that_is_added_to_is_that_of_all(cut):
    names = some_names(random.Random(2), 300)

    def pieces(first):
        return [text_of(names[k : k + 70]) for k in range(first, 300, 70)]

    whole = FeatureIndex.of_names(names)
    before = FeatureIndex.of_names(names[:cut])
    kept = {name: array.copy() for name, array in before._asdict().items()}
    added = FeatureIndex.of(pieces, 300, before)
    for name, mine in added._asdict().items():
        if name not in ("key", "id", "unit_key", "unit_number"):  # which slot depends on growth
            assert mine.tolist() == getattr(whole, name).tolist(), name
    assert ids(added, names) == ids(whole, names)
    units = whole.unit_key[whole.unit_key >= 0]
    number = tables.ids_of(whole.unit_key, whole.unit_number, units)
    assert tables.ids_of(added.unit_key, added.unit_number, units).tolist() == number.tolist()
    assert sorted(number.tolist()) == [*range(whole.size[UNITS])]
    for name, array in before._asdict().items():
        assert array.tolist() == kept[name].tolist()


def test_names_that_share_a_key_are_noticed(monkeypatch):
    """Keys of few bits, made so for the first seeds: the index takes the seed that keeps apart."""
    names = [f"uni_w{k}" for k in range(100)]

    def poor(text, pointer, seed):
        parsed = parsed_names(text, pointer, seed)
        return parsed._replace(key=parsed.key & 0xFF) if seed < 3 else parsed

    monkeypatch.setattr(feature_index, "parsed_names", poor)
    before = FeatureIndex.of_names(names[:1])
    assert before.seed.tolist() == [0]
    index = FeatureIndex.of(lambda first: [text_of(names[first:])], 100, before)
    assert index.seed.tolist() == [3]
    assert ids(index, names) == [*range(100)]
    monkeypatch.setattr(feature_index, "SEEDS", 3)
    with pytest.raises(RuntimeError, match="share a key"):
        FeatureIndex.of_names(names)


def test_an_empty_index_has_nothing():
    index = FeatureIndex.of_names([])
    assert ids(index, ["uni_a"]) == [-1]
    assert (index.key == -1).all()


def test_a_table_has_a_free_slot():
    for n in (0, 1, 11, 12, 100):
        keys, numbers = empty_table(n)
        assert len(keys) == len(numbers) > n
        assert len(keys) & (len(keys) - 1) == 0


def test_kinds_are_those_of_the_names():
    index = FeatureIndex.of_names(["uni_a", "jump_0"])
    assert [PREFIXES[kind] for kind in index.kind] == ["uni", "jump"]
    assert np.array_equal(index.unit, [-1, -1])
