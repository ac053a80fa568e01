"""WeNet's n-best lists, which its decoder_main writes with --output_nbest.

    wav spk1-utt1
    candidate -3.12 hello word
    candidate -3.57 hello world

The score, a log probability, is the only number.  Texts may have no blanks, as in Chinese.  Several
threads write utterances in any order, each as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from campanula.formats.errors import SHOWN, DataError, LineError, quoted
from campanula.formats.nbest.blocks import Block, whole_lines
from campanula.formats.nbest.documents import SentenceRows
from campanula.formats.nbest.rows import Row
from campanula.formats.text.numbers import number

UTTERANCE = "wav "
HYPOTHESIS = "candidate "


def is_wenet(lines: Sequence[str]) -> bool:
    """Whether all lines are utterances or hypotheses, with at least one hypothesis."""
    return (
        lines[0].startswith(UTTERANCE)
        and any(line.startswith(HYPOTHESIS) for line in lines)
        and all(line.startswith((UTTERANCE, HYPOTHESIS)) for line in lines)
    )


def sentences(blocks: Iterable[Block], source: str) -> Iterator[SentenceRows]:
    """Yield the utterances of a file; raises DataError that names the line."""
    utterance: SentenceRows | None = None
    rows: list[Row] = []
    for block in whole_lines(blocks):
        for place, line in block.lines():
            if line.startswith(UTTERANCE):
                if utterance is not None:
                    yield utterance
                rows = []
                name = line.removeprefix(UTTERANCE).strip(" ")
                # the lines that follow fill `rows`; the next utterance shows that it is complete
                utterance = SentenceRows(name, rows, f"line {place}: {line[:SHOWN]}")
                continue
            try:
                if utterance is None:
                    raise LineError(
                        f"expected `{UTTERANCE}` and an utterance, found {quoted(line)}"
                    )
                rows.append(hypothesis(line))
            except LineError as error:
                raise DataError(block.name, f"line {place}", str(error)) from error
    if utterance is not None:
        yield utterance


def hypothesis(line: str) -> Row:
    """Read the hypothesis of a line; raises LineError."""
    score, _, text = line.removeprefix(HYPOTHESIS).partition(" ")
    if not line.startswith(HYPOTHESIS):
        raise LineError(f"expected `{HYPOTHESIS}`, a score and a text, found {quoted(line)}")
    return Row(0, text.strip(" "), {}, number(score, "score"))
