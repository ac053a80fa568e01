"""Sockeye's `--output-type json` with `--nbest-size`: one object per sentence.

    {"sentence_id": 1, "translation": "...", "translations": [...], "scores": [[-0.7], ...]}

A score is a number, or an array of the score and those of target factors, which are the features
`Factor1`, ...  Whether the numbers are costs or scores depends on Sockeye's version: if the first
are the lowest, use `--negate score`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from campanula.formats.errors import LineError
from campanula.formats.nbest.blocks import Block
from campanula.formats.nbest.documents import SCORE_FEATURE, SentenceRows
from campanula.formats.nbest.json_records import sentences_of
from campanula.formats.nbest.json_values import array, finite, string
from campanula.formats.nbest.rows import Row
from campanula.formats.text.numbers import whole_number

COUNT = "sentence_id"


def sentences(blocks: Iterable[Block], source: str) -> Iterator[SentenceRows]:
    """Yield the sentences of a file; raises DataError that names the line.

    Sockeye's own numbers count sentences from 1; other ids came with its input.
    """
    read = NumberedSentences().hypotheses
    return sentences_of(blocks, source, read, counted=COUNT)


class NumberedSentences:
    """Reads sentences and checks their numbers: a lost line would shift all that follow."""

    def __init__(self) -> None:
        self._next: int | None = None

    def hypotheses(self, result: Mapping[str, Any]) -> list[Row]:
        """Return the hypotheses of a sentence; raises LineError."""
        number = whole_number(str(result.get(COUNT)))
        # 1 again: another output of Sockeye has been appended
        if number is not None and self._next is not None and number not in (self._next, 1):
            raise LineError(f"{COUNT!r}: expected {self._next}, found {number}")
        self._next = None if number is None else number + 1
        return hypotheses(result)


def hypotheses(result: Mapping[str, Any]) -> list[Row]:
    """Return the hypotheses of a sentence; raises LineError.

    Sockeye writes no `translations` for a list of one hypothesis.
    """
    if "translations" not in result:
        texts = [result.get("translation")]
        scores = [result.get("score")]
    else:
        texts = array(result["translations"], "'translations'")
        scores = array(result.get("scores", [None] * len(texts)), "'scores'")
    if len(scores) != len(texts):
        problem = f"expected {len(texts)} scores, as there are translations"
        raise LineError(f"{problem}, found {len(scores)}")
    return [_hypothesis(*pair, rank) for rank, pair in enumerate(zip(texts, scores, strict=True))]


def _hypothesis(text: Any, score: Any, rank: int) -> Row:
    what = f"hypothesis {rank}: score"
    words = string(text, f"'translation' of hypothesis {rank}").strip(" ")
    if score is None:
        return Row(0, words, {})
    scores = [finite(one, what) for one in (score if isinstance(score, list) else [score])]
    if not scores:
        raise LineError(f"{what}: expected a number, found none")
    factors = {f"Factor{n}": value for n, value in enumerate(scores[1:], 1)}
    return Row(0, words, {SCORE_FEATURE: scores[0], **factors}, scores[0])
