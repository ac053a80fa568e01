"""Vosk with SetMaxAlternatives: one object per stretch of speech between two pauses.

    {"alternatives": [{"confidence": 201.4, "text": "hello word"}, ...]}

The confidence is a log likelihood, so higher is better.  Partial results, which some programs print
as well, are skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from campanula.formats.errors import LineError
from campanula.formats.nbest.blocks import Block
from campanula.formats.nbest.documents import SentenceRows
from campanula.formats.nbest.json_records import sentences_of
from campanula.formats.nbest.json_values import array, finite, record, string
from campanula.formats.nbest.rows import Row

PARTIAL = ("partial", "partial_result")


def sentences(blocks: Iterable[Block], source: str) -> Iterator[SentenceRows]:
    """Yield the results of a file; raises DataError that names the line."""
    return sentences_of(blocks, source, hypotheses)


def hypotheses(result: Mapping[str, Any]) -> Sequence[Row] | None:
    """Return the hypotheses of a result, None for a partial one; raises LineError."""
    if "alternatives" not in result:
        if any(key in result for key in PARTIAL):
            return None
        found = ", ".join(result) or "none"
        raise LineError(
            f"expected 'alternatives', as SetMaxAlternatives gives them, found the keys {found}"
        )
    return [
        _hypothesis(record(alternative), rank)
        for rank, alternative in enumerate(array(result["alternatives"], "'alternatives'"))
    ]


def _hypothesis(alternative: Mapping[str, Any], rank: int) -> Row:
    text = string(alternative.get("text"), f"'text' of alternative {rank}").strip(" ")
    confidence = alternative.get("confidence")
    if confidence is None:
        return Row(0, text, {})
    return Row(0, text, {}, finite(confidence, f"alternative {rank}: 'confidence'"))
