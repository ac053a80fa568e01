"""Records whose hypotheses are an array of texts, with arrays of numbers beside: HypR, HyPoradise.

    {"utt_id": "utt1", "ref": "...", "hyps": ["hello word", ...], "att_score": [-8.1, ...], ...}
    {"id": "utt1", "input": ["hello word", ...], "output": "...", "am_score": [-0.3, ...]}

HypR (Wang et al. 2024) calls the hypotheses `hyps`, HyPoradise (Chen et al. 2023) `input`.  An
array of as many numbers is a feature by its key, `score` the score; what else there is, the
reference among it, is of the utterance and not of a hypothesis, and left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from campanula.formats.errors import LineError
from campanula.formats.nbest.blocks import Block
from campanula.formats.nbest.documents import SentenceRows
from campanula.formats.nbest.json_records import (
    array,
    is_number,
    numbers,
    sentences_of,
    string,
)
from campanula.formats.nbest.rows import Row

TEXTS = ("hyps", "input", "hypotheses", "nbest")
SCORE = ("score", "scores")


def sentences(blocks: Iterable[Block], source: str) -> Iterator[SentenceRows]:
    """Yield the utterances of a file; raises DataError that names the record."""
    return sentences_of(blocks, source, hypotheses)


def hypotheses(utterance: Mapping[str, Any]) -> list[Row]:
    """Hypotheses of an utterance; raises LineError."""
    key = next((key for key in TEXTS if key in utterance), None)
    if key is None:
        found = ", ".join(utterance) or "none"
        raise LineError(
            f"expected an array of texts under {TEXTS[0]!r} or {TEXTS[1]!r}, found the keys {found}"
        )
    texts = [string(text, repr(key)) for text in array(utterance[key], repr(key))]
    columns = {
        name: numbers(values, len(texts), name)
        for name, values in utterance.items()
        if name != key and _is_column(name, values)
    }
    score = next((columns.pop(name) for name in SCORE if name in columns), None)
    return [
        Row(
            0,
            text.strip(" "),
            {name: values[rank] for name, values in columns.items()},
            None if score is None else score[rank],
        )
        for rank, text in enumerate(texts)
    ]


def _is_column(name: str, values: Any) -> bool:
    """Whether there is to be a number for every hypothesis; nulls alone are numbers that lack."""
    if name in SCORE or not isinstance(values, list) or not values:
        return name in SCORE
    return any(map(is_number, values)) or all(value is None for value in values)
