"""SRILM's n-best lists (nbest-format(5)): one sentence per file, or several in one file.

    NBestList1.0                        a composite score in bytelogs
    (-310) hello word

    NBestList2.0                        the same, and the scores of each word
    (-310) hello ( st: 0.1 et: 0.4 g: -12 a: -140 ) word ( st: ... )

    -310.5 -12.25 2 hello word          without a header: acoustic score, language model, words

The features are F0, the score, for version 1.0; AM and LM, sums over the words, for version 2.0;
and AM, LM and Words, the three columns, without a header.  Numbers stay on the scale of the file.
The id of a sentence is the name of its file.  `<s>`, `</s>` and the pause `-pau-` are not words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import NamedTuple

from campanula.formats.errors import DataError, LineError, quoted
from campanula.formats.nbest.blocks import Block, whole_lines
from campanula.formats.nbest.documents import SentenceRows
from campanula.formats.nbest.rows import Row
from campanula.formats.text.numbers import float_or_nan, number, whole_number
from campanula.formats.text.words import split_words

HEADERS = {"NBestList1.0": 1, "NBestList2.0": 2}
NO_WORDS = {"<s>", "</s>", "-pau-"}
SUFFIXES = re.compile(r"(\.(gz|xz|zst|Z|nbest|nbest[0-9]*|score|nb|txt|lst))+$")
STDIN = "stdin"
PER_WORD = 11  # tokens per word: itself, a bracket, four labels with their values, a bracket
LABELS = ("(", "st:", "et:", "g:", "a:", ")")


class Word(NamedTuple):
    """A word of version 2.0, with its times and its scores in bytelogs."""

    text: str
    start: float
    end: float
    lm: float
    am: float


def is_srilm(lines: Sequence[str]) -> bool:
    """Whether the first line is a header of SRILM, or all lines begin with the three columns."""
    if lines[0].strip() in HEADERS:
        return True
    heads = [split_words(line)[:3] for line in lines]
    return all(
        len(head) == 3
        # NaN, for what is no number, does not equal itself
        and float_or_nan(head[0]) == float_or_nan(head[0])
        and float_or_nan(head[1]) == float_or_nan(head[1])
        and whole_number(head[2]) is not None
        for head in heads
    )


def sentences(blocks: Iterable[Block], source: str) -> Iterator[SentenceRows]:
    """Yield the lists of a file; raises DataError that names file and line."""
    rows: list[Row] | None = None
    version = 0
    lists = 0
    for block in whole_lines(blocks):
        for place, line in block.lines():
            if line.strip() in HEADERS:
                if rows is not None:
                    yield SentenceRows(None, rows, f"line {place}")
                    lists += 1
                version = HEADERS[line.strip()]
                rows = []
                continue
            try:
                rows = [] if rows is None else rows
                rows.append(hypothesis(line, version))
            except LineError as error:
                raise DataError(block.name, f"line {place}", str(error)) from error
    # of several sentences none can have the file's name, so they are counted
    yield SentenceRows(None if lists else sentence_of(source), rows or [], "at the end")


def sentence_of(file: str) -> str | None:
    """Return the id of a sentence from the name of its file; None for stdin."""
    return SUFFIXES.sub("", PurePath(file).name) or None if file != STDIN else None


def hypothesis(line: str, version: int) -> Row:
    """Read the hypothesis of a line; raises LineError.

    version: 1 or 2 by the header, 0 for three columns.
    """
    tokens = split_words(line)
    if not tokens:
        raise LineError("expected a hypothesis, found an empty line")
    if version == 0:
        return _of_columns(tokens, line)
    bracketed = re.fullmatch(r"\((.*)\)", tokens[0])
    if bracketed is None:
        raise LineError(f"expected a score in brackets, `(-310) words`, found {quoted(line)}")
    score = number(bracketed[1], "score")
    if version == 1:
        return Row(0, _text(tokens[1:]), {}, score)
    words = list(_words(tokens[1:]))
    sums = {"AM": sum(word.am for word in words), "LM": sum(word.lm for word in words)}
    return Row(0, _text(word.text for word in words), sums, score)


def _of_columns(tokens: list[str], line: str) -> Row:
    if len(tokens) < 3:
        problem = "expected acoustic score, language model score, number of words, words"
        raise LineError(f"{problem}, found {quoted(line)}")
    features = {"AM": number(tokens[0], "feature 'AM'"), "LM": number(tokens[1], "feature 'LM'")}
    features["Words"] = number(tokens[2], "feature 'Words'")
    return Row(0, _text(tokens[3:]), features)


def _words(tokens: list[str]) -> Iterator[Word]:
    """Yield the words of a line of version 2.0.

    Phones and states are skipped: they begin before the end of the word before them.
    """
    until = -1.0
    for start in range(0, len(tokens), PER_WORD):
        entry = tokens[start : start + PER_WORD]
        if (entry[1:2], *entry[2:10:2], *entry[10:]) != (["("], *LABELS[1:]):
            problem = "expected `word ( st: .. et: .. g: .. a: .. )`"
            raise LineError(f"{problem}, found {quoted(' '.join(entry))}")
        values = [
            number(entry[place], f"{entry[0]!r}: {entry[place - 1][:-1]}") for place in (3, 5, 7, 9)
        ]
        word = Word(entry[0], *values)
        if word.start >= until:
            until = word.end
            yield word


def _text(words: Iterable[str]) -> str:
    return " ".join(word for word in words if word not in NO_WORDS)
