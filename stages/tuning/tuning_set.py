"""Scored k-best lists as the arrays that losses and solvers work on: in memory, or chunk by chunk.

In memory a list costs what kernels/lists/lists.py says, and 17 bytes a hypothesis for gain, cost
and reach.  Streamed, the file is read again at every pass and a chunk of it is held at a time: its
columns and what a pass adds to them take CHUNK_BYTES at most, or are one list that takes more; of
the other lists 16 bytes each are held.  The arithmetic and its order are the same, and so are the
results.
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
from campanula.stages.tuning.chunks import Chunk, cut, gain_of
from campanula.stages.tuning.scoring import refuse_infinite

CHUNK_BYTES = 1 << 24  # small, since a column that grows is there twice

Watch = Callable[[Iterable[KBest]], Iterable[KBest]]
"""What lists pass through while they are read, such as a progress bar."""


@dataclass(frozen=True, slots=True)
class TuningSet:
    """All lists: their sids and sizes (n_lists,), the features' names, and where they came from.

    id_hash (n_lists,) is `matching.id_hash` of their ids, None where nobody asked for them.

    `resident` holds them all, unless they are streamed from the file `path` at every pass; when all
    are one chunk, that is kept from the first pass on.
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
        """The error of lists without statistics, or of which nobody says whose those are."""
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
        """All lists as one chunk; they must be in memory."""
        if self.resident is None:
            raise ValueError("the lists are streamed")
        return self.resident

    def chunks(self, pairs: int = 0) -> Iterator[Chunk]:
        """Yield the lists in order: all at once, or as much as CHUNK_BYTES at a time.

        pairs: how many are to be sampled of each list.  A streamed chunk is good until the next
        one is asked for.
        """
        if self.resident is not None or self._only:
            yield from self._only if self.resident is None else [self.resident]
            return
        only: list[Chunk] = []
        with open_lists(self.path, KBest, names=self.names) as reader:
            for chunk in cut(reader, reader.name, self.references, CHUNK_BYTES, pairs):
                if chunk.lists.n_lists == self.n_lists:
                    only = [chunk]  # for when the reader is closed, and its records have gone
                else:
                    yield chunk
                del chunk  # it would stay while the next one is read
        if reader.checksum != self.checksum:
            raise DataError(reader.name, None, "expected the lists read before: they have changed")
        self._only.extend(only)
        yield from only

    def refuse_infinite(self, theta: Floats, whose: str) -> None:
        """Raise DataError for a score that overflows under theta (n_features,): whose weights."""
        from campanula.stages.kernels.lists.scores import score_lists

        source = display_name(self.path)
        for chunk in self.chunks():
            score = score_lists(chunk.lists, theta)
            refuse_infinite(score, chunk.lists.list_pointer, chunk.sid, source, whose)

    def refuse_no_features(self) -> None:
        """Raise DataError for lists without any feature to weigh."""
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
        """Scored lists in memory; metric: whose statistics they have, if they have any.

        Lists that were made apart from each other may differ in their tables of names.  Raises
        DataError for lists without gains, or for none at all; source names them there.
        """
        records = in_one_space(list(lists))
        header = None if metric is None else metric.header()
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
        watch: Watch = lambda lists: lists,
        inventory: Inventory | None = None,
    ) -> TuningSet:
        """Read a scored k-best stream; raises DataError for one without gains or lists.

        stream: hold a chunk of the lists at a time, and read the file again at every pass;
        inventory: of lists that are against one, if their names are needed.
        """
        sid, size, hashes = Column(np.int64), Column(np.int64), Column(np.uint64)
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
    """Raise DataError for statistics that are not the metric's, in the first list that has some.

    All are looked at together; list by list, where something is wrong alone.
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
    """Pass lists on, and note hashes of their ids."""
    for kbest in lists:
        hashes.append(id_hash(kbest.id))
        yield kbest
        del kbest  # a long list would stay while its chunk is worked on
