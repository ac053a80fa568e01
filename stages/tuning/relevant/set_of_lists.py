"""A set of lists, one for each sentence: what an iteration adds to the relevant sets.

Its hypotheses are rows of numbers; of a text only a hash is kept, by which equal hypotheses are
recognised.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
from campanula.stages.tuning.relevant.rows_cache import entry_of, identity_of, store_and_map, stored
from campanula.stages.tuning.tuning_set import WatchLists

WHOLE = np.uint64(0xFFFFFFFFFFFFFFFF)  # mask of `fingerprints`: keep all 64 bits of a hash


@dataclass(frozen=True, slots=True)
class SetOfLists:
    """Lists of sentences sid (n_lists,), as rows with feature ids of `names`.

    reference: the inventory of the ids; None: lists with names; metric: the metric as it stands in
    the header.
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
        """Return a set of scored lists with one table of names.

        names: a table to which the lists' names are added, and whose ids the rows get; default: the
        lists' own table.  Raises DataError, with `source` as the file, for a list without gains or
        with wrong statistics, and for no lists.
        """
        from campanula.stages.kernels.inventory.fingerprints import fingerprints
        from campanula.stages.kernels.relevant.rows import rows_of

        packer = Packer()
        own = Names()
        sid = Column(np.int64)
        gain = Column(np.float64)
        text = Column(np.uint64)
        for kbest in sound(lists, metric_of(metric, source), source):
            sid.append(kbest.sid)
            packer.add(kbest.features)
            gain.extend(gain_of(kbest, source))
            texts = kbest.text
            own = kbest.names
            hashes = np.empty(len(kbest), np.uint64)
            blob = np.frombuffer(bytearray(texts.blob), np.uint8)
            with np.errstate(over="ignore"):  # hashing multiplies modulo 2^64
                fingerprints(blob, texts.pointer, WHOLE, hashes)
            text.extend(hashes)
        if not len(sid):
            raise DataError(source, None, "expected k-best lists, found none")
        packed = packer.lists()
        if names is not None and names is not own:
            ids = names.ids_of(own)
            renumbered: dict[str, Any] = {
                column: ids[getattr(packed, column)]
                for column in ("dense_id", "sparse_id", "binary_id")
            }
            packed = packed._replace(**renumbered)
        rows = rows_of(packed, gain.values, text.values)
        return cls(source, sid.values, rows, own if names is None else names, metric=metric)

    @classmethod
    def read(
        cls,
        path: str,
        inventory: Inventory | None = None,
        names: Names | None = None,
        watch: WatchLists = lambda lists: lists,
        cache: str | None = None,
    ) -> SetOfLists:
        """Read a scored stream or collection; raises DataError as `of` does.

        Lists with ids of an inventory keep them; the names of other lists are added to `names`.
        cache: folder from which the rows of lists with ids are mapped, if it has them, and to which
        they are written.
        """
        with open_lists(path, KBest, inventory=inventory) as reader:
            if reader.inventory is None:
                lists = cls.of(watch(reader), reader.name, names, reader.metric)
                return replace(lists, checksum=reader.checksum)
            reference = reader.inventory
            identity = None if cache is None else identity_of(path)
            entry = None if cache is None or identity is None else entry_of(cache, identity)
            mapped = None if entry is None else stored(entry)
            if mapped is not None and identity is not None:
                sid, rows = mapped
                return cls(reader.name, sid, rows, reader.names, identity, reference, reader.metric)
            lists = cls.of(watch(reader), reader.name, None, reader.metric)
            lists = replace(lists, checksum=reader.checksum, reference=reference)
        # a file that changed between its two readings must not be stored under the first one's key
        if entry is None or lists.checksum != identity:
            return lists
        sid, rows = store_and_map(entry, lists.sid, lists.rows)
        return replace(lists, sid=sid, rows=rows)
