"""Records with an array of texts, the hypotheses, and arrays of numbers: HypR, HyPoradise.

    {"utt_id": "utt1", "ref": "...", "hyps": ["hello word", ...], "att_score": [-8.1, ...], ...}
    {"id": "utt1", "input": ["hello word", ...], "output": "...", "am_score": [-0.3, ...]}

HypR (Wang et al. 2024) calls the hypotheses `hyps`, HyPoradise (Chen et al. 2023) `input`.  An
array with one number per hypothesis is a feature with the name of its key, or the score under
`score`.  Other keys, such as the reference, belong to the utterance and are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from campanula.formats.errors import LineError
from campanula.formats.nbest.blocks import Block
from campanula.formats.nbest.documents import SentenceRows
from campanula.formats.nbest.json_records import sentences_of
from campanula.formats.nbest.json_values import array, is_number, numbers, string
from campanula.formats.nbest.rows import Row

TEXTS = ("hyps", "input", "hypotheses", "nbest")
SCORE = ("score", "scores")


def sentences(blocks: Iterable[Block], source: str) -> Iterator[SentenceRows]:
    """Yield the utterances of a file; raises DataError that names the record."""
    return sentences_of(blocks, source, hypotheses)


def hypotheses(utterance: Mapping[str, Any]) -> list[Row]:
    """Return the hypotheses of an utterance; raises LineError."""
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
    """Whether a key must have one number per hypothesis: scores, and arrays of numbers or nulls.

    An array of nulls alone is one whose numbers are missing, which is an error later.
    """
    if name in SCORE or not isinstance(values, list) or not values:
        return name in SCORE
    return any(map(is_number, values)) or all(value is None for value in values)
