"""Write weights as the file of another tool.

Moses has its sparse weights in a file of their own: --sparse says where they go.
"""

from __future__ import annotations

import argparse

from campanula.formats.files import Output
from campanula.formats.weight_files import FORMATS, moses, plain
from campanula.formats.weights import Weights
from campanula.stages import command

COMMAND = "export-weights"


def writable() -> list[str]:
    """Names of the formats that weights can be written in."""
    return [name for name, form in FORMATS.items() if form.write is not None]


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser(COMMAND, __doc__, "export-weights w1 --format moses -o weights.ini")
    p.add_argument("input", nargs="?", default="-", help="weights (default: stdin)")
    p.add_argument(
        "--format",
        type=command.choice(FORMATS),
        metavar=command.braces(writable()),
        default="moses",
        help="format (default: moses)",
    )
    p.add_argument("--sparse", metavar="FILE", help="file for Moses's sparse weights")
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read and write."""
    if args.sparse and args.format != "moses":
        raise command.UsageError(f"--sparse goes with --format moses, not {args.format}")
    write = FORMATS[args.format].write
    if write is None:
        raise command.UsageError(
            f"--format {args.format}: such weights can be read only; expected "
            + ", ".join(writable())
        )
    weights = Weights.read(args.input)
    with Output(args.output) as out:
        if args.sparse:
            dense, sparse = moses.parts(weights)
            lines = [*moses.write(dense), "[weight-file]", args.sparse]
            with Output(args.sparse) as other:
                other.write("".join(f"{line}\n" for line in plain.write(sparse)).encode())
        else:
            lines = list(write(weights))
        out.write("".join(f"{line}\n" for line in lines).encode())
    command.say(args, f"{COMMAND}: {len(weights)} weights")


if __name__ == "__main__":
    raise SystemExit(main())
