"""Which features have a line: all of few, the dense ones of many, or those asked for."""

from collections import deque

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory_names import NumberedNames
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.stages.diagnosing.listing import AHEAD, MOST, Listing, Others

NAMES = Names()


def kbest(sid, rows):
    return KBest(sid, Texts.of(["x"] * len(rows)), Features.of(rows, NAMES), NAMES)


def many(n_lists, width=40):
    """Lists of one hypothesis and of two, with two dense features and many that no other has."""
    for sid in range(n_lists):
        dense = {"LM0": -1.0 * sid, "WP0": 3.0}
        own = {f"block_{sid}_{i}": 1.0 for i in range(width)}
        yield kbest(sid, [dense | own] + [dense] * (sid % 2))


def look(lists, patterns=()):
    listing = Listing(patterns)
    assert [one.sid for one in listing.watch(lists)] == [one.sid for one in lists]
    return listing


def listed(listing):
    return [listing.names[i] for i in listing.ids.tolist()]


def test_of_few_features_all_are_listed():
    lists = [kbest(0, [{"a": 1.0}, {"b": 2.0}]), kbest(1, [{"c": 0.0}])]
    listing = look(lists)
    assert listed(listing) == ["a", "b", "c"]
    assert listing.others(2) is None


def test_of_many_the_dense_ones_are_and_the_others_counted():
    lists = list(many(5))
    listing = look(lists)
    assert listed(listing) == ["LM0", "WP0"]
    n_hyps = sum(map(len, lists))
    listed_entries = sum(len(one) * (1 + (one.sid > 0)) for one in lists)
    assert listing.others(listed_entries) == Others(200, 200, 200 / n_hyps)


def test_a_hundred_and_no_more_are_few():
    for extra, expected in ((0, MOST), (1, 1)):
        names = [f"f{i}" for i in range(MOST + extra)]
        rows = [[{name: 1.0} | {"f0": 2.0}] for name in names]
        assert len(look([kbest(i, row) for i, row in enumerate(rows)]).ids) == expected


def test_lists_wait_until_those_behind_them_are_known():
    listing = Listing()
    waiting = listing.watch(many(2 * AHEAD))
    next(waiting)
    assert listed(listing) == ["LM0", "WP0"]
    deque(waiting, maxlen=0)


def test_patterns_list_what_they_match_dense_or_not():
    listing = look(list(many(4)), ["block_[12]_7", "WP*"])
    assert listed(listing) == ["WP0", "block_1_7", "block_2_7"]
    listing.check("lists")


def test_a_pattern_that_matches_nothing_is_refused():
    listing = look(list(many(2)), ["WP0", "TM*"])
    with pytest.raises(DataError, match=r"lists: expected a feature that --feature TM\* matches"):
        listing.check("lists")


def test_names_that_nobody_knows_match_no_pattern():
    names = NumberedNames(InventoryReference(9, "0" * 32), "k")
    features = Features.of_dense(np.array([3], np.int32), np.ones((1, 2)))
    one = KBest(0, Texts.of("ab"), features, names)
    assert listed(look([one])) == ["#3"]
    with pytest.raises(DataError, match="expected --inventory, for its names"):
        look([one], ["LM0"])
