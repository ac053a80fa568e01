"""Add a feature to every hypothesis of k-best lists.

    lm       natural log probability under an ARPA language model, <s> and </s> included
    column   a number a hypothesis that another program made, such as COMET or a second model
    length   the number of words (or of characters)

Reads a k-best stream and writes it with one dense feature more.  The name must be new to the lists.
Weights for the longer lists need a value for it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.formats.errors import DataError
from campanula.formats.model.vocabulary import words_of
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Reader, Writer
from campanula.formats.text.score_column import read_scores
from campanula.stages import command
from campanula.stages.parsing import Parser

COMMAND = "add-feature"
EXAMPLE = "add-feature lm --arpa lm.arpa.gz --name LM1 dev.kbest -o dev.lm.kbest"


@dataclass(frozen=True, slots=True)
class Source:
    """Where values come from: a list's values (n_hyps,), a check at the end, and the signature."""

    values: Callable[[KBest], Floats]
    signature: str
    finish: Callable[[], None] = lambda: None


def add_feature(
    lists: Iterable[KBest], name: str, values: Callable[[KBest], Floats], source: str
) -> Iterator[KBest]:
    """Yield every list with one dense feature more; raises DataError for a name that is not new."""
    # a table of its own: an id taken in the reader's would move those that are still to come
    table = Names()
    for kbest in lists:
        if name in kbest.names:
            problem = "expected a new feature name, found it in the lists"
            raise DataError(source, f"sentence {kbest.sid}: feature {name!r}", problem)
        features = kbest.features.translate(table.ids_of(kbest.names))
        yield replace(
            kbest, names=table, features=_extended(features, table.id(name), values(kbest))
        )


def _extended(features: Features, number: int, value: Floats) -> Features:
    return replace(
        features,
        dense_id=np.append(features.dense_id, np.int32(number)),
        dense=np.vstack([features.dense, value]),
    )


def lengths(texts: Texts, unit: str) -> Floats:
    """Number of words or characters of every text (n,)."""
    size: Callable[[bytes], int] = {
        "words": lambda text: len(words_of(text)),
        "characters": lambda text: len(text.decode()),
    }[unit]
    bounds = pairwise(texts.pointer.tolist())
    return np.array([size(texts.blob[start:end]) for start, end in bounds], np.float64)


def lm_source(args: argparse.Namespace) -> Source:
    """Scores of a language model."""
    from campanula.stages.decoding.language_model import SentenceScorer

    scorer = SentenceScorer(args.arpa)
    return Source(lambda kbest: scorer(kbest.text), f"lm:{scorer.digest}")


def column_source(args: argparse.Namespace) -> Source:
    """Numbers of a file."""
    scores = read_scores(args.file)
    return Source(
        lambda kbest: scores.of(kbest.sid, len(kbest)), f"column:{scores.digest()}", scores.finish
    )


def length_source(args: argparse.Namespace) -> Source:
    """Lengths of the texts."""
    return Source(lambda kbest: lengths(kbest.text, args.unit), f"length:{args.unit}")


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser(COMMAND, __doc__, EXAMPLE)
    kinds = p.add_subparsers(title="features", required=True, metavar="FEATURE")
    lm = _kind(kinds, "lm", "log probability under a language model", lm_source)
    lm.add_argument("--arpa", required=True, metavar="FILE", help="ARPA file, may be compressed")
    column = _kind(kinds, "column", "numbers that another program made", column_source)
    column.add_argument(
        "--file",
        required=True,
        metavar="FILE",
        help="a number a line in the order of the lists, or sentence id, place in the list (from "
        "0) and number, apart by tabs",
    )
    length = _kind(kinds, "length", "number of words or characters", length_source)
    length.add_argument("--unit", choices=["words", "characters"], default="words")
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def _kind(
    kinds: argparse._SubParsersAction[Parser],
    name: str,
    summary: str,
    source: Callable[[argparse.Namespace], Source],
) -> Parser:
    """A sub-command with the flags that all of them have."""
    p = kinds.add_parser(name, help=summary, description=summary, allow_abbrev=False)
    p.add_argument("input", nargs="?", default="-", help="k-best stream (default: stdin)")
    p.add_argument("--name", required=True, type=_name, help="name of the new feature")
    output = "output file (default: stdout)"
    # without a default: one would undo a flag that stands before the sub-command
    p.add_argument("-o", "--output", metavar="PATH", default=argparse.SUPPRESS, help=output)
    p.add_argument("-q", "--quiet", action="store_true", default=argparse.SUPPRESS)
    p.set_defaults(source=source)
    return p


def _name(text: str) -> str:
    if not text or text == "#" or any(c in text for c in " \t\r\n"):
        raise argparse.ArgumentTypeError(f"expected a name without blanks, found {text!r}")
    return text


def body(args: argparse.Namespace) -> None:
    """Read, add, write."""
    command.one_stdin(args.input, vars(args).get("file"), vars(args).get("arpa"))
    count = 0
    with Reader(args.input, KBest) as lists:
        source: Source = args.source(args)
        how = command.signature(COMMAND, feature=args.name, source=source.signature)
        how = f"{how} < {lists.signature}"
        with Writer(args.output, KBest, how, lists.metric) as out:
            watched = command.progress(lists, args, COMMAND)
            for kbest in add_feature(watched, args.name, source.values, lists.name):
                out.write(kbest)
                count += len(kbest)
            source.finish()
    command.say(args, f"{COMMAND}: {args.name} for {count} hypotheses of {out.count} sentences")


if __name__ == "__main__":
    raise SystemExit(main())
