"""Synonyms from WordNet's database files (wndb(5WN), morphy(7WN)).

A folder has for each part of speech an index and a list of exceptions:

    index.noun   lemma pos synset_cnt p_cnt [symbol...] sense_cnt tagsense_cnt offset [offset...]
    noun.exc     inflected base [base...]

Words that share a synset are synonyms.  A word is looked up as it is and by its base forms: those
in morphy's list of exceptions, or those by its rules of detachment for words that are not in the
list.  Case is ignored.
"""

from __future__ import annotations

import itertools
import os
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import xxhash

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Ints
from campanula.formats.errors import DataError, quoted
from campanula.formats.files import display_name, read_lines
from campanula.formats.records.texts import Texts
from campanula.formats.text.numbers import whole_number

RULES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "noun": (
        ("s", ""),
        ("ses", "s"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "verb": (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}
"""Rules of detachment by part of speech: an ending, and its replacement."""

COUNT = 2  # index of the field with the number of synsets; that of symbols is the next field


@dataclass(frozen=True, slots=True)
class Index:
    """The sorted lemmas (n,) of a part of speech, and their synsets.

    Lemma i has the synsets synset[end[i]:end[i + 1]], given as offsets in WordNet's data file;
    bases: the exceptions, base forms by inflected form.
    """

    lemma: Texts
    end: Ints
    synset: Ints
    bases: Mapping[str, tuple[str, ...]]

    def synsets(self, lemma: str) -> list[int]:
        """Return the synsets of a lemma; an empty list for any other word."""
        place = bisect_left(self.lemma, lemma) if len(self.lemma) else 0
        if place == len(self.lemma) or self.lemma[place] != lemma:
            return []
        return [int(synset) for synset in self.synset[self.end[place] : self.end[place + 1]]]


@dataclass(frozen=True)
class WordNet:
    """The indexes of a WordNet folder, by part of speech."""

    index: Mapping[str, Index]

    @classmethod
    def read(cls, folder: str) -> WordNet:
        """Read a folder; raises DataError that names the file and the line."""
        return cls({part: _read_index(folder, part) for part in RULES})

    def synsets(self, word: str) -> frozenset[tuple[str, int]]:
        """Return the synsets of a word and its base forms, as (part of speech, offset)."""
        word = word.lower()
        return frozenset(
            (part, synset)
            for part, index in self.index.items()
            for form in (word, *base_forms(word, part, index.bases))
            for synset in index.synsets(form)
        )

    @cached_property
    def digest(self) -> str:
        """Checksum of all data that synonyms depend on."""
        state = xxhash.xxh3_64()
        for part, index in self.index.items():
            bases = sorted(f"{word} {' '.join(bases)}" for word, bases in index.bases.items())
            state.update("\n".join([part, *bases, ""]).encode())
            state.update(index.lemma.blob)
            for array in (index.lemma.pointer, index.end, index.synset):
                state.update(array.astype("<i8").tobytes())
        return state.hexdigest()


def base_forms(word: str, part: str, exceptions: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield candidates for the base forms of a word: the exceptions if it has any, or by rules.

    As in morphy, the rules give none for a noun in -ss or of at most two letters.
    """
    if word in exceptions:
        yield from exceptions[word]
        return
    if part == "noun" and (len(word) <= 2 or word.endswith("ss")):
        return
    for ending, replacement in RULES[part]:
        if word.endswith(ending):
            yield word.removesuffix(ending) + replacement


def _read_index(folder: str, part: str) -> Index:
    path = os.path.join(folder, f"index.{part}")
    entries = sorted(_entries(path))
    for (lemma, _), (following, _) in itertools.pairwise(entries):
        if lemma == following:
            problem = f"expected a line a lemma, found {lemma} more than once"
            raise DataError(display_name(path), None, problem)
    if not entries:
        raise DataError(display_name(path), None, "expected lemmas, found none")
    synsets = [synset for _, synset in entries]
    return Index(
        Texts.of(lemma for lemma, _ in entries),
        pointer_of([len(each) for each in synsets]),
        np.array([offset for each in synsets for offset in each], np.int64),
        _exceptions(os.path.join(folder, f"{part}.exc")),
    )


def _entries(path: str) -> Iterator[tuple[str, list[int]]]:
    """Yield the lemmas of an index with their synsets; lines of the licence begin with a space."""
    for number, line in enumerate(read_lines(path), 1):
        if line.startswith(" "):
            continue
        fields = line.split()
        offsets = _offsets(fields)
        if not offsets:
            problem = "expected `lemma pos synset_cnt ... offset`, as WordNet's index has"
            raise DataError(
                display_name(path), f"line {number}", f"{problem}, found {quoted(line)}"
            )
        yield fields[0], offsets


def _offsets(fields: Sequence[str]) -> list[int]:
    """Return the synsets of an index line; an empty list if its fields are wrong."""
    counts = [whole_number(field) for field in fields[COUNT : COUNT + 2]]
    n_synsets, n_symbols = counts if len(counts) == 2 else (None, None)
    # six fields beside symbols and offsets: lemma, pos, synset_cnt, p_cnt, two counts of senses
    if n_synsets is None or n_symbols is None or len(fields) != 6 + n_synsets + n_symbols:
        return []
    # without synsets fields[-0:] would be all fields
    offsets = [whole_number(field) for field in fields[-n_synsets:]] if n_synsets else []
    numbers = [offset for offset in offsets if offset is not None]
    return numbers if len(numbers) == len(offsets) else []


def _exceptions(path: str) -> dict[str, tuple[str, ...]]:
    """Read inflected forms with their base forms; a form may have several lines."""
    bases_of: dict[str, tuple[str, ...]] = {}
    for number, line in enumerate(read_lines(path), 1):
        word, *bases = line.split() or [""]
        if not bases:
            problem = f"expected a word and its base forms, found {quoted(line)}"
            raise DataError(display_name(path), f"line {number}", problem)
        bases_of[word] = (*bases_of.get(word, ()), *bases)
    return bases_of
