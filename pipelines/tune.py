"""Tune the weights of a translation system: decode, score, optimise, and again.

The loops differ in how they find new weights; see `tune LOOP --help`.  A run that was killed goes
on where it was, and ends in the same bytes.  Results are in --work-dir; nothing goes to stdout but
the table of --replicates.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from types import ModuleType

from campanula.pipelines import flags
from campanula.pipelines.failures import StageFailed
from campanula.pipelines.loops import loss, mert, mira, pro, rampion
from campanula.stages import command

LOOPS: dict[str, ModuleType] = {
    "rampion": rampion,
    "mert": mert,
    "pro": pro,
    "mira": mira,
    "loss": loss,
}
EXAMPLE = """\
example:
  tune rampion --source dev.de --ref dev.en --weights w0 --work-dir run \\
      --phrase-table phrase-table.gz --lm lm.arpa.gz"""


class _Parser(argparse.ArgumentParser):
    """A parser that keeps the flags it does not know, for the decoder."""

    def parse_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        known, known.decoder_flags = self.parse_known_args(args, namespace)
        return known


def parser() -> argparse.ArgumentParser:
    """Parser of the command, with one sub-command a loop."""
    how = argparse.RawDescriptionHelpFormatter
    p = _Parser(
        prog="tune", description=__doc__, epilog=EXAMPLE, formatter_class=how, allow_abbrev=False
    )
    loops = p.add_subparsers(title="loops", dest="loop", required=True, metavar="LOOP")
    for name, loop in LOOPS.items():
        doc = loop.__doc__ or ""
        sub = loops.add_parser(
            name,
            help=doc.partition("\n")[0],
            description=doc,
            epilog=f"{flags.DECODER_FLAGS}\n{EXAMPLE}",
            formatter_class=how,
            allow_abbrev=False,
        )
        flags.add_flags(sub)
        loop.add_flags(sub)
        sub.set_defaults(**loop.DEFAULTS)
    return p


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command."""
    try:
        return command.run(body, parser(), None if argv is None else list(argv))
    except StageFailed as failure:  # it has said why
        return failure.status


def body(args: argparse.Namespace) -> None:
    """Run the loop that was asked for."""
    LOOPS[args.loop].run(args)


if __name__ == "__main__":
    raise SystemExit(main())
