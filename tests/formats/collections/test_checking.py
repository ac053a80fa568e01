"""A shard that is not what its manifest says is refused by name, header and records."""

from __future__ import annotations

from operator import methodcaller
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from campanula.formats.collections.checking import check_header, checked_records
from campanula.formats.collections.collection import Collection
from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader
from tests.formats.collections.making import edited, shards_of, write


def lists_of(path: Path) -> list[int]:
    """Sentences of all shards, each held to the manifest."""
    collection = Collection.open(str(path))
    found = []
    for shard in collection.shards:
        with Reader(shard.path, KBest) as reader:
            check_header(reader, collection.manifest, shard)
            found += [record.sid for record in checked_records(reader, shard)]
    return found


@settings(max_examples=15)
@given(shards_of())
def test_what_was_written_is_held(
    tmp_path_factory: pytest.TempPathFactory, shards: list[list[KBest]]
) -> None:
    path = tmp_path_factory.mktemp("held") / "dev"
    write(path, shards)
    assert lists_of(path) == [kbest.sid for shard in shards for kbest in shard]


@settings(max_examples=5)
@given(shards_of(), shards_of())
def test_another_signature_or_metric(
    tmp_path_factory: pytest.TempPathFactory, shards: list[list[KBest]], others: list[list[KBest]]
) -> None:
    folder = tmp_path_factory.mktemp("held")
    for change, what in (
        ({"signature": "other"}, "the signature that"),
        ({"metric": {"name": "bleu"}}, "the metric that"),
        ({"inventory": {"names": 1, "digest": "0" * 32}}, "the inventory that"),
    ):
        write(folder / "dev", shards)
        edited(folder / "dev", methodcaller("update", change))
        with pytest.raises(DataError, match=f"shard-00000.kbest: header: expected {what}"):
            lists_of(folder / "dev")


@settings(max_examples=5)
@given(shards_of())
def test_other_sentences_or_hypotheses(
    tmp_path_factory: pytest.TempPathFactory, shards: list[list[KBest]]
) -> None:
    folder = tmp_path_factory.mktemp("held")

    def one_more(content: dict[str, Any]) -> None:
        content["shards"][-1]["hypotheses"] += 1
        content["hypotheses"] += 1

    def further(content: dict[str, Any]) -> None:
        content["shards"][-1]["last"] += 1

    for change in (one_more, further):
        write(folder / "dev", shards)
        edited(folder / "dev", change)
        with pytest.raises(DataError, match="json says, found sentences"):
            lists_of(folder / "dev")
