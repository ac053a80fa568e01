"""References beside the lists that they are of: by number, or by the ids of the sentences.

References are `id text` a line where the lists have ids, and these are the first words of lines.
The first lists tell: more than half of their ids must be such words.  Where lists count from 0, so
must the first words of all lines, in whatever order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Protocol, TypeVar

import xxhash

from campanula.formats.errors import DataError
from campanula.formats.records.hope import Hope
from campanula.formats.records.kbest import KBest
from campanula.formats.text.keyed import first_word
from campanula.formats.text.references import References

FIRST = 8
"""Lists that are looked at: so few that they take no memory, and enough to outvote a gap."""
COUNTED = 3
"""Lines whose first words are numbers from 0 not by chance."""


class OfSentence(Protocol):
    """What is of one sentence: a list, or what stands for it."""

    @property
    def sid(self) -> int:
        """Number of the sentence."""
        ...

    @property
    def id(self) -> str | None:
        """What the maker of the lists calls it, None where that is its number."""
        ...


S = TypeVar("S", bound=OfSentence)


def key_of(kbest: OfSentence) -> str:
    """The id of a sentence, or its number."""
    return str(kbest.sid) if kbest.id is None else kbest.id


def id_hash(name: str | None) -> int:
    """A hash, 64 bits, of an id, 0 for none: what is left of ids that are only compared."""
    return 0 if name is None else max(1, xxhash.xxh3_64_intdigest(name.encode()))


def common_id(record: KBest | Hope, others: Iterable[KBest | Hope], source: str) -> str | None:
    """The id of a sentence; raises DataError where another record has another id, or none."""
    for other in others:
        if other.id != record.id:
            shown = ["no id" if one.id is None else repr(one.id[:60]) for one in (record, other)]
            problem = f"expected one sentence of one id, found {shown[0]} and {shown[1]}"
            raise DataError(source, f"sentence {record.sid}", problem)
    return record.id


def matched(lists: Iterable[S], references: References) -> tuple[Iterator[S], References]:
    """All the lists, and their references by the ids of sentences if that is what they go by.

    Raises DataError for lines that are not `id text` among those that are.
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
    """What lists go by that do not simply count from 0."""
    counted = all(k.id is None and k.sid == place for place, k in enumerate(first))
    return [] if counted else list(map(key_of, first))


def _passed_on(first: deque[S], rest: Iterator[S]) -> Iterator[S]:
    while first:
        yield first.popleft()  # nothing else holds a list that is worked on
    yield from rest
