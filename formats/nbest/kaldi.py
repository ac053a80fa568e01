"""Kaldi's n-best lists as text archives: words, and costs in other archives in the same order.

    spk1-utt1-1 hello word          (nbest-to-linear ... ark,t:- | int2sym.pl -f 2- words.txt)
    spk1-utt1-2 hello world

    spk1-utt1-1 310.5               (ark,t: of acoustic or language model costs)

A key is the utterance, a hyphen and the rank, which lattice-to-nbest adds.  Lower costs are better,
so the feature is minus the cost; numbers of `scores` are not negated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from campanula.formats.errors import DataError, LineError, quoted
from campanula.formats.files import display_name, read_lines
from campanula.formats.nbest.blocks import Block, whole_lines
from campanula.formats.nbest.documents import SentenceRows
from campanula.formats.nbest.rows import Row
from campanula.formats.text.numbers import number, whole_number
from campanula.formats.text.words import split_words


class Archive(NamedTuple):
    """An archive of numbers: name of the feature, file, its lines, factor of the numbers."""

    feature: str
    file: str
    lines: Iterator[tuple[int, str]]
    sign: float

    @classmethod
    def of(cls, feature: str, path: str, sign: float) -> Archive:
        """Open an archive at its beginning."""
        lines = ((n, line) for n, line in enumerate(read_lines(path), 1) if line.strip(" \t"))
        return cls(feature, display_name(path), lines, sign)

    def value(self, key: str) -> float:
        """Read the number of the next hypothesis; raises DataError unless its key is `key`."""
        place, line = next(self.lines, (0, ""))
        if not place:
            raise DataError(self.file, "at the end", f"expected a number of {key!r}, found none")
        own_key, *values = split_words(line)
        if own_key != key:
            problem = f"expected {key!r}, in the order of the hypotheses, found {own_key!r}"
            raise DataError(self.file, f"line {place}", problem)
        try:
            if len(values) != 1:
                raise LineError(f"expected `{key} NUMBER`, found {quoted(line)}")
            return self.sign * number(values[0], repr(key)) + 0.0  # adding 0.0 turns -0.0 into 0.0
        except LineError as error:
            raise DataError(self.file, f"line {place}", str(error)) from error

    def finish(self) -> None:
        """Raise DataError for a number that is left over."""
        for place, line in self.lines:
            key = split_words(line)[0]
            problem = f"expected as many numbers as hypotheses, found {key!r} beyond"
            raise DataError(self.file, f"line {place}", problem)


def is_kaldi(lines: Sequence[str]) -> bool:
    """Whether all lines begin with keys whose ranks count 1, 2, ... within an utterance."""
    before = ("", 0)
    for line in lines:
        try:
            utterance, rank = parted((split_words(line) or [""])[0])
        except LineError:
            return False
        # a text with hyphens and numbers, such as dates, seldom counts like this
        if rank != 1 and (utterance, rank - 1) != before:
            return False
        before = (utterance, rank)
    return True


def parted(key: str) -> tuple[str, int]:
    """Split a key into utterance and rank; raises LineError."""
    utterance, _, rank = key.rpartition("-")
    number_of_rank = whole_number(rank)
    if not utterance or number_of_rank is None:
        raise LineError(f"expected a key `UTTERANCE-RANK`, found {quoted(key)}")
    return utterance, number_of_rank


def sentences(
    blocks: Iterable[Block],
    source: str,
    costs: Mapping[str, str] | None = None,
    scores: Mapping[str, str] | None = None,
) -> Iterator[SentenceRows]:
    """Yield the utterances of a file; raises DataError that names file and line.

    costs, scores: paths of archives by name of the feature.
    """
    archives = [Archive.of(name, path, -1.0) for name, path in (costs or {}).items()]
    archives += [Archive.of(name, path, 1.0) for name, path in (scores or {}).items()]
    seen: set[str] = set()
    utterance = ""
    rows: list[Row] = []
    place = ""
    for block in whole_lines(blocks):
        for line_number, line in block.lines():
            key, *words = split_words(line) or [""]
            try:
                mine, _ = parted(key)
                if key in seen:
                    raise LineError(f"expected each key once, found {key!r} again")
            except LineError as error:
                raise DataError(block.name, f"line {line_number}", str(error)) from error
            if mine != utterance:
                if rows:
                    yield SentenceRows(utterance, rows, place)
                # no other utterance has these keys, and one that comes again is refused by its id
                seen.clear()
                utterance = mine
                rows = []
                place = f"line {line_number}"
            seen.add(key)
            features = {archive.feature: archive.value(key) for archive in archives}
            rows.append(Row(0, " ".join(words), features))
    if rows:
        yield SentenceRows(utterance, rows, place)
    for archive in archives:
        archive.finish()
