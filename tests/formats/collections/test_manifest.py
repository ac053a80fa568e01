"""Manifests: what is written is read, and nothing else is taken for one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from campanula.formats.collections.manifest import MANIFEST, Manifest, Shard, shard_name
from campanula.formats.errors import DataError
from tests.formats.collections.making import edited


def a_manifest(folder: Path) -> Manifest:
    shards = tuple(
        Shard(str(folder / shard_name(s, "kbest")), 10 * s, 10 * s + 8, 5, 70, f"{s:016x}", 1000)
        for s in range(3)
    )
    return Manifest("kbest", "how|é", {"name": "bleu", "gain": {"smooth": 0.1}}, shards)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    manifest = a_manifest(tmp_path)
    manifest.write(str(tmp_path))
    read = Manifest.read(str(tmp_path))
    assert read == manifest
    assert (read.records, read.hypotheses) == (15, 210)
    assert read.digest() == manifest.digest()


def test_the_digest_is_of_what_it_says(tmp_path: Path) -> None:
    manifest = a_manifest(tmp_path)
    content = manifest._content()
    other = Manifest("kbest", "other", manifest.metric, manifest.shards)
    fewer = Manifest("kbest", "how|é", manifest.metric, manifest.shards[:2])
    assert len({m.digest() for m in (manifest, other, fewer)}) == 3
    assert "digest" not in content


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.update(kind="kbest"), "expected 'collection' of version 1, found 'kbest'"),
        (lambda c: c.update(version=2), "found 'collection', 2"),
        (lambda c: c.update(shards=[]), "at least one"),
        (lambda c: c.update(shards=7), "a list of shards"),
        (lambda c: c.update(of=None), "expected 'of'"),
        (lambda c: c.update(signature=[]), "a text 'signature'"),
        (lambda c: c.update(metric="bleu"), "a map 'metric'"),
        (lambda c: c.update(records=16), "counts that add up"),
        (lambda c: c.update(more=1), "no other keys"),
        (lambda c: c["shards"][1].update(more=1), "no other keys"),
        (
            lambda c: c["shards"][1].update(file="../other"),
            "shard 1: expected the file shard-00001",
        ),
        (lambda c: c["shards"].reverse(), "shard 0: expected the file shard-00000.kbest"),
        (lambda c: c["shards"][1].update(first=-1), "shard 1: expected whole numbers"),
        (lambda c: c["shards"][1].update(last=True), "shard 1: expected whole numbers"),
        (lambda c: c["shards"][1].pop("bytes"), "shard 1: expected whole numbers"),
        (lambda c: c["shards"][1].update(checksum=1), "shard 1: expected at least a record"),
        (lambda c: c["shards"][1].update(records=0), "shard 1: expected at least a record"),
        (lambda c: c["shards"][1].update(records=10), "at most one a sentence"),
        (lambda c: c["shards"][1].update(first=8), "shard 1: expected sentences after 8"),
        (lambda c: c["shards"].insert(0, 7), "shard 0: expected the file"),
    ],
)
def test_what_no_writer_writes_is_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], message: str
) -> None:
    a_manifest(tmp_path).write(str(tmp_path))
    edited(tmp_path, change)
    with pytest.raises(DataError, match=message) as failure:
        Manifest.read(str(tmp_path))
    assert "\n" not in str(failure.value)
    assert failure.value.where == str(tmp_path / MANIFEST)


def test_an_edited_manifest_does_not_fit_its_digest(tmp_path: Path) -> None:
    a_manifest(tmp_path).write(str(tmp_path))
    edited(tmp_path, lambda c: c.update(signature="other"), keep_digest=True)
    with pytest.raises(DataError, match="the digest does not fit"):
        Manifest.read(str(tmp_path))


def test_a_manifest_that_is_cut_anywhere_is_refused(tmp_path: Path) -> None:
    a_manifest(tmp_path).write(str(tmp_path))
    path = tmp_path / MANIFEST
    whole = path.read_bytes().rstrip()
    for size in range(0, len(whole), 3):
        path.write_bytes(whole[:size])
        with pytest.raises(DataError):
            Manifest.read(str(tmp_path))


def test_a_manifest_with_a_bit_flipped_is_refused(tmp_path: Path) -> None:
    a_manifest(tmp_path).write(str(tmp_path))
    path = tmp_path / MANIFEST
    whole, content = path.read_bytes(), json.loads(path.read_text())
    for place in range(0, len(whole) - 1, 2):
        path.write_bytes(
            whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :]
        )
        try:
            Manifest.read(str(tmp_path))
        except DataError:
            continue
        assert json.loads(path.read_text()) == content  # such as a blank that became a tab


def test_folders_without_a_manifest(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=re.escape("its collection.json, found a folder without")):
        Manifest.read(str(tmp_path))
    (tmp_path / MANIFEST).write_text("[" * 100_000)
    with pytest.raises(DataError, match=r"expected a JSON object, found .*recursion"):
        Manifest.read(str(tmp_path))
    (tmp_path / MANIFEST).write_text("[]")
    with pytest.raises(DataError, match="expected a JSON object, found"):
        Manifest.read(str(tmp_path))
