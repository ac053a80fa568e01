"""Lattices of search graphs: the arcs that lead to the end, with words and features."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.formats.model.model import Model
from campanula.formats.records.lattice import Lattice
from campanula.formats.records.texts import Texts
from campanula.stages.decoding.dense_values import arc_values, row_scores
from campanula.stages.decoding.left_out.own_options import OwnOptions, own_rows
from campanula.stages.decoding.option_texts import OptionTexts
from campanula.stages.decoding.paths import dense_scores
from campanula.stages.decoding.sparse.lexical import LexicalFeatures
from campanula.stages.decoding.written_features import Written
from campanula.stages.kernels.records import END, OPTION, START, THROUGH

if TYPE_CHECKING:
    from campanula.stages.kernels.graph.arcs import UsefulArcs
    from campanula.stages.kernels.graph.paths import Paths
    from campanula.stages.kernels.records import Graph


NO_FEATURES = (np.zeros(0, np.int64), np.zeros(0, np.int64))


def lattice_of(
    sid: int,
    source: Texts,
    graph: Graph,
    texts: OptionTexts,
    model: Model,
    written: Written,
    logs: Floats,
    own: OwnOptions | None = None,
) -> Lattice:
    """Return the lattice of a search graph: the arcs that lead to its end, with written features.

    logs: of the sentence's jumps (search/jumps.py); own: the sentence's own options, with
    leave-one-out.
    """
    from campanula.stages.kernels.graph.arcs import useful_arcs

    useful = useful_arcs(graph)
    arc = useful.arc
    link = graph.link[arc]
    phrases = texts.phrases(link[:, OPTION])
    value = values_of(useful, graph, texts.info, model, logs, own)
    return Lattice(
        sid=sid,
        source=source,
        word=phrases.text,
        phrase_pointer=phrases.pointer,
        phrase_word=phrases.word,
        pointer=useful.pointer,
        before=useful.before.astype(np.int32),
        start=link[:, START],
        end=link[:, END],
        phrase=phrases.number,
        dense_id=written.ids,
        dense=np.ascontiguousarray(value[written.column]),
        score=graph.arc_value[arc, THROUGH],
        weight=written.weight,
        names=written.names,
    )


def values_of(
    useful: UsefulArcs,
    graph: Graph,
    info: Ids,
    model: Model,
    logs: Floats,
    own: OwnOptions | None,
) -> Floats:
    """Return the dense features (n_features, n_arcs) of the useful arcs of a graph.

    info: of the options (records.Options); logs and own as in lattice_of.
    """
    from campanula.stages.kernels.graph import values

    pointer, arc, before = useful
    model, info = own_rows(own, model, info)
    n_words = int(graph.link[:, END].max(initial=0))
    value = values.arc_features(useful, graph, info, row_scores(model), n_words).T
    if own is not None:
        own.add_to_arcs(value, graph.link[arc, OPTION])
    before_end = np.zeros(len(arc), np.int32)
    # all arcs into a node end at the same source position, so its first arc tells where
    later = np.flatnonzero(before)
    before_end[later] = graph.link[arc[pointer[before[later]]], END]
    start = graph.link[arc, START]
    more = arc_values(start, before_end, graph.arc_value[arc], logs, model.n_lms)
    value = np.concatenate([value, more])
    return value if model.lm is not None else value[1:]


def listed_in(
    features: LexicalFeatures, source: Texts, link: Ids, paths: Paths, texts: OptionTexts
) -> tuple[Ints, Ints]:
    """Return the listed features of paths in a search graph, as LexicalFeatures.count does.

    link: as in records.Graph.
    """
    from campanula.stages.kernels.graph.arcs import LatticeArcs
    from campanula.stages.kernels.graph.paths import Paths

    if not features.names:
        return NO_FEATURES
    # of a large graph k paths use few arcs, and only words of these can be in a feature that fires
    used, place = np.unique(paths.arc, return_inverse=True)
    phrases = texts.phrases(link[used, OPTION])
    arcs = LatticeArcs(
        pointer=np.zeros(0, np.int64),  # paths need no nodes
        before=np.zeros(len(used), np.int32),
        start=link[used, START],
        end=link[used, END],
        phrase=phrases.number,
        phrase_pointer=phrases.pointer,
        phrase_word=phrases.word,
        n_words=len(phrases.text),
    )
    renumbered = Paths(paths.offset, place.reshape(-1))  # arcs numbered among those in use
    return features.count(source, phrases.text, arcs, renumbered)


def empty_lattice(sid: int, value: Floats, written: Written) -> Lattice:
    """Return the lattice of an empty sentence: one arc without words; value: its features."""
    none = Texts(b"", np.zeros(1, np.int64))
    zero = np.zeros(1, np.int32)
    dense = np.ascontiguousarray(value[written.column].reshape(-1, 1))
    return Lattice(
        sid=sid,
        source=none,
        word=none,
        phrase_pointer=np.zeros(2, np.int64),
        phrase_word=np.zeros(0, np.int32),
        pointer=np.array([0, 0, 1]),
        before=zero,
        start=zero,
        end=zero,
        phrase=zero,
        dense_id=written.ids,
        dense=dense,
        score=dense_scores(dense, written.weight),
        weight=written.weight,
        names=written.names,
    )
