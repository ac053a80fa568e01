"""Indexes of inventories: made once, added to when the inventory has grown."""

from __future__ import annotations

import os

import pytest

from campanula.formats.inventories.inventory import Inventory
from campanula.stages.decoding.sparse import index_cache
from campanula.stages.decoding.sparse.feature_index import FeatureIndex
from campanula.stages.decoding.sparse.index_cache import index_of, no_index
from campanula.stages.decoding.sparse.name_parsing import parsed_names, text_of
from campanula.stages.inventories.growing import Growing
from campanula.stages.kernels.sparse import tables

NAMES = ["LM0", "uni_a", "slen_x", "bigram_a~b", "trigram_ü~b~c", "tph_a~~b", "jump_+1"]


def grown(path, names):
    with Growing(path, new=not os.path.exists(path)) as growing:
        growing.ids_of_names(names)
        growing.commit()
    return Inventory.open(path)


def ids(index, names):
    return tables.ids_of(index.key, index.id, parsed_names(*text_of(names)).key).tolist()


@pytest.fixture
def cache(tmp_path):
    return str(tmp_path / "cache")


def test_an_index_is_made_once(tmp_path, cache, monkeypatch):
    inventory = grown(str(tmp_path / "F"), NAMES)
    first = index_of(inventory, cache)
    assert ids(first, NAMES) == [-1, 1, -1, 3, 4, 5, 6]
    monkeypatch.setattr(FeatureIndex, "of", None)
    again = index_of(inventory, cache)
    assert [a.tolist() for a in again] == [a.tolist() for a in first]


def test_only_what_is_new_is_added(tmp_path, cache, monkeypatch):
    index_of(grown(str(tmp_path / "F"), NAMES[:3]), cache)
    asked = []
    right = index_cache.pieces

    def pieces(inventory, first):
        asked.append(first)
        return right(inventory, first)

    monkeypatch.setattr(index_cache, "pieces", pieces)
    inventory = grown(str(tmp_path / "F"), NAMES)
    assert ids(index_of(inventory, cache), NAMES) == [-1, 1, -1, 3, 4, 5, 6]
    assert asked == [3]
    assert len(os.listdir(cache)) == 1
    index_of(grown(str(tmp_path / "G"), NAMES[1:]), cache)  # is no prefix of it, nor F of G
    assert asked == [3, 0]
    assert len(os.listdir(cache)) == 2


def test_an_entry_that_is_damaged_is_made_again(tmp_path, cache, capsys):
    inventory = grown(str(tmp_path / "F"), NAMES)
    first = index_of(inventory, cache)
    [entry] = os.listdir(cache)
    os.remove(os.path.join(cache, entry, "kind.npy"))
    assert ids(index_of(inventory, cache), NAMES)[1] == 1
    assert "damaged, and made again" in capsys.readouterr().err
    assert [a.tolist() for a in index_of(inventory, cache)] == [a.tolist() for a in first]
    assert capsys.readouterr().err == ""


def test_an_inventory_without_names_has_no_features():
    assert ids(no_index(), NAMES) == [-1] * 7


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path):
    inventory = grown(str(tmp_path / "F"), NAMES)
    (tmp_path / "file").write_text("")
    assert ids(index_of(inventory, str(tmp_path / "file" / "cache")), NAMES)[1] == 1
