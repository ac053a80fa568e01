"""Parallel text with word alignments: flags, reading, and checks that the files fit together."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.moses.tables_writer import SEPARATOR
from campanula.formats.text.alignments import Alignments, read_alignments
from campanula.formats.text.corpus import Corpus, read_corpus, refuse_reserved
from campanula.formats.text.parts import TextLines, refuse_other_parts

Watch = Callable[[Iterable[str], str], Iterable[str]]
"""Yields the lines that it gets behind a progress bar with a label: `command.watch(args)`."""


class ParallelPaths(NamedTuple):
    """Paths of the sentences of both sides, and of the links between their words."""

    source: str
    target: str
    alignment: str


class ParallelText(NamedTuple):
    """Sentence pairs with the links between their words."""

    source: Corpus
    target: Corpus
    links: Alignments


def add_text_flags(p: argparse.ArgumentParser) -> None:
    """Add the inputs of the two sides."""
    p.add_argument("source", metavar="SOURCE", help="source sentences, one a line")
    p.add_argument("target", metavar="TARGET", help="their translations")


def add_aligned_text_flags(p: argparse.ArgumentParser) -> None:
    """Add the inputs of the two sides and of their links."""
    add_text_flags(p)
    p.add_argument("alignment", metavar="ALIGNMENT", help="links i-j of each pair, from 0")


def paths_of_flags(args: argparse.Namespace) -> ParallelPaths:
    """Return the paths of the three files that the flags name."""
    return ParallelPaths(args.source, args.target, args.alignment)


def read_parallel_text(
    paths: ParallelPaths,
    watch: Watch,
    reserved_of_source: Sequence[str] = (),
    reserved_of_target: Sequence[str] = (),
) -> ParallelText:
    """Read the three texts; raises DataError where they do not fit, and for reserved words."""
    texts = [TextLines(path) for path in paths]
    source = _corpus(texts[0], watch, reserved_of_source)
    target = _corpus(texts[1], watch, reserved_of_target)
    lines = watch(texts[2], "reading links")
    links = read_alignments(lines, texts[2].name)
    refuse_unfit(paths, source, target, links)
    for text in texts[1:]:
        refuse_other_parts(text, texts[0])
    return ParallelText(source, target, links)


def read_text(path: str, watch: Watch, reserved: Sequence[str] = ()) -> Corpus:
    """Read one side; raises DataError for a reserved word in it.

    If the separator of tables is reserved, no word may contain it either: a table would be read as
    if a field ended within the word.
    """
    return _corpus(TextLines(path), watch, reserved)


def _corpus(text: TextLines, watch: Watch, reserved: Sequence[str]) -> Corpus:
    corpus = read_corpus(watch(text, "reading"), text.name, reserved)
    if SEPARATOR in reserved:
        for number, word in enumerate(corpus.words):
            # the separator alone is among the reserved words, which are refused above
            if SEPARATOR in word and word != SEPARATOR:
                refuse_reserved(corpus, number, text.name)
    return corpus


def refuse_unfit(
    paths: ParallelPaths, source: Corpus, target: Corpus, alignments: Alignments
) -> None:
    """Raise DataError unless source, target and alignment, read from `paths`, fit."""
    refuse_other_length(paths.target, len(target), paths.source, len(source))
    refuse_other_length(paths.alignment, len(alignments), paths.source, len(source))
    refuse_outside(paths.alignment, np.diff(source.start), np.diff(target.start), alignments)


def refuse_other_length(path: str, n_lines: int, source: str, n_source: int) -> None:
    """Raise DataError unless a file has as many lines as the source."""
    if n_lines != n_source:
        problem = f"expected {n_source} lines as in {display_name(source)}, found {n_lines}"
        raise DataError(display_name(path), None, problem)


def refuse_outside(
    path: str, n_source: Ints, n_target: Ints, alignments: Alignments, first: int = 1
) -> None:
    """Raise DataError for a link to a word beyond the end of its sentence.

    n_source and n_target (n,) are the sentences' lengths in words; `first` is the number of the
    line that has the links of the first sentence.
    """
    pair = np.repeat(np.arange(len(alignments)), np.diff(alignments.start))
    n_source = n_source[pair]
    n_target = n_target[pair]
    outside = (alignments.source >= n_source) | (alignments.target >= n_target)
    if outside.any():
        k = int(np.argmax(outside))
        expected = f"expected links i-j with i < {n_source[k]} and j < {n_target[k]}"
        problem = f"{expected}, found {alignments.source[k]}-{alignments.target[k]}"
        raise DataError(display_name(path), f"line {pair[k] + first}", problem)
