"""Matches references with lists: by sentence number, or by the ids of the sentences.

Lines of references are taken as `id text` if more than half of the ids of the first lists are first
words of lines.  If the lists are just numbered from 0, the first words of all lines must be these
numbers, in any order; otherwise line i is the reference of sentence i.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Protocol, TypeVar

import xxhash

from campanula.formats.errors import DataError, quoted
from campanula.formats.records.hope import Hope
from campanula.formats.records.kbest import KBest
from campanula.formats.text.keyed import first_word
from campanula.formats.text.references import References

FIRST = 8
"""Lists that are examined: few enough to hold in memory, enough to outvote a missing one."""
COUNTED = 3
"""Fewest lines whose first words 0, 1, ... are taken for ids; with fewer it may be chance."""


class OfSentence(Protocol):
    """A record of one sentence: a list, or an object in its place."""

    @property
    def sid(self) -> int:
        """Number of the sentence."""
        ...

    @property
    def id(self) -> str | None:
        """The sentence's id in the program that made the lists, None if it is the number."""
        ...


S = TypeVar("S", bound=OfSentence)


def key_of(kbest: OfSentence) -> str:
    """Return the id of a sentence, or its number as text."""
    return str(kbest.sid) if kbest.id is None else kbest.id


def id_hash(name: str | None) -> int:
    """Return a 64-bit hash of an id, 0 for None; for ids that are only compared."""
    # a hash of 0 would mean that there is no id
    return 0 if name is None else max(1, xxhash.xxh3_64_intdigest(name.encode()))


def common_id(record: KBest | Hope, others: Iterable[KBest | Hope], source: str) -> str | None:
    """Return the id of `record`; raises DataError unless all `others` have the same id, or none."""
    for other in others:
        if other.id != record.id:
            shown = ["no id" if one.id is None else quoted(one.id) for one in (record, other)]
            problem = f"expected one sentence of one id, found {shown[0]} and {shown[1]}"
            raise DataError(source, f"sentence {record.sid}", problem)
    return record.id


def matched(lists: Iterable[S], references: References) -> tuple[Iterator[S], References]:
    """Return all lists, and the references by ids if their lines are `id text`.

    The first lists are read to decide it.  Raises DataError for lines without an id among lines
    with ids.
    """
    ahead = iter(lists)
    if references.ids is not None:
        return ahead, references
    first = deque(islice(ahead, FIRST))
    keys = _keys(first)
    if most_are(keys, references.first_words()) if keys else _count(references):
        references = references.by_ids()
    return _passed_on(first, ahead), references


def most_are(keys: Sequence[str], first_words: Collection[str]) -> bool:
    """Whether more than half of the keys are first words of lines."""
    return 2 * sum(key in first_words for key in keys) > len(keys)


def _count(references: References) -> bool:
    """Whether the first words of the lines are the numbers from 0, in any order."""
    size = len(references)
    if size < COUNTED or not first_word(references.text[0]).isdecimal():
        return False
    return references.first_words() == set(map(str, range(size)))


def _keys(first: Sequence[OfSentence]) -> list[str]:
    """Return the ids of the lists; none if they have just the numbers 0, 1, 2, ..."""
    counted = all(k.id is None and k.sid == place for place, k in enumerate(first))
    return [] if counted else list(map(key_of, first))


def _passed_on(first: deque[S], rest: Iterator[S]) -> Iterator[S]:
    while first:
        yield first.popleft()  # so that a list can be freed while later ones are read
    yield from rest
