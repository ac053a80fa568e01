"""The commands and the Python of docs/collections.md run one after another."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from campanula.formats.collections.collection import Collection
from tests.collections import contents
from tests.pages import blocks, run_block, text_of
from tests.small_models import write_model_folder

N = 2100


def block_of(language: str) -> str:
    (block,) = blocks(text_of("collections"), language)
    return block


@pytest.mark.slow
def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_model_folder(tmp_path)
    Path("train.de").write_text("".join("abc"[i % 3] + " b\n" for i in range(N)))
    Path("train.en").write_text("u v\n" * N)
    printed = run_block(block_of("sh"), tmp_path)
    assert json.loads(printed)["sid"] == 0
    assert len(Path("train.out").read_text().splitlines()) == N
    shards = Collection.open("train.scored").shards
    assert [(shard.first, shard.last) for shard in shards] == [(0, 999), (1000, 1999), (2000, 2099)]
    exec(block_of("python"), {})
    assert len(Collection.open("halves").shards) == 5
    assert contents("one.kbest") == contents("train.scored")


def test_the_manifest_has_these_keys(tmp_path: Path) -> None:
    from tests.formats.collections.making import write
    from tests.formats.collections.test_collection import lists_of

    write(tmp_path / "dev", [lists_of([0])])
    found = json.loads((tmp_path / "dev" / "collection.json").read_text())
    shown = json.loads(block_of("json"))
    assert found.keys() == shown.keys()
    assert found["shards"][0].keys() == shown["shards"][0].keys()
    assert all(type(found[key]) is type(shown[key]) for key in found)
