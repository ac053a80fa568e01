"""Read the weights file of another tool and write it as ours.

A label with several values gives numbered names (`TM0_0`, `TM0_1`), as in an n-best list.  Files
that have numbers but no names (mert's, kbmira's) have F0, F1, ..., or with --names those of the
dense features of Moses's lists: in the order of lists, without what is not tuned.
"""

from __future__ import annotations

import argparse

from campanula.formats.weight_files import FORMATS, read_weights
from campanula.stages import command

COMMAND = "import-weights"
AUTO = "auto"


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser(COMMAND, __doc__, "import-weights moses.ini -o w0")
    p.add_argument("input", nargs="?", default="-", help="weights file (default: stdin)")
    p.add_argument(
        "--format",
        type=command.choice(FORMATS, AUTO),
        metavar=command.braces([AUTO, *FORMATS]),
        default=AUTO,
        help="format of the file (default: auto, told from its content)",
    )
    p.add_argument("--names", metavar="FILE", help="moses.ini with the names of F0, F1, ...")
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read and write."""
    command.one_stdin(args.input, args.names)
    weights = read_weights(args.input, args.format, args.names)
    weights.write(args.output, [command.signature(COMMAND)])
    command.say(args, f"{COMMAND}: {len(weights)} weights")


if __name__ == "__main__":
    raise SystemExit(main())
