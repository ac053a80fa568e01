"""Distortion tables: the probabilities of a source word's jumps, as text, plain or compressed.

    outbound ||| Haus ||| 0.21 ||| -3:0.11 0:0.57 2:0.05

gives p(jump | the jump starts behind Haus) for three jumps; any other jump has 0.21 p(jump), where
p(jump) is that over all words.  It stands in a line without a word, which comes before those of
words and lists every jump from -r to r but -1 (a jump of -1 would lead to the word itself); r is at
least 2.  Jumps of more than r words count as r.  `inbound` is p(jump | the jump leads to Haus).
<s> is the start of a sentence, before its first word.  A jump is the place of the first word of
the next block minus the place after the last word of the block before: 0 is monotone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Floats, Singles
from campanula.formats.errors import DataError, quoted
from campanula.formats.files import display_name
from campanula.formats.moses.phrase_table import log_floored, rows
from campanula.formats.text.numbers import float_or_nan
from campanula.formats.text.words import split_byte_words

START = b"<s>"
SIDES = (b"outbound", b"inbound")
JUMP = re.compile(rb"[+-]?[0-9]{1,9}")
SHORTEST, LONGEST = 2, 100  # limits of r; with r = 1 longer backward jumps would count as -1


@dataclass(frozen=True)
class DistortionTable:
    """Log probabilities by side (outbound, inbound), word, and jump from -r to r.

    value (2, n_words + 1, 2 r + 1): natural logarithms; the last row is for words not in the table.
    """

    words: list[bytes]
    value: Singles


def read_distortion_table(path: str) -> DistortionTable:
    """Read a distortion table; raises DataError that names the line."""
    name = display_name(path)
    number: dict[bytes, int] = {}
    of_all_words: list[Floats | None] = [None, None]  # by side
    of_word: dict[tuple[int, int], Floats] = {}  # by side and number of the word
    for line, fields in rows(path, 4):
        try:
            side = SIDES.index(b" ".join(split_byte_words(fields[0])))
            [word] = split_byte_words(fields[1]) or [b""]
            rest = _number(fields[2])
            jumps = _jumps(fields[3])
            place = side, number.setdefault(word, len(number)) if word else -1
            all_words = of_all_words[side]
            if place in of_word or (not word and all_words is not None):
                raise ValueError("expected each word once, found it twice")
            if not word:
                of_all_words[side] = _of_all_words(jumps)
            elif all_words is None:
                raise ValueError("expected a line of no word before it")
            else:
                of_word[place] = _row(all_words, rest, jumps)
        except ValueError as error:
            raise DataError(name, f"line {line}", _problem(error, fields)) from error
    outbound, inbound = of_all_words
    if outbound is None or inbound is None or len(outbound) != len(inbound):
        problem = "expected a line of no word for outbound and inbound, with the same jumps"
        raise DataError(name, None, problem)
    value = np.empty((2, len(number) + 1, len(outbound)))
    value[:] = np.stack([outbound, inbound])[:, None]
    for place, probability in of_word.items():
        value[place] = probability
    return DistortionTable(list(number), log_floored(value.astype(np.float32)))


def _number(field: bytes) -> float:
    """Read a field that is a probability; raises ValueError."""
    value = float_or_nan(field.strip())
    if not 0.0 <= value <= 1.0:
        raise ValueError(f"expected a probability, found {quoted(field.strip())}")
    return value


def _jumps(field: bytes) -> dict[int, float]:
    """Read a field of probabilities by jump; raises ValueError."""
    jumps: dict[int, float] = {}
    for token in field.split():
        jump, colon, value = token.partition(b":")
        number = int(jump) if JUMP.fullmatch(jump) else -1
        if not colon or abs(number) > LONGEST or number == -1 or number in jumps:
            raise ValueError(f"expected jumps such as 2:0.05, each once, found {quoted(token)}")
        jumps[number] = _number(value)
    return jumps


def _of_all_words(jumps: dict[int, float]) -> Floats:
    """Return the probabilities (2 r + 1,) of all jumps from -r to r; 0 for -1.

    Raises ValueError unless all jumps but -1 are listed.
    """
    far = max(jumps, default=0)
    expected = {jump for jump in range(-far, far + 1) if jump != -1}
    if far < SHORTEST or set(jumps) != expected:
        raise ValueError(f"expected every jump from -r to r but -1, r at least {SHORTEST}")
    return np.array([jumps.get(jump, 0.0) for jump in range(-far, far + 1)])


def _row(all_words: Floats, rest: float, jumps: dict[int, float]) -> Floats:
    """Return the probabilities (2 r + 1,) of a word's jumps; raises ValueError beyond r."""
    far = len(all_words) >> 1
    row = rest * all_words
    for jump, value in jumps.items():
        if abs(jump) > far:
            raise ValueError(f"expected jumps of at most {far} words, found {jump}")
        row[far + jump] = value
    return row


def distortion_line(side: bytes, word: bytes, rest: float, jumps: dict[int, float]) -> bytes:
    """Return the line of a word, or of all words if `word` is empty."""
    listed = b" ".join(b"%d:%.6g" % (jump, jumps[jump]) for jump in sorted(jumps))
    return b"%s ||| %s ||| %.6g ||| %s\n" % (side, word, rest, listed)


def _problem(error: ValueError, fields: list[bytes]) -> str:
    """Return the problem of a bad line; errors of Python itself get a text of ours."""
    problem = str(error)
    if not problem.startswith("expected"):
        problem = "expected outbound or inbound, a word, a probability, jumps such as 2:0.05"
    return problem if "found" in problem else f"{problem}; found {quoted(b'|||'.join(fields))}"
