"""index-features: an inventory and lists against it, equal to a dictionary's."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from campanula.formats.collections.collection import Collection
from campanula.formats.collections.opening import open_lists
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.stream import Reader, Writer
from campanula.stages import index_features
from campanula.stages.inventories.growing import Growing
from tests.examples import random_lists, write_kbest
from tests.formats.collections.making import edited, shards_of, write
from tests.naive.inventory import Dictionary
from tests.plain import plain
from tests.strategies import NAME

BIN = Path(sys.executable).parent


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_kbest("in", random_lists(7, n_lists=8)[0])
    return tmp_path


def run(*argv: str) -> int:
    return index_features.main([*argv, "-q"])


def refused(capsys, *argv: str) -> str:
    """What is said of inputs at fault; nothing is written."""
    before = set(Path().rglob("*"))
    assert run(*argv) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert set(Path().rglob("*")) == before
    return said.err


def read(path: str, inventory: str | None = None) -> list[dict]:
    given = None if inventory is None else Inventory.open(inventory)
    with open_lists(path, KBest, inventory=given) as lists:
        return [plain(kbest) for kbest in lists]


def part(path: str, start: int, end: int) -> None:
    """Write the sentences from `start` up to `end` of `in`, with names of their own."""
    with Reader("in", KBest) as lists, Writer(path, KBest, "part") as out:
        for kbest in lists:
            if start <= kbest.sid < end:
                out.write(kbest)


def test_lists_keep_all_but_their_names():
    assert run("in", "--inventory", "F", "-o", "out") == 0
    assert read("out", "F") == read("in")
    with Reader("out", KBest, inventory=Inventory.open("F")) as lists:
        assert lists.inventory == Inventory.open("F").reference
        assert lists.signature.startswith("campanula:")
    assert sorted(path.name for path in Path().iterdir()) == ["F", "in", "out"]


@given(shards=shards_of(names=NAME))
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_equal_to_a_dictionary(tmp_path_factory, shards):
    folder = tmp_path_factory.mktemp("index")
    collection, inventory, out = (str(folder / name) for name in ("in", "F", "out"))
    write(collection, shards)
    twin = Dictionary()
    expected = []
    for shard in Collection.open(collection).shards:
        with Reader(shard.path, KBest) as lists:
            for kbest in lists:
                twin.declare(lists.names)
                expected.append(plain(kbest))
                twin.see(expected[-1]["features"])
    assert run(collection, "--inventory", inventory, "-o", out) == 0
    assert read(out, inventory) == expected
    found = Inventory.open(inventory)
    assert list(found) == list(twin.ids)
    assert found.count.tolist() == list(twin.count.values())
    assert found.manifest.sentences == twin.sentences


def test_inputs_one_after_the_other_are_as_good_as_one():
    part("a", 0, 3)
    part("b", 3, 8)
    assert run("in", "--inventory", "F", "-o", "whole") == 0
    assert run("a", "b", "--inventory", "G", "-o", "joined") == 0
    assert read("joined", "G") == read("in")
    assert run("a", "--inventory", "H", "-o", "first") == 0
    before = Path("first").read_bytes()
    assert run("b", "--extend", "H", "-o", "second") == 0
    assert [*read("first", "H"), *read("second", "H")] == read("in")
    assert read("first", "G") == read("in")[:3]
    assert Path("first").read_bytes() == before
    one, other = Inventory.open("G"), Inventory.open("H")
    assert one.reference == other.reference
    assert np.array_equal(one.count, other.count)


def test_a_copy_is_extended_and_the_first_stays():
    part("a", 0, 3)
    part("b", 3, 8)
    assert run("a", "--inventory", "F", "-o", "first") == 0
    before = {path: path.read_bytes() for path in Path("F").iterdir()}
    assert run("b", "--extend", "F", "--inventory", "G", "-o", "second") == 0
    assert {path: path.read_bytes() for path in Path("F").iterdir()} == before
    assert [*read("first", "G"), *read("second", "G")] == read("in")
    assert Inventory.open("G").manifest.sentences == 8


def test_lists_against_a_prefix_are_taken():
    part("a", 0, 3)
    part("b", 3, 8)
    assert run("a", "--inventory", "F", "-o", "first") == 0
    assert run("b", "--extend", "F", "-o", "second") == 0
    assert run("first", "b", "--extend", "F", "--inventory", "G", "-o", "all") == 0
    assert read("all", "G") == read("in")
    assert Inventory.open("G").reference == Inventory.open("F").reference
    assert Inventory.open("G").manifest.sentences == 16


@pytest.mark.parametrize("shards", [1, 3, 8, 20])
def test_a_collection_of_shards(shards):
    assert run("in", "--inventory", "F", "--shards", str(shards), "-o", "all") == 0
    found = Collection.open("all").shards
    assert len(found) == min(shards, 8)
    sizes = [shard.records for shard in found]
    assert max(sizes) - min(sizes) <= 1
    assert [record for shard in found for record in read(shard.path, "F")] == read("in")
    given = Inventory.open("F")
    with open_lists("all", KBest, inventory=given) as lists:
        assert [plain(kbest) for kbest in lists] == read("in")
        assert lists.inventory == given.reference
    with open_lists("all", KBest) as lists:
        assert lists.inventory == given.reference
        assert {id(kbest.names) for kbest in lists} == {id(lists.names)}


def test_a_second_run_gives_the_same_bytes():
    for name in ("one", "other"):
        assert run("in", "--inventory", f"{name}.F", "-o", name) == 0
    assert Path("one").read_bytes() == Path("other").read_bytes()
    for path in Path("one.F").iterdir():
        assert path.read_bytes() == Path("other.F", path.name).read_bytes()


def test_what_does_not_go_together_is_named(capsys):
    part("a", 0, 3)
    part("b", 3, 8)
    assert run("a", "--inventory", "F", "-o", "first") == 0
    with Reader("b", KBest) as lists, Writer("other", KBest, "how") as out:
        for kbest in lists:
            names = Names(f"other-{name}" for name in kbest.names)
            out.write(replace(kbest, names=names))
    assert run("other", "--inventory", "G", "-o", "second") == 0
    capsys.readouterr()
    said = refused(capsys, "second", "--extend", "F", "-o", "out")
    assert "second: is against an" in said
    assert "than F" in said
    said = refused(capsys, "first", "--inventory", "H", "-o", "out")
    assert "first: is against inventory" in said
    assert "--extend" in said
    said = refused(capsys, "b", "a", "--inventory", "H", "-o", "out")
    assert "a: sentence 0: expected a sentence after 7" in said
    said = refused(capsys, "b", "--inventory", "F", "-o", "out")
    assert "F: is an inventory already; --extend adds to it" in said
    said = refused(capsys, "b", "--extend", "none", "-o", "out")
    assert "none: expected an inventory; no such folder" in said
    with Writer("c", KBest, "how", {"name": "wer"}):
        pass
    assert "c: expected the metric of b" in refused(capsys, "b", "c", "--inventory", "H")


def test_a_cut_stream_leaves_the_inventory_as_it_was(capsys):
    part("a", 0, 3)
    assert run("a", "--inventory", "F", "-o", "first") == 0
    capsys.readouterr()
    data = Path("in").read_bytes()
    Path("in").write_bytes(data[: len(data) * 9 // 10])
    before = {path: path.read_bytes() for path in Path("F").iterdir()}
    refused(capsys, "in", "--extend", "F", "-o", "out")
    assert {path: path.read_bytes() for path in Path("F").iterdir()} == before
    refused(capsys, "in", "--inventory", "G", "-o", "out")


def test_flags(capsys):
    for argv in (["in", "-o", "out"], ["in", "--inventory", "F", "--shards", "2"]):
        assert index_features.main(argv) == 2
        assert "(see index-features --help)" in capsys.readouterr().err


def test_a_second_process_says_that_it_waits():
    part("a", 0, 3)
    part("b", 3, 8)
    assert run("a", "--inventory", "F", "-o", "first") == 0
    argv = [str(BIN / "index-features"), "b", "--extend", "F", "-o", "second"]
    holder = Growing("F")
    with subprocess.Popen(argv, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        assert said == "index-features: another process adds to F; waiting for it\n"
        assert process.poll() is None
        holder.close()
        assert process.wait(60) == 0
    assert read("second", "F") == read("in")[3:]


def test_a_pipe_is_as_good_as_a_file():
    assert run("in", "--inventory", "F", "-o", "out") == 0
    done = subprocess.run(
        [BIN / "index-features", "-", "--inventory", "G", "-q"],
        input=Path("in").read_bytes(),
        capture_output=True,
        check=True,
    )
    assert done.stdout == Path("out").read_bytes()


def test_streams_of_many_extensions_have_the_ids_of_one_pass():
    with Writer("in", KBest, "test") as out:
        for kbest in random_lists(5, n_lists=60)[0]:
            row = [kbest.names.id(f"pair-{kbest.sid // 2}"), kbest.names.id(f"of-{kbest.sid % 7}")]
            features = replace(
                kbest.features,
                binary_id=np.array(row * len(kbest), np.int32),
                binary_pointer=2 * np.arange(len(kbest) + 1),
            )
            out.write(replace(kbest, features=features))
    cuts = np.sort(np.random.default_rng(1).choice(np.arange(1, 60), 24, replace=False)).tolist()
    assert run("in", "--inventory", "once", "-o", "whole") == 0
    before = {}
    for number, (start, end) in enumerate(pairwise([0, *cuts, 60])):
        part("part", start, end)
        flag = "--extend" if number else "--inventory"
        assert run("part", flag, "often", "-o", f"part-{number}") == 0
        before[f"part-{number}"] = Path(f"part-{number}").read_bytes()
    assert Inventory.open("once").reference == Inventory.open("often").reference
    assert np.array_equal(Inventory.open("once").count, Inventory.open("often").count)
    whole = iter(ids_of("whole", "once"))
    for name, data in before.items():
        assert Path(name).read_bytes() == data
        for ids in ids_of(name, "often"):
            assert all(map(np.array_equal, ids, next(whole)))


def ids_of(path: str, inventory: str) -> list[tuple[np.ndarray, ...]]:
    """Ids of all lists of a stream."""
    with Reader(path, KBest, inventory=Inventory.open(inventory)) as lists:
        features = [kbest.features for kbest in lists]
    return [(each.dense_id, each.sparse_id, each.binary_id) for each in features]


def test_shards_are_held_to_their_manifest(capsys):
    assert run("in", "--inventory", "F", "--shards", "3", "-o", "coll") == 0
    whole = Path("coll/collection.json").read_bytes()

    def one_more(content):
        content["shards"][1]["hypotheses"] += 1
        content["hypotheses"] += 1

    for change, said in (
        (lambda content: content.update(signature="other"), "header: expected the signature"),
        (one_more, "as collection.json says, found sentences"),
    ):
        edited(Path("coll"), change)
        assert said in refused(capsys, "coll", "--extend", "F", "-o", "again")
        Path("coll/collection.json").write_bytes(whole)


def test_lists_into_the_folder_of_the_inventory(folder):
    assert run("in", "--inventory", "F", "-o", "F/lists") == 0
    assert run("in", "--extend", "F", "-o", "F/again") == 0
    assert read("F/again", "F") == read("F/lists", "F")
