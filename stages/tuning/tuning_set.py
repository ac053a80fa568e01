"""Scored k-best lists as the arrays that losses and solvers work on: in memory, or chunk by chunk.

In memory, lists take the bytes given in kernels/lists/lists.py, and 17 bytes a hypothesis for gain,
cost and reach.  Streamed, the file is read again at every pass, and memory holds a chunk of it: its
columns and what a pass adds to them take at most CHUNK_BYTES, unless one list takes more.  Of every
other list it holds 16 bytes.  The arithmetic and its order are the same, and so are the results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from campanula.formats.arrays.growing import Column
from campanula.formats.arrays.types import Floats, Ints, Words64
from campanula.formats.collections.opening import open_lists
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.records.joining import in_one_space
from campanula.formats.records.kbest import KBest
from campanula.formats.records.matching import id_hash
from campanula.formats.records.names import Names
from campanula.formats.text.references import References
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.scored_lists import check_statistics, sound
from campanula.stages.metrics.table import metric_of
from campanula.stages.tuning.chunks import Chunk, cut, gain_of, refuse_gains_below_0
from campanula.stages.tuning.scoring import refuse_infinite

CHUNK_BYTES = 1 << 24  # 16 MB: small, since a growing column takes twice its size for a moment

WatchLists = Callable[[Iterable[KBest]], Iterable[KBest]]
"""Wraps the lists while they are read, for instance in a progress bar."""


@dataclass(frozen=True, slots=True)
class TuningSet:
    """All lists: their sids and sizes (n_lists,), the features' names, and the file they are from.

    id_hash (n_lists,): `matching.id_hash` of the lists' ids, or None;
    resident: the lists as one chunk in memory, or None if the file `path` is read at every pass.
    When one chunk has room for all lists, the first pass keeps it for the next ones.
    """

    sid: Ints
    size: Ints
    names: Names
    path: str
    checksum: str
    references: References | None
    resident: Chunk | None
    scored_by: Mapping[str, object] | None = None  # the metric, as the header of the stream has it
    id_hash: Words64 | None = None
    _only: list[Chunk] = field(default_factory=list, repr=False, compare=False)

    @property
    def metric(self) -> Metric:
        """The metric of the statistics; raises DataError if the lists have none."""
        metric = metric_of(self.scored_by, display_name(self.path))
        stats = None if self.resident is None else self.resident.stats
        if metric is None or (self.resident is not None and stats is None):
            raise self.no_statistics()
        if stats is not None and stats.shape[1] != metric.width:
            problem = f"expected {metric.width} statistics of {metric.name} a hypothesis"
            raise DataError(display_name(self.path), None, f"{problem}, found {stats.shape[1]}")
        return metric

    def no_statistics(self) -> DataError:
        """Return the error for lists without statistics, or with those of an unknown metric."""
        problem = "expected statistics of a metric (score-bleu adds them), found none"
        if self.scored_by is None and self.resident is not None and self.resident.stats is not None:
            problem = "expected the metric of the statistics (score-bleu writes it), found none"
        elif self.scored_by is not None and metric_of(self.scored_by) is None:
            problem = "expected statistics of a metric that is known here"
            problem += f", found those of {self.scored_by.get('name')!r}"
        return DataError(display_name(self.path), None, problem)

    @property
    def n_lists(self) -> int:
        """Number of lists."""
        return len(self.sid)

    @property
    def whole(self) -> Chunk:
        """All lists as one chunk; raises ValueError if they are streamed."""
        if self.resident is None:
            raise ValueError("the lists are streamed")
        return self.resident

    def chunks(self, pairs: int = 0) -> Iterator[Chunk]:
        """Yield the lists in order: all in one chunk, or in chunks of CHUNK_BYTES.

        pairs: number that will be sampled from each list, whose bytes count.  A streamed chunk is
        valid until the next one, which is written over it.  Raises DataError if the file has
        changed since it was read first.
        """
        if self.resident is not None or self._only:
            yield from self._only if self.resident is None else [self.resident]
            return
        only: list[Chunk] = []
        with open_lists(self.path, KBest, names=self.names) as reader:
            for chunk in cut(reader, reader.name, self.references, CHUNK_BYTES, pairs):
                if chunk.lists.n_lists == self.n_lists:
                    only = [chunk]  # yielded below, when the reader and its records are freed
                else:
                    yield chunk
                del chunk  # else it would take memory while the next one is read
        if reader.checksum != self.checksum:
            raise DataError(reader.name, None, "expected the lists read before: they have changed")
        self._only.extend(only)
        yield from only

    def refuse_infinite(self, theta: Floats, whose: str) -> None:
        """Raise DataError for a score that is not finite under theta (n_features,).

        whose: words for the weights in the message, as "the new weights".
        """
        from campanula.stages.kernels.lists.scores import score_lists

        source = display_name(self.path)
        for chunk in self.chunks():
            score = score_lists(chunk.lists, theta)
            refuse_infinite(score, chunk.lists.list_pointer, chunk.sid, source, whose)

    def refuse_gains_below_0(self) -> None:
        """Raise DataError for a gain below 0: the loss takes the logarithm of expected gains."""
        source = display_name(self.path)
        for chunk in self.chunks():
            refuse_gains_below_0(chunk.gain, chunk.lists.list_pointer, chunk.sid, source)

    def refuse_no_features(self) -> None:
        """Raise DataError if the lists have no feature at all."""
        if not len(self.names):
            problem = "expected features to weigh, found none (`add-feature score` makes one of the"
            raise DataError(display_name(self.path), None, f"{problem} lists' own scores)")

    @classmethod
    def of(
        cls,
        lists: Iterable[KBest],
        references: References | None = None,
        metric: Metric | None = None,
        source: str = "k-best lists",
    ) -> TuningSet:
        """Return scored lists in memory; metric: the metric of their statistics, if they have any.

        Lists may have different tables of names.  Raises DataError for a list without gains and for
        no lists at all; `source` takes the place of the file in the message.
        """
        records = in_one_space(list(lists))
        header = None if metric is None else metric.header()
        # without a budget `cut` yields one chunk, or none for no lists: that is refused below
        for chunk in cut(sound(records, metric, source), source, references):
            size = np.diff(chunk.lists.list_pointer)
            hashes = np.array([id_hash(kbest.id) for kbest in records], np.uint64)
            names = records[0].names
            return cls(
                chunk.sid, size, names, source, "", references, chunk, header, id_hash=hashes
            )
        raise DataError(source, None, "expected k-best lists, found none")

    @classmethod
    def read(
        cls,
        path: str,
        references: References | None = None,
        stream: bool = False,
        watch: WatchLists = lambda lists: lists,
        inventory: Inventory | None = None,
    ) -> TuningSet:
        """Read a scored k-best stream; raises DataError for a list without gains or no lists.

        stream: hold a chunk of the lists at a time, and read the file again at every pass;
        watch: wraps the lists while they are read; inventory: gives the feature names of lists that
        have ids of an inventory.
        """
        sid = Column(np.int64)
        size = Column(np.int64)
        hashes = Column(np.uint64)
        resident = None
        with open_lists(path, KBest, inventory=inventory) as reader:
            lists = _noted(watch(reader), hashes)
            metric = metric_of(reader.metric, reader.name)
            if stream:
                for kbest in sound(lists, metric, reader.name):
                    gain_of(kbest, reader.name)
                    sid.append(kbest.sid)
                    size.append(len(kbest))
            else:
                for resident in cut(lists, reader.name, references):
                    sid.extend(resident.sid)
                    size.extend(np.diff(resident.lists.list_pointer))
                    _check_sound(resident, metric, reader.name)
        if not len(sid):
            raise DataError(reader.name, None, "expected k-best lists, found none")
        return cls(
            sid.values,
            size.values,
            reader.names,
            path,
            reader.checksum,
            references,
            resident,
            reader.metric,
            hashes.values,
        )


def _check_sound(chunk: Chunk, metric: Metric | None, source: str) -> None:
    """Raise DataError for statistics that are not the metric's; the first list with such is named.

    One check of all lists is fast; only if it fails are they checked one by one.
    """
    stats = chunk.stats
    if metric is None or stats is None:
        return
    if stats.shape[1] == metric.width and metric.all_possible(stats):
        return
    of_lists = np.split(stats, chunk.lists.list_pointer[1:-1])
    for sid, own in zip(chunk.sid, of_lists, strict=True):
        check_statistics(own, metric, source, f"sentence {sid}")


def _noted(lists: Iterable[KBest], hashes: Column) -> Iterator[KBest]:
    """Yield the lists as they are, and append the hash of each one's id to `hashes`."""
    for kbest in lists:
        hashes.append(id_hash(kbest.id))
        yield kbest
        del kbest  # else a long list would take memory while its chunk is worked on
