"""Lines of fields between bars, all laid out alike, read in one pass.

    0 ||| the cat ||| LM0= -17.4 TM0= -0.2 -0.5 ||| -3.81 ||| 0-0 1-1

What the fields are is given by their places.  A line that is laid out otherwise, or has a number
that is not read here, ends the reading: all of them are then read in another way.
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

NUMBER = -1  # a number among the tokens of features, which are labels by number else
BLANK, TAB, NEWLINE, BAR, ZERO = 32, 9, 10, 124, 48
MOST_DIGITS = 8  # of a sentence's number
MARGIN = 16  # bytes behind the last line, or the last text, that are no part of it


class LinePlan(NamedTuple):
    """How lines are laid out.

    kind (n_fields,) of their fields; token (n_tokens,) of the features, a label or NUMBER; label i
    is `byte[pointer[i]:pointer[i + 1]]`, behind which `mark` stands; row (n_numbers,) of the values
    for each number.
    """

    kind: Ints
    token: Ints
    byte: Bytes
    pointer: Ints
    row: Ints
    mark: int


class Lines(NamedTuple):
    """What lines (n,) have: sid (n,), start and end (n_texts, n) of texts, bits of numbers.

    score (n,) and value (n_values, n); blanks around a text are left out.
    """

    sid: Ints
    start: Ints
    end: Ints
    score: Ints
    value: Ints


@njit(**LEAN, inline="always")
def _field_end(byte: Bytes, at: int, last: bool) -> int:
    """Where the field ends that what was read until `at` is all of; 0 where it does not end there.

    A blank stands there and bars behind it, or the line ends.
    """
    if last:
        return at if byte[at] == NEWLINE else 0
    bars = byte[at + 1] == BAR and byte[at + 2] == BAR and byte[at + 3] == BAR
    return at if byte[at] == BLANK and bars and byte[at + 4] == BLANK else 0


@njit(**LEAN)
def _read_id(byte: Bytes, at: int, sid: Ints, line: int) -> int:
    """Read a whole number as Python writes one; return where it ends, 0 where there is none."""
    start = at
    number = 0
    while ZERO <= byte[at] <= ZERO + 9 and at - start <= MOST_DIGITS:
        number = 10 * number + wide(byte[at]) - ZERO
        at += 1
    length = at - start
    if length == 0 or length > MOST_DIGITS or (length > 1 and byte[start] == ZERO):
        return 0
    sid[line] = number
    return at


@njit(**LEAN)
def _read_words(byte: Bytes, at: int, last: bool, start: Ints, end: Ints, line: int) -> int:
    """Find the end of a text, which is returned, and the text without blanks around it."""
    begin = at
    if byte[at] == BAR and _field_end(byte, at - 1, False):
        return 0
    while byte[at] != NEWLINE and (last or byte[at] != BLANK or not _field_end(byte, at, False)):
        at += 1
    if byte[at] == NEWLINE and not last:
        return 0
    if last and _has_bars(byte, begin, at):
        return 0
    first, behind = begin, at
    while first < behind and (byte[behind - 1] == BLANK or byte[behind - 1] == TAB):
        behind -= 1
    while first < behind and (byte[first] == BLANK or byte[first] == TAB):
        first += 1
    start[line] = first
    end[line] = behind
    return at


@njit(**LEAN)
def _has_bars(byte: Bytes, begin: int, end: int) -> bool:
    """Whether bars between blanks stand in a text."""
    found = False
    for at in range(begin, end - 4):
        found = found or (byte[at] == BLANK and _field_end(byte, at, False) > 0)
    return found


@njit(**LEAN)
def _read_features(
    byte: Bytes, at: int, plan: LinePlan, value: Ints, line: int, power: Words64
) -> int:
    """Read labels and numbers in their places; return the place behind the last, 0 for others."""
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
    """The last of the blanks from a place on, if bars follow; else what is behind them."""
    behind = at
    while byte[behind] == BLANK:
        behind += 1
    return behind - 1 if byte[behind] == BAR and behind > at else behind


@njit(**LEAN)
def read_lines(
    byte: Bytes, plan: LinePlan, lines: Lines, first: int, behind: int, shift: int, power: Words64
) -> int:
    """Read lines first, ..., behind - 1 in place; return the place behind the last.

    0 when one is not as planned.  MARGIN bytes follow the last.  Places of texts are given with
    `shift` added.
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
    """Copy texts (n,) from their places behind each other; there is room for MARGIN bytes more."""
    at = 0
    for i in range(len(start)):
        k = start[i]
        to = at - k
        while k < min(end[i], len(byte) - BLOCK + 1):
            move(out, to + k, byte, k)
            k += BLOCK
        while k < end[i]:
            out[to + k] = byte[k]
            k += 1
        at += end[i] - start[i]
