"""The texts of first hypotheses, as decode, rerank and oracle-search write them.

    text    line i is the text of sentence i
    keyed   the id of a sentence, or its number, a blank, and the text
    jsonl   {"sid": 0, "id": "spk1-utt1", "text": "hello world", "score": -3.2}

An object has an id and a score where they are known.  The first two have a line a text, and refuse
texts of several lines.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing

from campanula.formats.delayed_output import DelayedOutput
from campanula.formats.errors import DataError
from campanula.formats.files import Output
from campanula.formats.nbest.jsonl import sentence_of
from campanula.formats.records.kbest import KBest
from campanula.formats.records.matching import key_of

TEXT = "text"
BLANK = re.compile(r"\s")
MAX_GAP = 10_000_000  # empty lines: ids beyond that do not number lines


def add_format_flag(p: argparse.ArgumentParser, default: str | None = TEXT) -> None:
    """Add the flag --format, which chooses a key of FORMATS."""
    p.add_argument(
        "--format",
        choices=list(FORMATS),
        default=default,
        help="of the texts: a line each, `id text` a line, or JSON lines with sid, id, text, score"
        " (default: text)",
    )


def text_lines(lists: Iterable[KBest], source: str, allow_missing: bool) -> Iterator[str]:
    """Yield the first text of every list as line sid.

    Raises DataError for a sentence without a list, which with allow_missing gives an empty line,
    and for a text that is more than one line.
    """
    expected = 0
    for kbest in lists:
        if kbest.sid > expected and not allow_missing:
            problem = "expected its k-best list, found none (--allow-missing: an empty line)"
            raise DataError(source, f"sentence {expected}", problem)
        if kbest.sid - expected > MAX_GAP:
            problem = f"expected no more than {MAX_GAP} missing, found the next to be {kbest.sid}"
            raise DataError(source, f"sentence {expected}", problem)
        # empty lines keep line i the text of sentence i, as references have it
        yield from [""] * (kbest.sid - expected)
        yield _one_line(kbest, source)
        expected = kbest.sid + 1


def keyed_lines(lists: Iterable[KBest], source: str, allow_missing: bool) -> Iterator[str]:
    """Yield `id text` of every list; raises DataError for an id with a blank in it."""
    for kbest in lists:
        key = key_of(kbest)
        text = _one_line(kbest, source)
        if BLANK.search(key):
            problem = f"expected an id without blanks, found {key[:60]!r} (--format jsonl takes it)"
            raise DataError(source, f"sentence {kbest.sid}", problem)
        yield f"{key} {text}" if text else key


def json_lines(lists: Iterable[KBest], source: str, allow_missing: bool) -> Iterator[str]:
    """Yield the first hypothesis of every list as JSON."""
    for kbest in lists:
        score = {} if kbest.score is None else {"score": float(kbest.score[0])}
        shown = {**sentence_of(kbest), "text": kbest.text[0], **score}
        yield json.dumps(shown, ensure_ascii=False)


def write(path: str | None, lines: Iterable[str]) -> int:
    """Write lines and return their number.

    A pipe or stdout gets its first line when all lines are there, so that an error leaves nothing.
    """
    count = 0
    with Output(path) as out, ExitStack() as stack:
        # a file is renamed into place at the end, so it needs no waiting
        held = out if out.is_file else stack.enter_context(closing(DelayedOutput(out)))
        for line in lines:
            held.write(line.encode("utf-8") + b"\n")
            count += 1
        if isinstance(held, DelayedOutput):
            for part in held.chunks():
                out.write(part)
    return count


Lines = Callable[[Iterable[KBest], str, bool], Iterator[str]]
FORMATS: Mapping[str, Lines] = {TEXT: text_lines, "keyed": keyed_lines, "jsonl": json_lines}


def _one_line(kbest: KBest, source: str) -> str:
    text = kbest.text[0]
    if "\n" in text:
        problem = "expected one line of text, found a line end in it (--format jsonl writes both)"
        raise DataError(source, f"sentence {kbest.sid}", problem)
    return text
