"""A set of lists, one of each sentence: what an iteration adds to the relevant sets.

Its hypotheses are rows of numbers: texts are let go of but for a hash, by which equal hypotheses
are told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from campanula.formats.arrays.growing import Column
from campanula.formats.arrays.types import Ints
from campanula.formats.collections.opening import open_lists
from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.stages.kernels.relevant.records import Rows
from campanula.stages.metrics.scored_lists import sound
from campanula.stages.metrics.table import metric_of
from campanula.stages.tuning.chunks import gain_of
from campanula.stages.tuning.packing import Packer
from campanula.stages.tuning.relevant.rows_cache import entry_of, identity_of, kept, stored

Watch = Callable[[Iterable[KBest]], Iterable[KBest]]
"""What lists pass through while they are read, such as a progress bar."""

WHOLE = np.uint64(0xFFFFFFFFFFFFFFFF)


@dataclass(frozen=True, slots=True)
class SetOfLists:
    """Lists of sentences sid (n_lists,), as rows, whose ids are those of `names`.

    reference: the inventory that the lists are against, if they are; metric: the metric, as a
    header has it.
    """

    name: str
    sid: Ints
    rows: Rows
    names: Names
    checksum: str = ""
    reference: InventoryReference | None = None
    metric: Mapping[str, object] | None = None

    @property
    def n_hyps(self) -> int:
        """Number of hypotheses."""
        return len(self.rows.gain)

    @property
    def n_entries(self) -> int:
        """Number of features that are not 0, of all hypotheses."""
        return len(self.rows.valued_id) + len(self.rows.binary_id)

    @classmethod
    def of(
        cls,
        lists: Iterable[KBest],
        source: str,
        names: Names | None = None,
        metric: Mapping[str, object] | None = None,
    ) -> SetOfLists:
        """A set of scored lists with one table of names; `source` names them in errors.

        Their names are added to the table `names`, if it is given, whose ids the rows then have.
        Raises DataError for a list without gains or with wrong statistics, and for no lists.
        """
        from campanula.stages.kernels.inventory.fingerprints import fingerprints
        from campanula.stages.kernels.relevant.rows import rows_of

        packer, own = Packer(), Names()
        sid, gain, text = Column(np.int64), Column(np.float64), Column(np.uint64)
        for kbest in sound(lists, metric_of(metric, source), source):
            sid.append(kbest.sid)
            packer.add(kbest.features)
            gain.extend(gain_of(kbest, source))
            texts, own = kbest.text, kbest.names
            hashes = np.empty(len(kbest), np.uint64)
            blob = np.frombuffer(bytearray(texts.blob), np.uint8)
            with np.errstate(over="ignore"):  # a hash wraps around
                fingerprints(blob, texts.pointer, WHOLE, hashes)
            text.extend(hashes)
        if not len(sid):
            raise DataError(source, None, "expected k-best lists, found none")
        packed = packer.lists()
        if names is not None and names is not own:
            ids = names.ids_of(own)
            moved: dict[str, Any] = {
                part: ids[getattr(packed, part)] for part in ("dense_id", "sparse_id", "binary_id")
            }
            packed = packed._replace(**moved)
        rows = rows_of(packed, gain.values, text.values)
        return cls(source, sid.values, rows, own if names is None else names, metric=metric)

    @classmethod
    def read(
        cls,
        path: str,
        inventory: Inventory | None = None,
        names: Names | None = None,
        watch: Watch = lambda lists: lists,
        cache: str | None = None,
    ) -> SetOfLists:
        """Read a scored stream or collection; raises DataError as `of` does.

        Of lists against an inventory the ids are kept; the names of others are added to `names`.
        cache: a folder for the rows of lists against an inventory, which are mapped from there.
        """
        with open_lists(path, KBest, inventory=inventory) as reader:
            if reader.inventory is None:
                found = cls.of(watch(reader), reader.name, names, reader.metric)
                return replace(found, checksum=reader.checksum)
            reference = reader.inventory
            identity = None if cache is None else identity_of(path)
            entry = None if cache is None or identity is None else entry_of(cache, identity)
            mapped = None if entry is None else stored(entry)
            if mapped is not None and identity is not None:
                seen = reader.name, *mapped, reader.names, identity
                return cls(*seen, reference, reader.metric)
            found = cls.of(watch(reader), reader.name, None, reader.metric)
            found = replace(found, checksum=reader.checksum, reference=reference)
        if entry is None or found.checksum != identity:
            return found
        sid, rows = kept(entry, found.sid, found.rows)
        return replace(found, sid=sid, rows=rows)
