"""ESPnet 1: data.json of asr_recog.py, an object of utterances under the key `utts`.

    {"utts": {"utt1": {"output": [{"rec_text": "hello<eos>", "score": -12.9, ...}, ...]}}}

The hypotheses of an utterance are its outputs.  `<eos>` at the end of a text is dropped.  ESPnet
joins SentencePiece's pieces without blanks; they become words.  Further numbers of an output are
features.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from campanula.formats.errors import LineError
from campanula.formats.nbest.blocks import Block
from campanula.formats.nbest.documents import SentenceRows
from campanula.formats.nbest.json_records import sentences_of
from campanula.formats.nbest.json_values import array, finite, is_number, record, string
from campanula.formats.nbest.rows import Row
from campanula.formats.text.subwords import WORD_BEGINS

END = "<eos>"


def sentences(blocks: Iterable[Block], source: str) -> Iterator[SentenceRows]:
    """Yield the utterances of a file; raises DataError that names the utterance."""
    return sentences_of(blocks, source, hypotheses, within="utts")


def hypotheses(utterance: Mapping[str, Any]) -> list[Row]:
    """Return the hypotheses of an utterance; raises LineError."""
    outputs = array(utterance.get("output"), "'output'")
    return [_hypothesis(record(output), rank) for rank, output in enumerate(outputs)]


def _hypothesis(output: Mapping[str, Any], rank: int) -> Row:
    try:
        text = words(string(output.get("rec_text"), "'rec_text'"))
        numbers = {
            name: finite(output[name], repr(name)) for name in output if _counts(output, name)
        }
    except LineError as error:
        raise LineError(f"hypothesis {rank}: {error}") from error
    score = numbers.pop("score", None)
    return Row(0, text, numbers, score)


def _counts(output: Mapping[str, Any], name: str) -> bool:
    """Whether a member of an output is the score or another number."""
    return name == "score" or is_number(output[name])


def words(text: str) -> str:
    """Return a text without `<eos>`, and with blanks between its words."""
    text = text.removesuffix(END)
    return text.replace(WORD_BEGINS, " ").strip(" ")
