"""K-best lists in memory, for notebooks and other Python programs.

lists = campanula.read_nbest("dev.nbest.gz")
lists[0].text[0]                 the first hypothesis of the first sentence
lists.to_arrays().features       a scipy matrix, a row a hypothesis
lists.to_frame()                 a pandas frame, a row a hypothesis
lists.save("dev.kbest")          the stream that the commands read
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Self, overload

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Floats, Ints
from campanula.formats.collections.opening import open_lists
from campanula.formats.records.joining import entries, in_one_space
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names, is_name
from campanula.formats.stream import Writer
from campanula.stages.command import signature

if TYPE_CHECKING:
    import pandas
    import scipy.sparse

Path = str | os.PathLike[str]

FEW = 200
"""Most features that a frame has as plain columns; more become sparse columns."""


class Arrays(NamedTuple):
    """All hypotheses of all lists, one row each.

    sid (n_hyps,): the sentence of each hypothesis; list i has the rows pointer[i]:pointer[i + 1],
    pointer (n_lists + 1,); features (n_hyps, n_features); names (n_features,); score, gain
    (n_hyps,) and stats (n_hyps, n_stats) are None if any list lacks them.
    """

    sid: Ints
    pointer: Ints
    text: list[str]
    features: scipy.sparse.csr_array[Any, Any]
    names: list[str]
    score: Floats | None
    gain: Floats | None
    stats: Ints | None


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class KBestLists(Sequence[KBest]):
    """K-best lists in the order of their sentences: a sequence of records with one names table.

    Records with different names tables are renumbered to a common one.  signature says how the
    lists were made, metric by which metric they were scored, as in a stream's header; source is
    their name in errors.
    """

    records: tuple[KBest, ...]
    signature: str = ""
    metric: Mapping[str, object] | None = field(default=None)
    source: str = "lists"

    def __post_init__(self) -> None:
        # the class is frozen, which its own first assignment has to get around
        object.__setattr__(self, "records", tuple(in_one_space(list(self.records))))
        widths = sorted({k.stats.shape[1] for k in self.records if k.stats is not None})
        if len(widths) > 1:
            found = f"found {widths[0]} and {widths[-1]} statistics a hypothesis"
            raise ValueError(f"expected lists scored by one metric, {found}")

    @classmethod
    def open(cls, path: Path) -> Self:
        """Read a k-best stream; raises DataError that names the file and the sentence."""
        with open_lists(os.fspath(path), KBest) as lists:
            return cls(tuple(lists), lists.signature, lists.metric, lists.name)

    def save(self, path: Path) -> None:
        """Write a k-best stream, whole or not at all."""
        # a stream's header has a signature, also for lists that no command of ours made
        own = self.signature or signature("python")
        with Writer(os.fspath(path), KBest, own, self.metric) as out:
            for kbest in self.records:
                out.write(kbest)

    def __len__(self) -> int:
        return len(self.records)

    @overload
    def __getitem__(self, index: int) -> KBest: ...

    @overload
    def __getitem__(self, index: slice) -> KBestLists: ...

    def __getitem__(self, index: int | slice) -> KBest | KBestLists:
        if isinstance(index, slice):
            return self.with_records(self.records[index])
        return self.records[index]

    def __repr__(self) -> str:
        scored = f", scored by {self.metric['name']}" if self.metric else ""
        return f"<{len(self)} lists, {self.n_hyps} hypotheses, {len(self.names)} features{scored}>"

    def with_records(self, records: Iterable[KBest]) -> KBestLists:
        """Return lists of other records, with the signature, metric and source of these."""
        return KBestLists(tuple(records), self.signature, self.metric, self.source)

    @property
    def n_hyps(self) -> int:
        """Number of hypotheses."""
        return sum(map(len, self.records))

    @property
    def names(self) -> Names:
        """Names of the features, by id; an empty table if there are no lists."""
        return self.records[0].names if self.records else Names()

    def with_feature(
        self, name: str, feature: str | Callable[..., Any], **options: Any
    ) -> KBestLists:
        """Return the lists with one more dense feature: `with_feature("Length", "length")`.

        feature: a name in FEATURES, with its flags as options, or a function from a list's texts to
        one number per text (hypothesis_features/own.py).  Raises DataError for a name that the
        lists have already, and unless there is one finite number per hypothesis.
        """
        from campanula.stages.add_feature import add_feature
        from campanula.stages.hypothesis_features.own import own_feature
        from campanula.stages.hypothesis_features.table import FEATURES

        if not is_name(name):
            raise ValueError(f"expected a feature name without blanks, found {name!r}")
        maker = FEATURES[feature] if isinstance(feature, str) else own_feature(name, feature)
        values = maker.values(**options)
        own = signature("add-feature", feature=name, source=values.signature)
        records = tuple(add_feature(self.records, name, values.of_list, self.source))
        # only after the last list can it be told whether a file has numbers left over
        values.finish()
        return KBestLists(records, f"{own} < {self.signature}", self.metric, self.source)

    def to_arrays(self) -> Arrays:
        """Return all hypotheses as arrays; the features are one sparse matrix."""
        from scipy.sparse import csr_array

        size = np.array([len(kbest) for kbest in self.records], np.int64)
        pointer = pointer_of(size)
        rows = []
        ids = []
        values = []
        for kbest, first in zip(self.records, pointer[:-1], strict=True):
            row, feature, value = entries(kbest.features)
            rows.append(row + first)
            ids.append(feature)
            values.append(value)
        names = list(self.names)
        shape = (int(pointer[-1]), len(names))
        where = (_joined(rows, np.int64), _joined(ids, np.int32))
        return Arrays(
            sid=np.repeat(np.array([kbest.sid for kbest in self.records], np.int64), size),
            pointer=pointer,
            text=list(itertools.chain.from_iterable(kbest.text for kbest in self.records)),
            features=csr_array((_joined(values, np.float64), where), shape=shape),
            names=names,
            score=_column(kbest.score for kbest in self.records),
            gain=_column(kbest.gain for kbest in self.records),
            stats=_column(kbest.stats for kbest in self.records),
        )

    def to_frame(self) -> pandas.DataFrame:
        """Return a pandas frame: one row per hypothesis, indexed by sentence and place in the list.

        Columns: text, score and gain if all lists have them, further fields, the features.
        """
        import pandas

        arrays = self.to_arrays()
        rank = np.arange(len(arrays.sid)) - np.repeat(arrays.pointer[:-1], np.diff(arrays.pointer))
        index = pandas.MultiIndex.from_arrays([arrays.sid, rank], names=["sid", "rank"])
        columns: dict[str, object] = {"text": arrays.text}
        columns |= {name: getattr(arrays, name) for name in ("score", "gain")}
        frame = pandas.DataFrame({k: v for k, v in columns.items() if v is not None}, index)
        for name in dict.fromkeys(itertools.chain.from_iterable(k.fields for k in self.records)):
            # a stream may join lists of several programs, so some may lack a field
            texts = (k.fields.get(name, [""] * len(k)) for k in self.records)
            frame[name] = list(itertools.chain.from_iterable(texts))
        if len(arrays.names) <= FEW:
            features = pandas.DataFrame(arrays.features.toarray(), index, arrays.names)
        else:
            sparse = pandas.DataFrame.sparse.from_spmatrix
            features = sparse(arrays.features, index, arrays.names)
        return pandas.concat([frame, features], axis=1)


def _joined(parts: list[Any], dtype: Any) -> Any:
    # the empty first part is for no lists at all: concatenate refuses an empty sequence
    return np.concatenate([np.zeros(0, dtype), *parts]).astype(dtype, copy=False)


def _column(parts: Iterable[Any]) -> Any:
    """Join one column of all lists; None where a list lacks it."""
    columns = list(parts)
    if not columns or any(column is None for column in columns):
        return None
    return np.concatenate(columns)
