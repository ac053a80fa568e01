"""index-features of lists that are against an inventory: other shards, and nothing counted."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from campanula.formats.collections.collection import Collection
from campanula.formats.collections.opening import open_lists
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.records.kbest import KBest
from campanula.stages import index_features
from tests.examples import random_lists, write_kbest
from tests.plain import plain
from tests.stages.engines.any_order import AnyOrder


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists with names in `in`, against an inventory F in `one`, and in the 4 shards of `four`."""
    monkeypatch.chdir(tmp_path)
    write_kbest("in", random_lists(7, n_lists=12)[0])
    assert run("in", "--inventory", "F", "--shards", "4", "-o", "four") == 0
    shutil.rmtree("F")
    assert run("in", "--inventory", "F", "-o", "one") == 0


def run(*argv: str) -> int:
    return index_features.main([*argv, "-q"])


def read(path: str) -> list[dict[str, object]]:
    with open_lists(path, KBest, inventory=Inventory.open("F")) as lists:
        return [plain(kbest) for kbest in lists]


def named() -> list[dict[str, object]]:
    with open_lists("in", KBest) as lists:
        return [plain(kbest) for kbest in lists]


def content(folder: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


@pytest.mark.parametrize("source", ["one", "four"])
@pytest.mark.parametrize("shards", [1, 3, 5])
def test_shards_are_cut_anew(source: str, shards: int) -> None:
    shutil.move("F", "away")
    assert run(source, "--shards", str(shards), "-o", "cut") == 0
    shutil.move("away", "F")
    assert read("cut") == named()
    found = Collection.open("cut").shards
    sizes = [shard.records for shard in found]
    assert (len(sizes), sum(sizes), max(sizes) - min(sizes) <= 1) == (shards, 12, True)
    known = [shard.inventory.names for shard in found if shard.inventory is not None]
    assert known == sorted(known)
    assert known[-1] == len(Inventory.open("F"))


def test_a_cut_that_keeps_the_shards_keeps_what_they_are_against() -> None:
    assert run("four", "--shards", "4", "-o", "cut") == 0
    for shard, other in zip(
        Collection.open("cut").shards, Collection.open("four").shards, strict=True
    ):
        assert (shard.first, shard.last) == (other.first, other.last)
        assert shard.inventory == other.inventory


def test_the_inventory_is_left_alone(capsys: pytest.CaptureFixture[str]) -> None:
    before = content("F")
    assert index_features.main(["one", "--shards", "2", "-o", "cut"]) == 0
    reference = Inventory.open("F").reference
    said = f"index-features: 12 sentences, against inventory {reference}\n"
    assert capsys.readouterr().err == said
    assert run("one", "four", "--shards", "2", "-o", "cut") == 1  # the sentences do not ascend
    assert run("one", "--extend", "F", "--no-count", "--shards", "2", "-o", "counted") == 0
    assert content("F") == before
    assert read("counted") == read("cut")


def test_names_are_added_and_nothing_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def opened(settings: object, output: object) -> Iterator[tuple[AnyOrder, str]]:
        Path("work").mkdir()
        yield AnyOrder(1), str(Path("work").absolute())
        shutil.rmtree("work")

    monkeypatch.setattr(index_features, "open_engine", opened)
    made = []
    for engine in ([], ["--engine", "dask"]):
        shutil.rmtree("G", ignore_errors=True)
        lists = ["in", "--inventory", "G", "--no-count", "--shards", "3", "-o", "lists"]
        assert run(*lists) == 0
        given = Inventory.open("G")
        assert (len(given) > 0, given.manifest.sentences) == (True, 0)
        assert not given.count.any()
        assert run("lists", "--extend", "G", "--no-count", *engine, "-o", "again") == 0
        made.append((content("again"), content("G")))
    assert made[0] == made[1]


def test_flags_and_inputs_that_do_not_fit(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("one", "--no-count", "--shards", "2", "-o", "cut") == 2
    assert run("one", "-o", "cut") == 2
    assert "or --shards alone" in capsys.readouterr().err
    assert run("one", "--shards", "2", "--engine", "dask", "-o", "cut") == 2
    assert run("one", "--shards", "2") == 2
    capsys.readouterr()
    assert run("in", "--shards", "2", "-o", "cut") == 1
    said = capsys.readouterr().err
    assert (
        said == "index-features: in: has names: expected --inventory or --extend, for their ids\n"
    )
    assert not Path("cut").exists()
