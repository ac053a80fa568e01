"""Collections of lists at random, split into shards at random."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from campanula.formats.collections.writer import CollectionWriter
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.stream_record import StreamRecord
from tests.strategies import WORD, kbest_lists


def apart(records: list[KBest]) -> list[KBest]:
    """The lists with a table of names of their own, as those of a shard have: in another order."""
    used = np.unique(np.concatenate([ids for kbest in records for ids in kbest.used_ids])).tolist()
    names = records[0].names
    table = Names(names[number] for number in used[::-1])
    ids = np.full(len(names), -1, np.int32)
    ids[used[::-1]] = np.arange(len(used))
    return [replace(k, features=k.features.translate(ids), names=table) for k in records]


@st.composite
def shards_of(
    draw: st.DrawFn, /, max_lists: int = 6, names: st.SearchStrategy[str] = WORD
) -> list[list[KBest]]:
    """Lists in ascending order, split into shards of at least one, with a table a shard."""
    lists = draw(kbest_lists(max_lists=max_lists, names=names).filter(bool))
    cuts = draw(st.sets(st.integers(1, len(lists)), max_size=3)) - {len(lists)}
    bounds = [0, *sorted(cuts), len(lists)]
    return [apart(lists[start:end]) for start, end in pairwise(bounds)]


def write(
    path: Path | str,
    shards: Sequence[Sequence[StreamRecord]],
    kind: type[StreamRecord] = KBest,
    signature: str = "how",
    metric: dict[str, str] | None = None,
) -> str:
    """Write a collection of these shards; its path."""
    with CollectionWriter(str(path), kind, signature, metric) as out:
        for shard in shards:
            out.begin()
            for record in shard:
                out.write(record)
    return str(path)


def edited(
    path: Path, change: Callable[[dict[str, Any]], object], keep_digest: bool = False
) -> None:
    """Change the manifest of a collection, with a digest that fits."""
    from campanula.formats.collections.manifest import _digest

    manifest = path / "collection.json"
    content = json.loads(manifest.read_text())
    digest = content.pop("digest")
    change(content)
    content["digest"] = digest if keep_digest else _digest(content)
    manifest.write_text(json.dumps(content))
