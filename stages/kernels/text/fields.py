"""Read lines of fields between bars, all of one layout, in one pass.

    0 ||| the cat ||| LM0= -17.4 TM0= -0.2 -0.5 ||| -3.81 ||| 0-0 1-1

The meaning of a field is given by its place.  A line of another layout, or with a number that is
not read here, ends the reading; the caller then reads all lines in another way.
"""

from __future__ import annotations

from typing import NamedTuple

from campanula.formats.arrays.types import Bytes, Ints, Words64
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.text.numbers import UNDECIDED, read
from campanula.stages.kernels.text.words import BLOCK, move
from campanula.stages.kernels.wide import wide

ID, WORDS, FEATURES, SCORE = range(4)
"""Kinds of fields: number of the sentence, text, features, score."""

NUMBER = -1  # token of features that is a number; other tokens are numbers of labels
BLANK, TAB, NEWLINE, BAR, ZERO = b" \t\n|0"
MOST_DIGITS = 8  # of a sentence's number
MARGIN = 16  # bytes of padding behind the last line or text: reading ahead stays in the array


class LinePlan(NamedTuple):
    """The layout of lines.

    kind (n_fields,) of the fields; token (n_tokens,) of the features: the number of a label, or
    NUMBER; label i is `byte[pointer[i]:pointer[i + 1]]`, followed by the byte `mark`; row
    (n_numbers,): the row of Lines.value for each number.
    """

    kind: Ints
    token: Ints
    byte: Bytes
    pointer: Ints
    row: Ints
    mark: int


class Lines(NamedTuple):
    """Contents of n lines: sid (n,), start and end (n_texts, n) of texts without outer blanks.

    score (n,) and value (n_values, n) are the bits of doubles.
    """

    sid: Ints
    start: Ints
    end: Ints
    score: Ints
    value: Ints


@njit(**LEAN, inline="always")
def _field_end(byte: Bytes, at: int, last: bool) -> int:
    """Return `at` if a field ends there, else 0.

    The last field ends at the end of the line, the others at a blank, three bars and a blank.
    """
    if last:
        return at if byte[at] == NEWLINE else 0
    bars = byte[at + 1] == BAR and byte[at + 2] == BAR and byte[at + 3] == BAR
    return at if byte[at] == BLANK and bars and byte[at + 4] == BLANK else 0


@njit(**LEAN)
def _read_id(byte: Bytes, at: int, sid: Ints, line: int) -> int:
    """Read an integer as Python writes it; return the place behind it, 0 if there is none."""
    start = at
    number = 0
    while ZERO <= byte[at] <= ZERO + 9 and at - start <= MOST_DIGITS:
        number = 10 * number + wide(byte[at]) - ZERO
        at += 1
    length = at - start
    # a number with zeros in front is another text than its number, and left to the other way
    if length == 0 or length > MOST_DIGITS or (length > 1 and byte[start] == ZERO):
        return 0
    sid[line] = number
    return at


@njit(**LEAN)
def _read_words(byte: Bytes, at: int, last: bool, start: Ints, end: Ints, line: int) -> int:
    """Write start and end of a text without blanks around it; return where its field ends, or 0."""
    begin = at
    # an empty text between bars has one blank, not two: another layout
    if byte[at] == BAR and _field_end(byte, at - 1, False):
        return 0
    while byte[at] != NEWLINE and (last or byte[at] != BLANK or not _field_end(byte, at, False)):
        at += 1
    if byte[at] == NEWLINE and not last:
        return 0
    # bars in the last field begin one more field than planned
    if last and _has_bars(byte, begin, at):
        return 0
    first = begin
    behind = at
    while first < behind and (byte[behind - 1] == BLANK or byte[behind - 1] == TAB):
        behind -= 1
    while first < behind and (byte[first] == BLANK or byte[first] == TAB):
        first += 1
    start[line] = first
    end[line] = behind
    return at


@njit(**LEAN)
def _has_bars(byte: Bytes, begin: int, end: int) -> bool:
    """Whether a text has three bars between blanks."""
    bars = False
    for at in range(begin, end - 4):
        bars = bars or (byte[at] == BLANK and _field_end(byte, at, False) > 0)
    return bars


@njit(**LEAN)
def _read_features(
    byte: Bytes, at: int, plan: LinePlan, value: Ints, line: int, power: Words64
) -> int:
    """Read labels and numbers as planned; return the place behind the last, 0 if they differ."""
    number = 0
    for t in range(len(plan.token)):
        label = plan.token[t]
        while byte[at] == BLANK:
            at += 1
        if label == NUMBER:
            bits, at = read(byte, at, power)
            if bits == UNDECIDED or (byte[at] != BLANK and byte[at] != NEWLINE):
                return 0
            value[plan.row[number], line] = bits
            number += 1
            continue
        for k in range(plan.pointer[label], plan.pointer[label + 1]):
            if byte[at] != plan.byte[k]:
                return 0
            at += 1
        if byte[at] != plan.mark:
            return 0
        at += 1
    return at


@njit(**LEAN)
def _past_blanks(byte: Bytes, at: int) -> int:
    """Place of the last blank from `at` on if a bar follows, else the place behind the blanks."""
    behind = at
    while byte[behind] == BLANK:
        behind += 1
    return behind - 1 if byte[behind] == BAR and behind > at else behind


@njit(**LEAN)
def read_lines(
    byte: Bytes, plan: LinePlan, lines: Lines, first: int, behind: int, shift: int, power: Words64
) -> int:
    """Read the lines of `byte` into columns first, ..., behind - 1 of `lines`.

    Return the place behind the last line, 0 if a line is not as planned.  MARGIN bytes follow the
    last line.  `shift` is added to the places of texts.
    """
    at = 0
    n_fields = len(plan.kind)
    for line in range(first, behind):
        text = 0
        for field in range(n_fields):
            last = field == n_fields - 1
            kind = plan.kind[field]
            if kind == ID:
                at = _read_id(byte, at, lines.sid, line)
            elif kind == WORDS:
                at = _read_words(byte, at, last, lines.start[text], lines.end[text], line)
                lines.start[text, line] += shift
                lines.end[text, line] += shift
                text += 1
            elif kind == FEATURES:
                at = _read_features(byte, at, plan, lines.value, line, power)
                at = _past_blanks(byte, at) if at else 0
            else:
                bits, at = read(byte, at, power)
                lines.score[line] = bits
                if bits == UNDECIDED:
                    return 0
            if at == 0 or _field_end(byte, at, last) == 0:
                return 0
            at += 1 if last else 5  # behind the line's end, or the bars
    return at


@njit(**LEAN)
def gather(byte: Bytes, start: Ints, end: Ints, out: Bytes) -> None:
    """Copy texts byte[start[i]:end[i]] to `out`, one behind the other.

    `out` is longer than the texts by MARGIN bytes, which are overwritten.
    """
    at = 0
    for i in range(len(start)):
        k = start[i]
        to = at - k
        # whole blocks, the last of which may overlap the next text's place; near the end of `byte`,
        # where a block would be read beyond it, single bytes
        while k < min(end[i], len(byte) - BLOCK + 1):
            move(out, to + k, byte, k)
            k += BLOCK
        while k < end[i]:
            out[to + k] = byte[k]
            k += 1
        at += end[i] - start[i]
