"""Distortion tables: how likely a source word's jumps are, as text, plain or gzip.

    outbound ||| Haus ||| 0.21 ||| -3:0.11 0:0.57 2:0.05

says p(jump | the jump starts behind Haus) for three jumps; any other has 0.21 p(jump), with p that
of all words: a line of no word, which lists every jump from -r to r but -1 (a jump of -1 would lead
to the word itself) and comes before those of words.  Jumps of more than r words count as r, at
least 2.  `inbound` is p(jump | the jump leads to Haus).  <s> is the start of a sentence, before its
first word.  A jump is the place of the first word of the block that comes next, less the place
after the last word of the block before: 0 is monotone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Floats, Singles
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.model.vocabulary import words_of
from campanula.formats.moses.phrase_table import log_floored, rows
from campanula.formats.text.numbers import float_or_nan

START = b"<s>"
SIDES = (b"outbound", b"inbound")
JUMP = re.compile(rb"[+-]?[0-9]{1,9}")
SHORTEST, LONGEST = 2, 100  # what r may be: -1 cannot stand for longer jumps


@dataclass(frozen=True)
class DistortionTable:
    """Natural logarithms `value` (2, n_words + 1, 2 r + 1): outbound, inbound; by word and jump.

    The last row is that of a word which the table lacks.
    """

    words: list[bytes]
    value: Singles


def read_distortion_table(path: str) -> DistortionTable:
    """Read a distortion table; raises DataError with the line that is wrong."""
    name = display_name(path)
    number: dict[bytes, int] = {}
    every: list[Floats | None] = [None, None]
    found: dict[tuple[int, int], Floats] = {}
    for line, fields in rows(path, 4):
        try:
            side = SIDES.index(b" ".join(words_of(fields[0])))
            [word] = words_of(fields[1]) or [b""]
            rest = _number(fields[2])
            jumps = _jumps(fields[3])
            place = side, number.setdefault(word, len(number)) if word else -1
            all_words = every[side]
            if place in found or (not word and all_words is not None):
                raise ValueError("expected each word once, found it twice")
            if not word:
                every[side] = _of_all_words(jumps)
            elif all_words is None:
                raise ValueError("expected a line of no word before it")
            else:
                found[place] = _row(all_words, rest, jumps)
        except ValueError as error:
            raise DataError(name, f"line {line}", _problem(error, fields)) from error
    if every[0] is None or every[1] is None or len(every[0]) != len(every[1]):
        problem = "expected a line of no word for outbound and inbound, with the same jumps"
        raise DataError(name, None, problem)
    value = np.empty((2, len(number) + 1, len(every[0])))
    value[:] = np.stack([every[0], every[1]])[:, None]
    for place, probability in found.items():
        value[place] = probability
    return DistortionTable(list(number), log_floored(value.astype(np.float32)))


def _number(field: bytes) -> float:
    """A probability of a field."""
    value = float_or_nan(field.strip())
    if not 0.0 <= value <= 1.0:
        raise ValueError(f"expected a probability, found {_text(field.strip())}")
    return value


def _jumps(field: bytes) -> dict[int, float]:
    """Probabilities by jump."""
    found: dict[int, float] = {}
    for token in field.split():
        jump, colon, value = token.partition(b":")
        number = int(jump) if JUMP.fullmatch(jump) else -1
        if not colon or abs(number) > LONGEST or number == -1 or number in found:
            raise ValueError(f"expected jumps such as 2:0.05, each once, found {_text(token)}")
        found[number] = _number(value)
    return found


def _of_all_words(jumps: dict[int, float]) -> Floats:
    """Probabilities (2 r + 1,) of -r to r, all of which are there but -1."""
    far = max(jumps, default=0)
    expected = {jump for jump in range(-far, far + 1) if jump != -1}
    if far < SHORTEST or set(jumps) != expected:
        raise ValueError(f"expected every jump from -r to r but -1, r at least {SHORTEST}")
    return np.array([jumps.get(jump, 0.0) for jump in range(-far, far + 1)])


def _row(all_words: Floats, rest: float, jumps: dict[int, float]) -> Floats:
    """Probabilities of a word's jumps; raises ValueError for one that all words lack."""
    far = len(all_words) >> 1
    row = rest * all_words
    for jump, value in jumps.items():
        if abs(jump) > far:
            raise ValueError(f"expected jumps of at most {far} words, found {jump}")
        row[far + jump] = value
    return row


def distortion_line(side: bytes, word: bytes, rest: float, jumps: dict[int, float]) -> bytes:
    """The line of a word, or of no word."""
    listed = b" ".join(b"%d:%.6g" % (jump, jumps[jump]) for jump in sorted(jumps))
    return b"%s ||| %s ||| %.6g ||| %s\n" % (side, word, rest, listed)


def _text(token: bytes) -> str:
    return repr(token[:60].decode(errors="replace"))


def _problem(error: ValueError, fields: list[bytes]) -> str:
    """What a message says of a bad line."""
    said = str(error)
    if not said.startswith("expected"):
        said = "expected outbound or inbound, a word, a probability, jumps such as 2:0.05"
    return said if "found" in said else f"{said}; found {_text(b'|||'.join(fields))}"
