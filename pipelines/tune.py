"""Tune the weights of a translation system: decode, score, optimise, and again.

The loops differ in how they find new weights; see `tune LOOP --help`.  A run that was killed goes
on where it was, and ends in the same bytes.  Results are in --work-dir; nothing goes to stdout but
the table of --replicates.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from campanula import cli
from campanula.pipelines import flags
from campanula.pipelines.comparing import flags as comparing
from campanula.pipelines.loops import (
    expected_bleu,
    loss,
    mert,
    mira,
    pro,
    rampion,
    relevant_set,
    risk,
)
from campanula.pipelines.results import REPORT
from campanula.pipelines.tasks import failures
from campanula.stages import command
from campanula.stages.command_line.parsing import Parser

LOOPS: dict[str, ModuleType] = {
    "rampion": rampion,
    "mert": mert,
    "pro": pro,
    "mira": mira,
    "risk": risk,
    "loss": loss,
    "relevant-set": relevant_set,
    "expected-bleu": expected_bleu,
}
EXAMPLE = """\
example:
  tune {loop} --source dev.de --ref dev.en --weights w0 --work-dir run \\
      --phrase-table phrase-table.gz --lm lm.arpa.gz"""


class _Parser(Parser):
    """A parser that keeps unknown flags for the decoder, whose parser must know them."""

    loops: argparse._SubParsersAction[Parser]

    def parse_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> argparse.Namespace:
        known, rest = self.parse_known_args(args, namespace)
        self._check(self.loops.choices[known.loop], rest)
        known.decoder_flags = rest
        known.words = list(sys.argv[1:] if args is None else args)
        return known

    def _check(self, loop: Parser, rest: list[str]) -> None:
        """Exit with a usage error where the decoder does not know a flag either."""
        if not rest:
            return
        if loop.other_flags is None:  # a sub-command that does not decode
            loop.error(f"unexpected arguments: {' '.join(rest)}")
        decoder = cli.parser_of("decode")
        decoder.set_defaults(input=None)
        # its messages are to name the command that the user has typed
        decoder.prog = loop.prog
        decoder.other_flags = loop.flags
        given, unknown = decoder.parse_known_args(rest)
        # `decode` takes a text without a flag, which a loop has as --source
        if unknown or given.input is not None:
            decoder.error(f"unexpected arguments: {' '.join(unknown) or given.input}")


def _decoder_flags() -> set[str]:
    return cli.parser_of("decode").flags()


def parser() -> Parser:
    """Parser of the command, with one sub-command a loop."""
    p = _Parser(prog="tune", description=__doc__, epilog=EXAMPLE.format(loop="rampion"))
    loops = p.add_subparsers(
        title="loops", dest="loop", required=True, metavar="LOOP", parser_class=Parser
    )
    p.loops = loops
    for name, loop in LOOPS.items():
        doc = loop.__doc__ or ""
        sub = loops.add_parser(
            name,
            help=doc.partition("\n")[0],
            description=doc,
            epilog=f"{flags.DECODER_FLAGS}\n{getattr(loop, 'EXAMPLE', EXAMPLE.format(loop=name))}",
        )
        sub.other_flags = _decoder_flags
        sub.set_defaults(prog=sub.prog)
        loop.RECIPE.add_to(sub, name)
    _add_compare(loops)
    return p


def _add_compare(loops: argparse._SubParsersAction[Parser]) -> None:
    """Add the sub-command `compare`, which is no loop: it compares runs."""
    doc = comparing.__doc__ or ""
    sub = loops.add_parser(
        comparing.NAME,
        help=doc.partition("\n")[0],
        description=doc,
        epilog=comparing.EXAMPLE,
    )
    sub.set_defaults(prog=sub.prog)
    comparing.add_to(sub)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command."""
    given = None if argv is None else list(argv)
    return failures.status_of(lambda: command.run(body, parser(), given))


def body(args: argparse.Namespace) -> None:
    """Run the loop, or the sub-command `compare`."""
    if args.loop == comparing.NAME:
        comparing.compare(args)
        return
    LOOPS[args.loop].RECIPE.tune(args)
    if args.report:
        from campanula.pipelines.reporting import page

        page.write([args.work_dir], os.path.join(args.work_dir, REPORT), jobs=args.jobs)


if __name__ == "__main__":
    raise SystemExit(main())
