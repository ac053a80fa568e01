"""Lattices of what the search leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.pointers import expand
from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.formats.model.model import Model
from campanula.formats.records.lattice import Lattice
from campanula.formats.records.texts import Texts
from campanula.stages.decoding.dense_values import arc_values
from campanula.stages.decoding.lexical import LexicalFeatures
from campanula.stages.decoding.relative_frequencies import DIRECT, INVERSE
from campanula.stages.decoding.written_features import Written
from campanula.stages.kernels.records import END, LENGTH, OPTION, PLACE, SCORES, START, THROUGH

if TYPE_CHECKING:
    from campanula.stages.kernels.records import Graph


class Said(NamedTuple):
    """What options say: their info and word (records.Options, OptionStore), the model whose
    rows they are, and the unknown words `extra` (OptionStore).
    """

    info: Ids
    word: Ids
    model: Model
    extra: tuple[NDArray[np.uint8], Ints]


def lattice_of(
    sid: int,
    source: Texts,
    graph: Graph,
    said: Said,
    logs: Floats,
    written: Written,
    change: Floats | None = None,
) -> Lattice:
    """Lattice of a search graph: the arcs that lead to its end.

    `logs` are those of the sentence's jumps (search_jumps.jump_logs).  `change` (n_options, 2) is
    added to log p(f | e) and log p(e | f) of an option.
    """
    from campanula.stages.kernels.graph import arcs as lattice_arcs

    useful = lattice_arcs.useful_arcs(graph)
    value = values_of(useful, graph, said, logs, change)
    pointer, arc, before = useful
    phrases = phrases_of(graph.link[arc, OPTION], said)
    return Lattice(
        sid=sid,
        source=source,
        word=phrases.text,
        phrase_pointer=phrases.pointer,
        phrase_word=phrases.word,
        pointer=pointer,
        before=before.astype(np.int32),
        start=graph.link[arc, START],
        end=graph.link[arc, END],
        phrase=phrases.number,
        dense_id=written.ids,
        dense=np.ascontiguousarray(value[written.column]),
        score=graph.arc_value[arc, THROUGH],
        weight=written.weight,
        names=written.names,
    )


def values_of(
    useful: tuple[Ints, Ints, Ints], graph: Graph, said: Said, logs: Floats, change: Floats | None
) -> Floats:
    """Features (n_features, n_arcs) of the useful arcs of a graph; the rest as in lattice_of."""
    from campanula.stages.kernels.graph import values

    (pointer, arc, before), model = useful, said.model
    value = values.arc_features(useful, graph, said.info, model.score, model.reordering).T
    if change is not None:
        value[[SCORES + INVERSE, SCORES + DIRECT]] += change[graph.link[arc, OPTION]].T
    before_end = np.zeros(len(arc), np.int32)
    later = np.flatnonzero(before)  # any arc into a node tells where the phrase before ends
    before_end[later] = graph.link[arc[pointer[before[later]]], END]
    more = arc_values(graph.link[arc, START], before_end, graph.arc_value[arc], logs)
    value = np.concatenate([value, more])
    return value if model.lm is not None else value[1:]


class Phrases(NamedTuple):
    """Target phrases: number (n_arcs,) of each arc's; phrase p is word[pointer[p]:pointer[p + 1]],
    numbers of text (n_words,).
    """

    number: Ids
    pointer: Ints
    word: Ids
    text: Texts


def phrases_of(option: NDArray[np.integer], said: Said) -> Phrases:
    """Phrases of arcs, given their options."""
    different, number = np.unique(option, return_inverse=True)
    pointer, place = expand(said.info[different, PLACE], said.info[different, LENGTH])
    words, phrase_word = np.unique(said.word[place], return_inverse=True)
    text = words_of_numbers(words, said.model, said.extra)
    return Phrases(
        number.reshape(-1).astype(np.int32), pointer, phrase_word.reshape(-1).astype(np.int32), text
    )


def listed_in(
    features: LexicalFeatures,
    source: Texts,
    link: Ids,
    path: tuple[Ints, Ints],
    said: Said,
) -> tuple[Ints, Ints]:
    """Listed features of paths in a search graph (LexicalFeatures.count); link as in Graph."""
    from campanula.stages.kernels.graph.features import Arcs

    offset, arc = path
    used, place = np.unique(arc, return_inverse=True)
    phrases = phrases_of(link[used, OPTION], said)
    nodes = np.zeros(0, np.int64), np.zeros(len(used), np.int32)  # paths need none
    spans = link[used, START], link[used, END]
    arcs = Arcs(*nodes, *spans, phrases.number, phrases.pointer, phrases.word, len(phrases.text))
    return features.count(source, phrases.text, arcs, (offset, place.reshape(-1)))


def empty_lattice(sid: int, value: Floats, written: Written) -> Lattice:
    """Lattice of an empty sentence: one arc without words, with the given features."""
    column, dense_id, weight, names = written
    none, zero = Texts(b"", np.zeros(1, np.int64)), np.zeros(1, np.int32)
    dense = np.ascontiguousarray(value[column].reshape(-1, 1))
    score = np.zeros(1)
    for k, theta in enumerate(weight):
        score += theta * dense[k]
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
        dense_id=dense_id,
        dense=dense,
        score=score,
        weight=weight,
        names=names,
    )


def words_of_numbers(
    number: NDArray[np.int32], model: Model, extra: tuple[NDArray[np.uint8], Ints]
) -> Texts:
    """Words by their numbers; those past the vocabulary are in `extra`."""
    blob, start = extra
    known = len(model.target)
    words = [
        model.target.word(n) if n < known else bytes(blob[start[n - known] : start[n - known + 1]])
        for n in number.tolist()
    ]
    pointer = np.zeros(len(words) + 1, np.int64)
    np.cumsum([len(word) for word in words], out=pointer[1:])
    return Texts(b"".join(words), pointer)
