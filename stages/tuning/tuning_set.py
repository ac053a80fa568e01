"""Scored k-best lists as the arrays that losses and solvers work on: in memory, or part by part.

In memory a list costs what kernels/lists/lists.py says, and 17 bytes a hypothesis for gain, cost
and reach.  Streamed, the file is read again at every pass and a part of it is held at a time; the
arithmetic and its order are the same, and so are the results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.stream import Reader
from campanula.formats.text.references import References
from campanula.stages.kernels.lists.formulas import Targets
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.table import metric_of
from campanula.stages.tuning.packing import Packer
from campanula.stages.tuning.reaching import reaching

PART_BYTES = 1 << 26

Watch = Callable[[Iterable[KBest]], Iterable[KBest]]
"""What lists pass through while they are read, such as a progress bar."""


@dataclass(frozen=True, slots=True)
class Part:
    """Consecutive lists, the first of them number `first`; gain and reaches (n_hyps,).

    stats (n_hyps, n_stats) are the metric's, if the lists have them.
    """

    first: int
    lists: Lists
    gain: Floats
    reaches: Flags
    stats: Ints | None

    def targets(self, alpha: float) -> Targets:
        """What losses know of the hypotheses: costs alpha (1 - gain), and no sampled pairs."""
        return Targets.of(self.gain, self.reaches, alpha, self.lists.n_lists)


@dataclass(frozen=True, slots=True)
class TuningSet:
    """All lists: their sids and sizes (n_lists,), the features' names, and where they came from.

    `resident` holds them all, unless they are streamed from the file `path` at every pass.
    """

    sid: Ints
    size: Ints
    names: Names
    path: str
    checksum: str
    references: References | None
    resident: Part | None
    scored_by: Mapping[str, object] | None = None  # the metric, as the header of the stream has it

    @property
    def metric(self) -> Metric:
        """The metric of the statistics; raises DataError if the lists have none."""
        metric = metric_of(self.scored_by)
        if metric is None or (self.resident is not None and self.resident.stats is None):
            raise self.no_statistics()
        return metric

    def no_statistics(self) -> DataError:
        """The error of lists without statistics, or of which nobody says whose those are."""
        problem = "expected statistics of a metric (score-bleu adds them), found none"
        if self.scored_by is None and self.resident is not None and self.resident.stats is not None:
            problem = "expected the metric of the statistics (score-bleu writes it), found none"
        return DataError(display_name(self.path), None, problem)

    @property
    def n_lists(self) -> int:
        """Number of lists."""
        return len(self.sid)

    @property
    def whole(self) -> Part:
        """All lists as one part; they must be in memory."""
        if self.resident is None:
            raise ValueError("the lists are streamed")
        return self.resident

    def parts(self) -> Iterator[Part]:
        """Yield the lists in order: all at once, or as much as PART_BYTES at a time."""
        if self.resident is not None:
            yield self.resident
            return
        with Reader(self.path, KBest) as reader:
            for part, _ in _parts(reader, reader.name, self.references, PART_BYTES):
                yield part
        if reader.checksum != self.checksum:
            raise DataError(reader.name, None, "expected the lists read before: they have changed")

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
        records = _in_one_space(list(lists))
        header = None if metric is None else metric.header()
        for part, sid in _parts(records, source, references, None):
            size = np.diff(part.lists.list_pointer)
            names = records[0].names
            return cls(np.array(sid, np.int64), size, names, source, "", references, part, header)
        raise DataError(source, None, "expected k-best lists, found none")

    @classmethod
    def read(
        cls,
        path: str,
        references: References | None = None,
        stream: bool = False,
        watch: Watch = lambda lists: lists,
    ) -> TuningSet:
        """Read a scored k-best stream; raises DataError for one without gains or lists.

        stream: hold a part of the lists at a time, and read the file again at every pass.
        """
        sid: list[int] = []
        size: list[int] = []
        resident = None
        with Reader(path, KBest) as reader:
            budget = PART_BYTES if stream else None
            for part, sids in _parts(watch(reader), reader.name, references, budget):
                sid += sids
                size += np.diff(part.lists.list_pointer).tolist()
                resident = None if stream else part
        if not sid:
            raise DataError(reader.name, None, "expected k-best lists, found none")
        return cls(
            np.array(sid, np.int64),
            np.array(size, np.int64),
            reader.names,
            path,
            reader.checksum,
            references,
            resident,
            reader.metric,
        )


def _in_one_space(lists: list[KBest]) -> list[KBest]:
    """The lists with one table of names."""
    if all(kbest.names is lists[0].names for kbest in lists):
        return lists
    names = Names()
    return [
        replace(kbest, features=kbest.features.translate(names.ids_of(kbest.names)), names=names)
        for kbest in lists
    ]


def _parts(
    records: Iterable[KBest],
    source: str,
    references: References | None,
    budget: int | None,
) -> Iterator[tuple[Part, list[int]]]:
    """Yield parts of at most some budget of bytes, or one of all, and the sids in each."""
    packer, first = Packer(), 0
    sid: list[int] = []
    gain: list[Floats] = []
    reaches: list[Flags] = []
    stats: list[Ints | None] = []

    def part() -> tuple[Part, list[int]]:
        known = [column for column in stats if column is not None]
        joined = np.concatenate(known) if len(known) == len(stats) else None
        made = Part(first, packer.lists(), np.concatenate(gain), np.concatenate(reaches), joined)
        return made, list(sid)

    for kbest in records:
        packer.add(kbest.features)
        sid.append(kbest.sid)
        gain.append(gain_of(kbest, source))
        reaches.append(reaching(kbest, references))
        stats.append(kbest.stats)
        if budget is not None and packer.bytes >= budget:
            yield part()
            first += len(sid)
            for column in (sid, gain, reaches, stats):
                column.clear()
    if sid:
        yield part()


def gain_of(kbest: KBest, source: str) -> Floats:
    """Gains of a list; raises DataError if it has none."""
    if kbest.gain is None:
        problem = "expected gains (score-bleu adds them), found none"
        raise DataError(source, f"sentence {kbest.sid}", problem)
    return kbest.gain
