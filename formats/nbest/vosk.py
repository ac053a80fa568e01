"""Vosk with SetMaxAlternatives: an object for every part of speech between two pauses.

    {"alternatives": [{"confidence": 201.4, "text": "hello word"}, ...]}

The confidence is a log likelihood, the higher the better.  Partial results, which come in between
where a program prints them, are skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from campanula.formats.errors import LineError
from campanula.formats.nbest.blocks import Block
from campanula.formats.nbest.documents import SentenceRows
from campanula.formats.nbest.json_records import array, record, sentences_of, string
from campanula.formats.nbest.json_rows import finite
from campanula.formats.nbest.rows import Row

PARTIAL = ("partial", "partial_result")


def sentences(blocks: Iterable[Block], source: str) -> Iterator[SentenceRows]:
    """Yield the results of a file; raises DataError that names the line."""
    return sentences_of(blocks, source, hypotheses)


def hypotheses(result: Mapping[str, Any]) -> Sequence[Row] | None:
    """Hypotheses of a result, None for a partial one; raises LineError."""
    if "alternatives" not in result:
        if any(key in result for key in PARTIAL):
            return None
        found = ", ".join(result) or "none"
        raise LineError(
            f"expected 'alternatives', as SetMaxAlternatives gives them, found the keys {found}"
        )
    return [
        _hypothesis(record(each), rank)
        for rank, each in enumerate(array(result["alternatives"], "'alternatives'"))
    ]


def _hypothesis(each: Mapping[str, Any], rank: int) -> Row:
    text = string(each.get("text"), f"'text' of alternative {rank}").strip(" ")
    if each.get("confidence") is None:
        return Row(0, text, {})
    return Row(0, text, {}, finite(each["confidence"], f"alternative {rank}: 'confidence'"))
