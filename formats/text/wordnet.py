"""WordNet's database files as far as they say which words are synonyms (wndb(5WN), morphy(7WN)).

A folder has for each part of speech an index and a list of exceptions:

    index.noun   lemma pos synset_cnt p_cnt [symbol...] sense_cnt tagsense_cnt offset [offset...]
    noun.exc     inflected base [base...]

Words that share a synset are synonyms.  A word is looked up as it is and by its base forms, which
morphy's exceptions give, or its rules of detachment where there is no exception; case is ignored.
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
from campanula.formats.errors import DataError
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
"""Rules of detachment by part of speech: an ending, and what stands in its place."""

COUNT = 2  # the field of an index line that says how many synsets, the next how many symbols


@dataclass(frozen=True, slots=True)
class Index:
    """The lemmas (n,) of a part of speech, sorted, and their synsets.

    Those of lemma i are synset[end[i]:end[i + 1]]; synsets are their offsets in WordNet's data.
    bases are the exceptions, inflected forms with their base forms.
    """

    lemma: Texts
    end: Ints
    synset: Ints
    bases: Mapping[str, tuple[str, ...]]

    def synsets(self, lemma: str) -> list[int]:
        """Synsets of a lemma; none of a word that is none."""
        place = bisect_left(self.lemma, lemma) if len(self.lemma) else 0
        if place == len(self.lemma) or self.lemma[place] != lemma:
            return []
        return [int(synset) for synset in self.synset[self.end[place] : self.end[place + 1]]]


@dataclass(frozen=True)
class WordNet:
    """A folder of WordNet: the indexes of its parts of speech, by name."""

    index: Mapping[str, Index]

    @classmethod
    def read(cls, folder: str) -> WordNet:
        """Read a folder; raises DataError that names the file and the line."""
        return cls({part: _read_index(folder, part) for part in RULES})

    def synsets(self, word: str) -> frozenset[tuple[str, int]]:
        """Synsets of a word and its base forms: part of speech and offset."""
        word = word.lower()
        return frozenset(
            (part, synset)
            for part, index in self.index.items()
            for form in (word, *base_forms(word, part, index.bases))
            for synset in index.synsets(form)
        )

    @cached_property
    def digest(self) -> str:
        """Checksum of all that synonyms depend on."""
        state = xxhash.xxh3_64()
        for part, index in self.index.items():
            bases = sorted(f"{word} {' '.join(bases)}" for word, bases in index.bases.items())
            state.update("\n".join([part, *bases, ""]).encode())
            state.update(index.lemma.blob)
            for array in (index.lemma.pointer, index.end, index.synset):
                state.update(array.astype("<i8").tobytes())
        return state.hexdigest()


def base_forms(word: str, part: str, exceptions: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield what may be the base forms of a word; of a noun in -ss or of two letters there is none.

    They are those of the exceptions, if it is one.
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
            raise DataError(display_name(path), f"line {number}", f"{problem}, found {line[:80]!r}")
        yield fields[0], offsets


def _offsets(fields: Sequence[str]) -> list[int]:
    """The synsets of an index line's fields; none where they are not as they should be."""
    counts = [whole_number(field) for field in fields[COUNT : COUNT + 2]]
    n_synsets, n_symbols = counts if len(counts) == 2 else (None, None)
    if n_synsets is None or n_symbols is None or len(fields) != 6 + n_synsets + n_symbols:
        return []
    offsets = [whole_number(field) for field in fields[-n_synsets:]] if n_synsets else []
    known = [offset for offset in offsets if offset is not None]
    return known if len(known) == len(offsets) else []


def _exceptions(path: str) -> dict[str, tuple[str, ...]]:
    """Inflected forms with their base forms; one may have several lines."""
    found: dict[str, tuple[str, ...]] = {}
    for number, line in enumerate(read_lines(path), 1):
        word, *bases = line.split() or [""]
        if not bases:
            problem = f"expected a word and its base forms, found {line[:80]!r}"
            raise DataError(display_name(path), f"line {number}", problem)
        found[word] = (*found.get(word, ()), *bases)
    return found
