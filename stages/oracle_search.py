"""Find the oracles: the hypotheses of highest gain in every scored k-best list.

    oracle_i = argmax_j gain_ij

Reads a scored k-best stream and writes one that holds the oracle of each list, or with --n N its
N highest gains in order; or the oracles as text.  Ties go to the lower index.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator

from formats.files import Output
from formats.kbest import KBest
from formats.stream import Reader, Writer
from stages import command
from stages.metrics import Metric
from stages.scored_lists import Summary, oracles, scored, text_lines


def oracle_search(lists: Iterable[KBest], n: int = 1) -> Iterator[KBest]:
    """Yield every scored list cut down to its n highest gains, highest first."""
    for kbest in lists:
        assert kbest.gain is not None
        yield kbest.take(oracles(kbest.gain, n))


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    p = command.parser("oracle-search", __doc__, "oracle-search dev.kbest --text -o dev.oracle")
    p.add_argument("input", nargs="?", default="-", help="scored k-best stream (default: stdin)")
    p.add_argument(
        "--n",
        type=command.positive_int,
        default=1,
        metavar="N",
        help="hypotheses a list (default: 1)",
    )
    p.add_argument("--text", action="store_true", help="write texts, line i for sentence i")
    p.add_argument(
        "--allow-missing",
        action="store_true",
        help="with --text: an empty line for a sentence without a list",
    )
    return command.run(body, p, argv)


def body(args: argparse.Namespace) -> None:
    """Read, search, write."""
    if args.text and args.n > 1:
        raise command.UsageError(f"--text writes one hypothesis a list, not --n {args.n}")
    if args.allow_missing and not args.text:
        raise command.UsageError("--allow-missing goes with --text")
    with Reader(args.input, KBest) as lists:
        summary = Summary(Metric.of_signature(lists.signature))
        records = scored(command.progress(lists, args, "oracle-search"), lists.name)
        found = oracle_search(summary.count(records), args.n)
        if args.text:
            write_text(args.output, found, lists.name, args.allow_missing)
        else:
            how = command.signature("oracle-search", n=args.n)
            write_lists(args.output, found, f"{how} < {lists.signature}")
    command.say(args, f"oracle-search: {summary}")


def write_lists(path: str | None, found: Iterable[KBest], signature: str) -> None:
    """Write the oracles as a k-best stream."""
    with Writer(path, KBest, signature) as out:
        for kbest in found:
            out.write(kbest)


def write_text(path: str | None, found: Iterable[KBest], source: str, allow_missing: bool) -> None:
    """Write the text of each oracle as the line of its sentence."""
    with Output(path) as out:
        for line in text_lines(found, source, allow_missing):
            out.write_line(line)
