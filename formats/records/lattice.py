"""The search graph of one sentence after pruning, in columns.

Node 0 is the start, the last node the end, and every path from start to end is a derivation.  An
arc translates a span of the source by a phrase; the features of a derivation are the sums of those
of its arcs, so that

    score(derivation) = theta . sum over arcs of f(arc)

Arcs are sorted by the node they lead into, and lead from a lower node to a higher one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from campanula.formats.arrays.pointers import lengths_of
from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.records import columns
from campanula.formats.records.columns import ColumnError, Record
from campanula.formats.records.names import Names, unpack_different_ids
from campanula.formats.records.texts import Texts


@dataclass(frozen=True, slots=True)
class Lattice:
    """Search graph of sentence `sid`.

    source (n_words,): the source words; word (n_distinct,): the target words; phrase p is
    phrase_word[phrase_pointer[p]:phrase_pointer[p + 1]], numbers of target words.  The arcs
    pointer[v]:pointer[v + 1] lead into node v; pointer (n_nodes + 1,).

    Of each arc (n_arcs,): before, the node it starts from; start, end, its span of source words;
    phrase, the number of its phrase; dense (n_dense, n_arcs), its dense features, with ids dense_id
    of the table `names`; score, that of the best path that ends with the arc.

    Scores are under the weights `weight` (n_dense,) and those of sparse features: templates are the
    templates that were on, sparse the digest of the sparse weights that were not 0 ("" if none).
    Sparse features are not stored: they can be counted from paths.
    """

    KIND: ClassVar[str] = "lattice"
    VERSION: ClassVar[int] = 1

    sid: int
    source: Texts
    word: Texts
    phrase_pointer: Ints
    phrase_word: Ids
    pointer: Ints
    before: Ids
    start: Ids
    end: Ids
    phrase: Ids
    dense_id: Ids
    dense: Floats
    score: Floats
    weight: Floats
    names: Names
    templates: tuple[str, ...] = ()
    sparse: str = ""

    @property
    def n_nodes(self) -> int:
        """Number of nodes, the start and the end among them."""
        return len(self.pointer) - 1

    @property
    def n_arcs(self) -> int:
        """Number of arcs."""
        return len(self.before)

    def after(self) -> Ints:
        """Return the node that each arc leads into (n_arcs,)."""
        return np.repeat(np.arange(self.n_nodes), lengths_of(self.pointer))

    def phrase_text(self, phrase: int) -> str:
        """Return the words of a phrase, joined by blanks."""
        words = slice(self.phrase_pointer[phrase], self.phrase_pointer[phrase + 1])
        return " ".join(self.word[number] for number in self.phrase_word[words].tolist())

    def pack(self, names: Names) -> dict[str, Any]:
        """Return the graph as a map for msgpack, with ids of `names`; missing names are added."""
        dense_id = self.dense_id if names is self.names else names.ids_of(self.names)[self.dense_id]
        record: dict[str, Any] = {
            "sid": self.sid,
            "source": self.source.pack(),
            "word": self.word.pack(),
            "phrases": columns.pack_lengths(self.phrase_pointer),
            "phrase_word": columns.pack_ints(self.phrase_word),
            "arcs": columns.pack_lengths(self.pointer),
            "before": columns.pack_ints(self.before),
            "span_start": columns.pack_ints(self.start),
            "span_end": columns.pack_ints(self.end),
            "phrase": columns.pack_ints(self.phrase),
            "dense_id": columns.pack_ints(dense_id),
            "dense": [pack_narrow(row) for row in self.dense],
            "score": columns.pack_floats(self.score),
            "weight": columns.pack_floats(self.weight),
        }
        if self.templates:
            record["templates"] = list(self.templates)
        if self.sparse:
            record["sparse"] = self.sparse
        return record

    @classmethod
    def unpack(cls, record: Record, names: Names) -> Self:
        """Make a graph of its map; raises ColumnError."""
        source = Texts.unpack(record, "source")
        word = Texts.unpack(record, "word")
        if len(set(word)) < len(word):
            raise ColumnError("expected different words in 'word'")
        phrase_word = columns.unpack_ids(record, "phrase_word", len(word))
        phrase_pointer = columns.unpack_lengths(record, "phrases", None, len(phrase_word))
        before = columns.unpack_ints(record, "before")
        pointer = columns.unpack_lengths(record, "arcs", None, len(before))
        _check_graph(pointer, before)
        n_arcs = len(before)
        # spans are between words, so the place after the last word is one, too
        start = columns.unpack_ids(record, "span_start", len(source) + 1, n_arcs)
        end = columns.unpack_ids(record, "span_end", len(source) + 1, n_arcs)
        if (start > end).any():
            raise ColumnError("expected spans that end after they start")
        dense_id = unpack_different_ids(record, "dense_id", names)
        return cls(
            sid=columns.unpack_int(record, "sid"),
            source=source,
            word=word,
            phrase_pointer=phrase_pointer,
            phrase_word=phrase_word,
            pointer=pointer,
            # safe only now: _check_graph has refused numbers that are no nodes
            before=before.astype(np.int32),
            start=start,
            end=end,
            phrase=columns.unpack_ids(record, "phrase", len(phrase_pointer) - 1, n_arcs),
            dense_id=dense_id,
            dense=_unpack_dense(record, dense_id, n_arcs, names),
            score=columns.unpack_floats(record, "score", n_arcs),
            weight=columns.unpack_floats(record, "weight", len(dense_id)),
            names=names,
            templates=_unpack_templates(record),
            sparse=_unpack_digest(record),
        )


def pack_narrow(values: Floats) -> list[object]:
    """Return a float column for msgpack: 4 bytes per entry if that is exact, else 8."""
    with np.errstate(over="ignore", invalid="ignore"):
        # a number beyond float32 becomes infinite, which sends the column to the 8 bytes below
        narrow = values.astype("<f4")
    if (narrow == values).all() and np.isfinite(narrow).all():
        return ["<f4", narrow.tobytes()]
    return columns.pack_floats(values)


def _unpack_templates(record: Record) -> tuple[str, ...]:
    templates = record.get("templates", [])
    if not isinstance(templates, list) or any(name not in list(TEMPLATES) for name in templates):
        raise ColumnError("expected names of sparse features' templates in 'templates'")
    return tuple(templates)


def _unpack_digest(record: Record) -> str:
    digest = record.get("sparse", "")
    if not isinstance(digest, str):
        raise ColumnError("expected text in 'sparse'")
    return digest


def _check_graph(pointer: Ints, before: Ints) -> None:
    """Raise ColumnError unless arcs ascend and every node lies on a path from start to end."""
    n_nodes = len(pointer) - 1
    entering = lengths_of(pointer)
    # where arcs ascend, one into every node leads back to the start, and one out of every node
    # leads on to the end, so no graph has to be searched
    if n_nodes < 2 or entering[0] != 0 or (entering[1:] == 0).any():
        raise ColumnError("expected arcs into every node but the first")
    after = np.repeat(np.arange(n_nodes), entering)
    if (before < 0).any() or (before >= after).any():
        at = int(np.flatnonzero((before < 0) | (before >= after))[0])
        problem = f"found {before[at]} before {after[at]}"
        raise ColumnError(f"expected arcs from a lower node to a higher one, {problem}")
    if (np.bincount(before, minlength=n_nodes)[:-1] == 0).any():
        raise ColumnError("expected arcs out of every node but the last")


def _unpack_dense(record: Record, dense_id: Ids, n_arcs: int, names: Names) -> Floats:
    rows = record.get("dense")
    if not isinstance(rows, list) or len(rows) != len(dense_id):
        raise ColumnError(f"expected {len(dense_id)} columns 'dense'")
    dense = np.empty((len(rows), n_arcs))
    for k, row in enumerate(rows):
        # raw: the check below names the feature, which unpack_floats does not know
        dense[k] = columns.unpack_raw_floats({"dense": row}, "dense", n_arcs)
        if not np.isfinite(dense[k]).all():
            raise ColumnError(f"feature {names[dense_id[k]]!r}: expected finite numbers")
    return dense
