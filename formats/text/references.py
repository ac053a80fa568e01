"""Reference translations: one or more texts, in each of which line i is for sentence i.

A text is a file, or a folder of files (parts.py).  Lines may be in another order if they have the
ids of sentences (keyed.py): JSON lines may always, and lines `id text` if the lists to be scored
have these ids (records/matching.py).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import xxhash

from campanula.formats.errors import DataError, quoted
from campanula.formats.records.texts import Texts
from campanula.formats.text.keyed import (
    KeyedTexts,
    first_word,
    from_json_lines,
    is_json_lines,
    keyed,
)
from campanula.formats.text.parts import TextLines, refuse_other_parts


@dataclass(frozen=True, slots=True, repr=False)
class References:
    """References of all sentences, `n_refs` each: reference r of sentence i is text i * n_refs + r.

    names (n_refs,): the files or folders they come from; first (n_files,): the sentences with which
    the files of a folder begin, empty if there is no folder; ids: the place of each sentence by its
    id, None if lines belong to sentences by number.
    """

    text: Texts
    names: tuple[str, ...]
    first: tuple[int, ...] = ()
    ids: Mapping[str, int] | None = None

    @property
    def n_refs(self) -> int:
        """Number of references of each sentence."""
        return len(self.names)

    def __repr__(self) -> str:
        return f"<references of {len(self)} sentences: {', '.join(self.names)}>"

    def __len__(self) -> int:
        return len(self.text) // self.n_refs

    def texts(self, sid: int) -> Texts:
        """Return the references (n_refs,) of the sentence at a place; their bytes are not copied.

        Raises DataError for a sentence without references.
        """
        if sid >= len(self):
            problem = f"expected a line of sentence {sid}, found the end after {len(self)} lines"
            raise DataError(self.names[0], None, problem)
        pointer = self.text.pointer
        return Texts(self.text.blob, pointer[sid * self.n_refs : (sid + 1) * self.n_refs + 1])

    @classmethod
    def of(cls, *sets: Sequence[str]) -> References:
        """Make references of one or more sets of texts: text i of a set is for sentence i."""
        if not sets or any(isinstance(lines, str) for lines in sets):
            raise ValueError("expected a list of texts, a text a sentence, for each reference")
        names = tuple(f"references {number}" for number in range(1, len(sets) + 1))
        return cls._joined(names, sets)

    @classmethod
    def read(cls, paths: Sequence[str]) -> References:
        """Read one or more texts; raises DataError when their numbers of lines differ."""
        texts = [TextLines(path) for path in paths]
        names = tuple(text.name for text in texts)
        if any(map(is_json_lines, paths)):
            return cls._of_files(names, [_read(text) for text in texts])
        joined = cls._joined(names, [list(text) for text in texts])
        in_parts = [text for text in texts if text.in_parts]
        for text in in_parts:
            refuse_other_parts(text, in_parts[0])
        return replace(joined, first=tuple(in_parts[0].first)) if in_parts else joined

    def first_words(self) -> set[str]:
        """Return the first words of all lines of the first file."""
        # by_ids refuses other files whose ids differ from those of the first
        return set(map(first_word, self._set(0)))

    def by_ids(self) -> References:
        """Return the references with their first words taken as ids; raises DataError."""
        sets = [keyed(self._set(r), name) for r, name in enumerate(self.names)]
        return self._of_files(self.names, sets)

    def by_number(self) -> References:
        """Return the references by number of line, for sentences that have no ids."""
        return self if self.ids is None else replace(self, ids=None)

    def of_sentence(self, sid: int, name: str | None) -> Texts:
        """Return the references (n_refs,) of a sentence, found by its id if the lines have ids.

        name: the sentence's id; without one its number is looked up as its id.  Raises DataError
        for a sentence without references.
        """
        if self.ids is None:
            return self.texts(sid)
        place = self.ids.get(name or str(sid))
        if place is None:
            problem = f"expected a line of {name or str(sid)!r}, found none"
            raise DataError(self.names[0], None, problem)
        return self.texts(place)

    def _set(self, number: int) -> list[str]:
        """Return the texts of one file."""
        return [self.text[place] for place in range(number, len(self.text), self.n_refs)]

    def refuse_other_shards(self, spans: Sequence[tuple[int, int]], lists: str) -> None:
        """Raise DataError unless each file of a folder has the references of one shard.

        spans: first and last sentence of every shard of `lists`.  References in one file fit any
        shards.
        """
        if not self.first:
            return
        if len(spans) != len(self.first):
            expected = f"expected {len(spans)} files, as {lists} has shards"
            raise DataError(self.names[0], None, f"{expected}, found {len(self.first)}")
        ends = (*self.first[1:], len(self))
        for number, (first, last) in enumerate(spans):
            if not self.first[number] <= first <= last < ends[number]:
                expected = f"expected sentences {first} to {last}, as {lists} has in shard {number}"
                found = f"found {self.first[number]} to {ends[number] - 1}"
                raise DataError(self.names[0], f"file {number}", f"{expected}, {found}")

    @classmethod
    def _joined(cls, names: tuple[str, ...], sets: Sequence[Sequence[str]]) -> References:
        for name, lines in zip(names, sets, strict=True):
            if len(lines) != len(sets[0]):
                problem = f"expected {len(sets[0])} lines, as {names[0]} has, found {len(lines)}"
                raise DataError(name, None, problem)
        return cls(Texts.of(line for lines in zip(*sets, strict=True) for line in lines), names)

    @classmethod
    def _of_files(cls, names: tuple[str, ...], sets: Sequence[KeyedTexts]) -> References:
        """Join files in the order of the first; raises DataError unless all have the same ids."""
        ids = sets[0].ids
        if ids is None and all(one.ids is None for one in sets):
            return cls._joined(names, [one.texts for one in sets])
        place = {key: number for number, key in enumerate(ids or ())}
        ordered = []
        for name, one in zip(names, sets, strict=True):
            if ids is None or one.ids is None:
                if one.ids is ids:  # both None: a later file has ids and is refused then
                    continue
                expected = f"expected {'no ids' if ids is None else 'ids'} of sentences"
                found = "some" if ids is None else "none"
                raise DataError(name, None, f"{expected}, as in {names[0]}, found {found}")
            _refuse_other_ids(name, one.ids, names[0], place)
            text = dict(zip(one.ids, one.texts, strict=True))
            ordered.append([text[key] for key in ids])
        return replace(cls._joined(names, ordered), ids=place)

    def digest(self) -> str:
        """Return the checksum of the texts and of their ids, if any, 16 hexadecimal digits."""
        summed = xxhash.xxh3_64(self.text.blob)
        if self.ids is not None:
            summed.update("\n".join(self.ids).encode())
        # the same bytes divided elsewhere are other texts
        summed.update(self.text.pointer.astype("<i8").tobytes())
        summed.update(self.n_refs.to_bytes(8, "little"))
        return summed.hexdigest()


def _read(text: TextLines) -> KeyedTexts:
    """Read the texts of a file; raises DataError for bad JSON lines."""
    return from_json_lines(text, text.name) if is_json_lines(text.name) else KeyedTexts(list(text))


def _refuse_other_ids(
    name: str, ids: Collection[str], first: str, place: Mapping[str, int]
) -> None:
    """Raise DataError unless a file has exactly the ids of the first one."""
    for number, key in enumerate(ids, 1):
        if key not in place:
            problem = f"expected an id that {first} has, too; found {quoted(key)}"
            raise DataError(name, f"line {number}", problem)
    if len(ids) < len(place):
        present = set(ids)
        missing = next(key for key in place if key not in present)
        raise DataError(name, None, f"expected a line of {missing!r}, as {first} has, found none")
