"""Writing a collection: whole or not at all, and nothing else gives way to it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from campanula.formats.collections.checking import ShardCounts
from campanula.formats.collections.collection import Collection
from campanula.formats.collections.manifest import MANIFEST
from campanula.formats.collections.writer import CollectionWriter, check_place
from campanula.formats.errors import DataError
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Reader, Writer
from tests.examples import ROOT
from tests.formats.collections.making import write
from tests.formats.collections.test_collection import lists_of, read


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_shards_begin_where_they_are_to(tmp_path: Path) -> None:
    path = str(tmp_path / "dev")
    with CollectionWriter(path, KBest, "how", first=[0, 3, 5, 9]) as out:
        for kbest in lists_of([1, 2, 6, 7]):
            out.write(kbest)
    shards = Collection.open(path).shards
    assert [(shard.first, shard.last) for shard in shards] == [(1, 2), (6, 7)]
    assert out.count == 4


def test_a_shard_is_what_a_writer_of_a_stream_makes(tmp_path: Path) -> None:
    write(tmp_path / "dev", [lists_of([0, 1]), lists_of([2])])
    with Writer(str(tmp_path / "one"), KBest, "how") as out:
        for kbest in lists_of([2]):
            out.write(kbest)
    assert (tmp_path / "dev" / "shard-00001.kbest").read_bytes() == (tmp_path / "one").read_bytes()


def test_shards_have_the_names_that_they_use(tmp_path: Path) -> None:
    """Even of a table that they share, and that grows while they are written."""
    names, table = Names(), {}
    with CollectionWriter(str(tmp_path / "dev"), KBest, "how", first=[0, 1, 2]) as out:
        for sid in range(3):
            features = Features.of([{"LM0": 1.0, f"s{sid}": 2.0}, {"LM0": 1.0}], names)
            out.write(KBest(sid, Texts.of(["a", "b"]), features, names))
    for shard in Collection.open(str(tmp_path / "dev")).shards:
        with Reader(shard.path, KBest) as lists:
            list(lists)
        table[shard.first] = list(lists.names)
    assert table == {sid: ["LM0", f"s{sid}"] for sid in range(3)}


def test_a_second_run_has_the_same_bytes(tmp_path: Path) -> None:
    shards = [lists_of([0, 1]), lists_of([2])]
    one, other = (tmp_path / name for name in ("one", "other"))
    write(one, shards)
    write(other, shards)
    assert content(one) == content(other)


def test_a_collection_gives_way_to_another(tmp_path: Path) -> None:
    write(tmp_path / "dev", [lists_of([0]), lists_of([1])])
    write(tmp_path / "dev", [lists_of([5])])
    assert read(tmp_path / "dev") == [5]
    assert os.listdir(tmp_path) == ["dev"]


def test_an_empty_folder_gives_way(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    write(f"{tmp_path}/dev/", [lists_of([5])])
    assert read(tmp_path / "dev") == [5]


def test_a_link_stays(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "dev").symlink_to(tmp_path / "there")
    write(tmp_path / "dev", [lists_of([5])])
    assert (tmp_path / "dev").is_symlink()
    assert read(tmp_path / "there") == [5]


def test_nothing_else_gives_way(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "letter").write_text("x")
    (tmp_path / "hidden" / ".git").mkdir(parents=True)
    write(tmp_path / "changed", [lists_of([5])])
    (tmp_path / "changed" / ".note").write_text("x")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "shard-00000.txt").write_text("a text")
    expected = {
        "file": "found a file",
        "home": "found letter in it",
        "hidden": "found .git in it",
        "changed": "found .note in it",
        "parts": "found shard-00000.txt in it",
    }
    for name, found in expected.items():
        with pytest.raises(DataError, match=found):
            write(tmp_path / name, [lists_of([5])])
    with pytest.raises(DataError, match="No such file or directory"):
        check_place(str(tmp_path / "nowhere" / "dev"))
    assert (tmp_path / "home" / "letter").read_text() == "x"
    assert sorted(os.listdir(tmp_path)) == sorted(expected)


@pytest.mark.parametrize("kind", [KeyboardInterrupt, DataError])
def test_an_exception_leaves_what_was_there(tmp_path: Path, kind: type[BaseException]) -> None:
    write(tmp_path / "dev", [lists_of([0])])
    before = content(tmp_path / "dev")

    def fail() -> None:
        with CollectionWriter(str(tmp_path / "dev"), KBest, "how") as out:
            out.write(lists_of([3])[0])
            raise kind("x", None, "y")

    with pytest.raises(kind):
        fail()
    assert content(tmp_path / "dev") == before
    assert os.listdir(tmp_path) == ["dev"]


def test_what_has_no_records_is_none(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="found no record"):
        write(tmp_path / "dev", [])
    assert os.listdir(tmp_path) == []


def test_sentences_ascend_over_shards(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="sentence 1 is written after 1"):
        write(tmp_path / "dev", [lists_of([0, 1]), lists_of([1])])
    assert os.listdir(tmp_path) == []


def test_streams_of_other_tasks_are_taken_as_they_are(tmp_path: Path) -> None:
    write(tmp_path / "dev", [lists_of([0, 1]), lists_of([2])])
    with CollectionWriter(str(tmp_path / "other"), KBest, "how") as out:
        for number in range(2):
            out.adopt(str(tmp_path / "dev" / f"shard-0000{number}.kbest"))
    assert content(tmp_path / "other") == content(tmp_path / "dev")
    assert out.count == 3


def test_a_stream_whose_writer_has_counted_is_not_read_again(tmp_path: Path) -> None:
    write(tmp_path / "dev", [lists_of([0, 1]), lists_of([5])])
    shards = Collection.open(str(tmp_path / "dev")).shards
    with CollectionWriter(str(tmp_path / "other"), KBest, "how") as out:
        for s in shards:
            out.adopt(s.path, ShardCounts(s.first, s.last, s.records, s.hypotheses))
    assert content(tmp_path / "other") == content(tmp_path / "dev")


def adopt_after_sentence_1(path: str, stream: str) -> None:
    with CollectionWriter(path, KBest, "how") as out:
        out.write(lists_of([1])[0])
        out.adopt(stream)


@pytest.mark.parametrize(
    ("sids", "signature", "message"),
    [([3], "other", "header: expected the signature 'how', found 'other'"), ([1], "how", "ascend")],
)
def test_a_stream_of_another_run_is_not_taken(
    tmp_path: Path, sids: list[int], signature: str, message: str
) -> None:
    with Writer(str(tmp_path / "one"), KBest, signature) as one:
        for kbest in lists_of(sids):
            one.write(kbest)
    with pytest.raises(DataError, match=message):
        adopt_after_sentence_1(str(tmp_path / "dev"), str(tmp_path / "one"))
    assert os.listdir(tmp_path) == ["one"]


def test_the_manifest_is_there_for_people(tmp_path: Path) -> None:
    write(tmp_path / "dev", [lists_of([0])])
    assert (tmp_path / "dev" / MANIFEST).read_text().startswith('{\n "kind": "collection",')


ENDED = """
import os, signal, sys, time
from campanula.formats import signals
from campanula.formats.collections.checking import ShardCounts
from campanula.formats.collections.writer import CollectionWriter
from campanula.formats.records.kbest import KBest
from tests.formats.collections.test_collection import lists_of

signals.install()
with CollectionWriter(sys.argv[1], KBest, "how", first=[0, 1, 2]) as out:
    for kbest in lists_of([0, 1, 2]):
        out.write(kbest)
    print(sorted(os.listdir(os.path.dirname(sys.argv[1])))[0], flush=True)
    os.kill(os.getpid(), int(sys.argv[2]))
    time.sleep(30)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_signal_leaves_what_was_there(tmp_path: Path, number: signal.Signals) -> None:
    """And nothing that is not whole, but for SIGKILL: a hidden folder, which nothing takes."""
    write(tmp_path / "dev", [lists_of([7])])
    before = content(tmp_path / "dev")
    argv = [sys.executable, "-c", ENDED, str(tmp_path / "dev"), str(int(number))]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, timeout=60, check=False)
    assert done.returncode == -number, done.stderr
    assert content(tmp_path / "dev") == before
    left = [name for name in os.listdir(tmp_path) if name != "dev"]
    assert left == ([done.stdout.decode().strip()] if number == signal.SIGKILL else [])
    write(tmp_path / "dev", [lists_of([7])])
    assert content(tmp_path / "dev") == before
