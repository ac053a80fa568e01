"""Reading a collection is reading the one stream that its shards are together."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings

from campanula.formats.collections.collection import Collection
from campanula.formats.collections.reader import CollectionReader
from campanula.formats.errors import DataError
from campanula.formats.records.hope import Hope
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader, Writer
from tests.formats.collections.making import shards_of, write
from tests.plain import plain
from tests.strategies import hopes

METRIC = {"name": "bleu"}


@settings(max_examples=30)
@given(shards_of())
def test_a_collection_is_the_stream_of_its_shards(shards):
    lists = [kbest for shard in shards for kbest in shard]
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder) / "dev", shards, metric=METRIC)
        with Writer(f"{folder}/one", KBest, "how", METRIC) as out:
            for kbest in lists:
                out.write(kbest)
        with Reader(f"{folder}/one", KBest) as one:
            expected = [plain(kbest) for kbest in one]
        collection = Collection.open(path)
        with CollectionReader(collection, KBest) as together:
            read = list(together)
            assert [plain(kbest) for kbest in read] == expected
            assert {id(kbest.names) for kbest in read} == {id(together.names)}
            # the names in the order in which they are met, as in one stream
            assert sorted(together.names) == sorted(one.names)
            assert (together.signature, together.metric) == (one.signature, one.metric)
            assert (together.count, together.name) == (one.count, path)
            assert together.checksum == collection.digest
        with CollectionReader(collection, KBest, names=together.names) as again:
            assert [plain(kbest) for kbest in again] == expected
        with CollectionReader(collection, KBest, by_shard=True) as by_shard:
            read = list(by_shard)
            assert [plain(kbest) for kbest in read] == expected
            assert len({id(kbest.names) for kbest in read}) == len(shards)


@settings(max_examples=30)
@given(hopes().filter(bool))
def test_hopes(records):
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder) / "dev", [[hope] for hope in records], Hope)
        with CollectionReader(Collection.open(path), KBest, Hope) as read:
            assert [plain(hope) for hope in read] == [plain(hope) for hope in records]
        with pytest.raises(DataError, match="expected a collection of 'kbest', found 'hope'"):
            CollectionReader(Collection.open(path), KBest)


@settings(max_examples=30)
@given(shards_of(), shards_of())
def test_names_that_were_not_there_before_are_refused(shards, others):
    with tempfile.TemporaryDirectory() as folder:
        known = []
        for number, part in enumerate((shards, others)):
            path = write(Path(folder) / str(number), part)
            with CollectionReader(Collection.open(path), KBest) as lists:
                list(lists)
            known.append((path, lists.names))
        (_, names), (path, other) = known
        reader = CollectionReader(Collection.open(path), KBest, names=names)
        if set(other) <= set(names):
            list(reader)
        else:
            with pytest.raises(DataError, match="they have changed"):
                list(reader)
