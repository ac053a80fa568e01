"""The phrase table with the probabilities of both channels in place of its own.

Numbers are written with all digits, so that they sum to one when they are read, too.  Other scores,
links and counts, and scores that did not change, are copied byte by byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.formats.errors import DataError
from campanula.formats.files import Output, display_name
from campanula.formats.moses.phrase_table import rows as lines_of
from campanula.stages.growth.phrase_rows import CHUNK, PLACES, PhraseRows
from campanula.stages.growth.transform import Channels

Line = tuple[int, list[bytes]]


def write_table(output: str | None, table: str, rows: PhraseRows, channels: Channels) -> None:
    """Write the table; raises DataError if the file has changed since the rows were read."""
    factors = [channel.factor() for channel in channels]
    lines = lines_of(table, 3)
    start = 0
    fired = 0
    with Output(output) as out:
        while chunk := list(islice(lines, CHUNK)):
            end = start + len(chunk)
            # the file has more rows than were read: the check below says so
            if end > len(rows):
                break
            own = np.flatnonzero(rows.feature[start:end] >= 0)
            fired_here = slice(fired, fired + len(own))
            scores = [fields[2].split() for _, fields in chunk]
            for side, place in enumerate(PLACES):
                before = np.array([float(tokens[place]) for tokens in scores])
                after = before * factors[side][rows.condition[side][start:end]]
                after[own] = channels[side].own[fired_here]
                _put(scores, place, before, after)
            out.write(b"".join(_joined(chunk, scores)))
            start = end
            fired = fired_here.stop
        if start != len(rows) or chunk:
            problem = f"expected the {len(rows)} rows that were read before, found others"
            raise DataError(display_name(table), None, problem)


def _put(scores: list[list[bytes]], place: int, before: Floats, after: Floats) -> None:
    """Replace the scores that have changed, in column `place`."""
    for number in np.flatnonzero(after != before).tolist():
        # the shortest digits that are read back as the same number
        scores[number][place] = b"%r" % float(after[number])


def _joined(chunk: list[Line], scores: list[list[bytes]]) -> Iterator[bytes]:
    for (_, fields), tokens in zip(chunk, scores, strict=True):
        fields[2] = b" %s%s" % (b" ".join(tokens), b" " if fields[3:] else b"")
        yield b"|||".join(fields) + b"\n"
