"""SRILM's n-best lists (nbest-format(5)), a file a sentence or several one after another.

    NBestList1.0                        a composite score in bytelogs
    (-310) hello word

    NBestList2.0                        the same, and scores of words
    (-310) hello ( st: 0.1 et: 0.4 g: -12 a: -140 ) word ( st: ... )

    -310.5 -12.25 2 hello word          without a header: acoustic score, language model, words

The features are F0, the score of a list 1.0; AM and LM, the sums over the words of a list 2.0 or
the first columns; Words, the third column.  Numbers stay on the scale of the file.  A sentence is
called after its file.  `<s>`, `</s>` and the pause `-pau-` are no words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import NamedTuple

from campanula.formats.errors import DataError, LineError
from campanula.formats.nbest.blocks import Block, whole_lines
from campanula.formats.nbest.documents import SentenceRows
from campanula.formats.nbest.rows import Row
from campanula.formats.text.corpus import split_words
from campanula.formats.text.numbers import float_or_nan, number, whole_number

HEADERS = {"NBestList1.0": 1, "NBestList2.0": 2}
NO_WORDS = {"<s>", "</s>", "-pau-"}
SUFFIXES = re.compile(r"(\.(gz|xz|zst|Z|nbest|nbest[0-9]*|score|nb|txt|lst))+$")
STDIN = "stdin"
PER_WORD = 11  # tokens: the word, a bracket, four labels with their values, a bracket
LABELS = ("(", "st:", "et:", "g:", "a:", ")")


class Word(NamedTuple):
    """A word of a list 2.0."""

    text: str
    start: float
    end: float
    lm: float
    am: float


def is_srilm(lines: Sequence[str]) -> bool:
    """Whether lines begin such a list: with its header, or all of them with its three columns."""
    if lines[0].strip() in HEADERS:
        return True
    heads = [split_words(line)[:3] for line in lines]
    return all(
        len(head) == 3
        and float_or_nan(head[0]) == float_or_nan(head[0])
        and float_or_nan(head[1]) == float_or_nan(head[1])
        and whole_number(head[2]) is not None
        for head in heads
    )


def sentences(blocks: Iterable[Block], source: str) -> Iterator[SentenceRows]:
    """Yield the list of a file, or all of them; raises DataError that names file and line."""
    rows: list[Row] | None = None
    version = 0
    lists = 0
    for block in whole_lines(blocks):
        for place, line in block.lines():
            if line.strip() in HEADERS:
                if rows is not None:
                    yield SentenceRows(None, rows, f"line {place}")
                    lists += 1
                version, rows = HEADERS[line.strip()], []
                continue
            try:
                rows = [] if rows is None else rows
                rows.append(hypothesis(line, version))
            except LineError as error:
                raise DataError(block.name, f"line {place}", str(error)) from error
    yield SentenceRows(None if lists else sentence_of(source), rows or [], "at the end")


def sentence_of(file: str) -> str | None:
    """What a sentence is called after its file; None for stdin."""
    return SUFFIXES.sub("", PurePath(file).name) or None if file != STDIN else None


def hypothesis(line: str, version: int) -> Row:
    """The hypothesis of a line of a list of a version, 0 for columns; raises LineError."""
    tokens = split_words(line)
    if not tokens:
        raise LineError("expected a hypothesis, found an empty line")
    if version == 0:
        return _of_columns(tokens, line)
    bracketed = re.fullmatch(r"\((.*)\)", tokens[0])
    if bracketed is None:
        raise LineError(f"expected a score in brackets, `(-310) words`, found {line[:60]!r}")
    score = number(bracketed[1], "score")
    if version == 1:
        return Row(0, _text(tokens[1:]), {}, score)
    words = list(_words(tokens[1:]))
    sums = {"AM": sum(word.am for word in words), "LM": sum(word.lm for word in words)}
    return Row(0, _text(word.text for word in words), sums, score)


def _of_columns(tokens: list[str], line: str) -> Row:
    if len(tokens) < 3:
        problem = "expected acoustic score, language model score, number of words, words"
        raise LineError(f"{problem}, found {line[:60]!r}")
    features = {"AM": number(tokens[0], "feature 'AM'"), "LM": number(tokens[1], "feature 'LM'")}
    features["Words"] = number(tokens[2], "feature 'Words'")
    return Row(0, _text(tokens[3:]), features)


def _words(tokens: list[str]) -> Iterator[Word]:
    """Words of a list 2.0; phones and states, which lie within the word before, are skipped."""
    until = -1.0
    for start in range(0, len(tokens), PER_WORD):
        part = tokens[start : start + PER_WORD]
        if (part[1:2], *part[2:10:2], *part[10:]) != (["("], *LABELS[1:]):
            problem = "expected `word ( st: .. et: .. g: .. a: .. )`"
            raise LineError(f"{problem}, found {' '.join(part)[:60]!r}")
        times = [
            number(part[place], f"{part[0]!r}: {part[place - 1][:-1]}") for place in (3, 5, 7, 9)
        ]
        word = Word(part[0], *times)
        if word.start >= until:
            until = word.end
            yield word


def _text(words: Iterable[str]) -> str:
    return " ".join(word for word in words if word not in NO_WORDS)
