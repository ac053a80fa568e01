"""Kaldi's n-best lists as text archives: words, and costs in archives of the same order.

    spk1-utt1-1 hello word          (nbest-to-linear ... ark,t:- | int2sym.pl -f 2- words.txt)
    spk1-utt1-2 hello world

    spk1-utt1-1 310.5               (ark,t: of acoustic or language model costs)

The number behind the last hyphen, which lattice-to-nbest adds, is the rank; what is before is the
utterance.  A cost is the lower the better, so its feature is minus the number; `scores` are taken
as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from campanula.formats.errors import DataError, LineError
from campanula.formats.files import display_name, read_lines
from campanula.formats.nbest.blocks import Block, whole_lines
from campanula.formats.nbest.documents import SentenceRows
from campanula.formats.nbest.rows import Row
from campanula.formats.text.corpus import split_words
from campanula.formats.text.numbers import number, whole_number


class Archive(NamedTuple):
    """Numbers of hypotheses: feature, file, its lines, and what they are multiplied by."""

    feature: str
    file: str
    lines: Iterator[tuple[int, str]]
    sign: float

    @classmethod
    def of(cls, feature: str, path: str, sign: float) -> Archive:
        """The archive in a file, at its beginning."""
        lines = ((n, line) for n, line in enumerate(read_lines(path), 1) if line.strip(" \t"))
        return cls(feature, display_name(path), lines, sign)

    def value(self, key: str) -> float:
        """The number of the next hypothesis; raises DataError unless it is that of the key."""
        place, line = next(self.lines, (0, ""))
        if not place:
            raise DataError(self.file, "at the end", f"expected a number of {key!r}, found none")
        found, *values = split_words(line)
        if found != key:
            problem = f"expected {key!r}, in the order of the hypotheses, found {found!r}"
            raise DataError(self.file, f"line {place}", problem)
        try:
            if len(values) != 1:
                raise LineError(f"expected `{key} NUMBER`, found {line[:60]!r}")
            return self.sign * number(values[0], repr(key)) + 0.0  # no -0
        except LineError as error:
            raise DataError(self.file, f"line {place}", str(error)) from error

    def finish(self) -> None:
        """Raise DataError for a number that is left over."""
        for place, line in self.lines:
            key = split_words(line)[0]
            problem = f"expected as many numbers as hypotheses, found {key!r} beyond"
            raise DataError(self.file, f"line {place}", problem)


def is_kaldi(lines: Sequence[str]) -> bool:
    """Whether all lines begin with keys whose ranks count the hypotheses of an utterance."""
    before = ("", 0)
    for line in lines:
        try:
            utterance, rank = parted((split_words(line) or [""])[0])
        except LineError:
            return False
        if rank != 1 and (utterance, rank - 1) != before:
            return False
        before = (utterance, rank)
    return True


def parted(key: str) -> tuple[str, int]:
    """Utterance and rank of a key; raises LineError."""
    utterance, _, rank = key.rpartition("-")
    found = whole_number(rank)
    if not utterance or found is None:
        raise LineError(f"expected a key `UTTERANCE-RANK`, found {key[:60]!r}")
    return utterance, found


def sentences(
    blocks: Iterable[Block],
    source: str,
    costs: Mapping[str, str] | None = None,
    scores: Mapping[str, str] | None = None,
) -> Iterator[SentenceRows]:
    """Yield the utterances of a file; costs and scores: files by feature.

    Raises DataError that names file and line.
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
                seen.clear()
                utterance, rows, place = mine, [], f"line {line_number}"
            seen.add(key)
            features = {archive.feature: archive.value(key) for archive in archives}
            rows.append(Row(0, " ".join(words), features))
    if rows:
        yield SentenceRows(utterance, rows, place)
    for archive in archives:
        archive.finish()
