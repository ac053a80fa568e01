import os
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.stages.tuning.sharded import loading
from campanula.stages.tuning.sharded.loading import Loader
from campanula.stages.tuning.sharded.store import stored
from tests.formats.collections.making import edited
from tests.stages.tuning.sharded import files


@pytest.fixture
def paths(tmp_path):
    return files.write(tmp_path)


def test_shards_are_packed_once(paths):
    first = Loader(paths["cache"]).load(paths["coll"])
    entries = sorted(os.listdir(os.path.join(paths["cache"], "shards")))
    assert len(entries) == 3
    stamps = [os.stat(os.path.join(paths["cache"], "shards", name)).st_mtime_ns for name in entries]
    again = Loader(paths["cache"], jobs=2).load(paths["coll"])
    assert stamps == [
        os.stat(os.path.join(paths["cache"], "shards", name)).st_mtime_ns for name in entries
    ]
    whole = Loader(paths["cache"]).load(paths["one.kbest"])
    assert again.n_lists == whole.n_lists == 20
    assert again.n_entries == whole.n_entries
    assert (again.sid == whole.sid).all()
    assert (first.size == whole.size).all()
    assert len(again.names) == len(whole.names)
    gains = np.concatenate([shard.lists.gain for shard in again.shards])
    assert (gains == whole.shards[0].lists.gain).all()


def test_a_damaged_entry_is_made_again_and_said(paths):
    Loader(paths["cache"]).load(paths["coll"])
    shards = os.path.join(paths["cache"], "shards")
    entry = os.path.join(shards, min(os.listdir(shards)))
    with open(os.path.join(entry, "gain.npy"), "ab") as file:
        file.write(b"x")
    said: list[str] = []
    data = Loader(paths["cache"], say=said.append).load(paths["coll"])
    assert data.n_lists == 20
    assert len(said) == 1
    assert said[0].startswith(f"{entry}: damaged, and made again: gain.npy: expected")
    said.clear()
    Loader(paths["cache"], say=said.append).load(paths["coll"])
    assert said == []


def test_what_another_process_has_packed_meanwhile_is_taken(paths, monkeypatch):
    seen = []

    def too_early(entry, name):
        seen.append(entry)
        return stored(entry, name) if seen.count(entry) > 1 else None

    Loader(paths["cache"]).load(paths["coll"])
    shards = Path(paths["cache"], "shards")
    made = {path: path.stat().st_ino for path in shards.iterdir()}
    monkeypatch.setattr(loading, "stored", too_early)
    assert Loader(paths["cache"]).load(paths["coll"]).n_lists == 20
    assert {path: path.stat().st_ino for path in shards.iterdir()} == made


def test_a_shard_that_is_missing_is_named(paths):
    os.unlink(os.path.join(paths["coll"], "shard-00001.kbest"))
    with pytest.raises(DataError, match=r"shard-00001\.kbest: expected this shard"):
        Loader(paths["cache"]).load(paths["coll"])


def test_shards_are_held_to_the_manifest(paths):
    Loader(paths["cache"]).load(paths["coll"])

    def one_more(content):
        content["shards"][1]["hypotheses"] += 1
        content["hypotheses"] += 1

    changes = [
        (lambda content: content.update(signature="other"), "00000.* the signature that"),
        (lambda content: content["inventory"].update(names=1, digest="0" * 32), "the inventory"),
        (one_more, r"shard-00001\.kbest: expected sentences"),
    ]
    manifest = Path(paths["coll"], "collection.json")
    whole = manifest.read_bytes()
    for change, match in changes:
        edited(manifest.parent, change)
        for cache in (paths["cache"], paths["cache"] + "2"):
            with pytest.raises(DataError, match=match):
                Loader(cache).load(paths["coll"])
        manifest.write_bytes(whole)


def test_another_inventory_is_refused(paths, tmp_path):
    (tmp_path / "b").mkdir()
    other = files.write(tmp_path / "b", n_features=400)
    loader = Loader(paths["cache"], inventory=Inventory.open(other["inv"]))
    with pytest.raises(DataError, match="is against an inventory with 100 names more"):
        loader.load(paths["coll"])
