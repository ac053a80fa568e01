"""Write weights as the file of another tool.

Moses has its sparse weights in a file of their own: --sparse says where they go.
"""

from __future__ import annotations

import argparse

from campanula.formats.files import Output
from campanula.formats.weight_files import FORMATS, lines_of, plain
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
    form = FORMATS[args.format]
    if args.sparse is not None:
        command.outputs_apart(args.output, args.sparse)
    if args.sparse and form.write_apart is None:
        apart = ", ".join(name for name in FORMATS if FORMATS[name].write_apart)
        raise command.UsageError(f"--sparse goes with --format {apart}, not {args.format}")
    if form.write is None:
        raise command.UsageError(
            f"--format {args.format}: such weights can be read only; expected "
            + ", ".join(writable())
        )
    weights = Weights.read(args.input)
    form.check(weights)
    with Output(args.output) as out:
        if args.sparse and form.write_apart is not None:
            lines, sparse = form.write_apart(weights, args.sparse)
            with Output(args.sparse) as other:
                other.write("".join(f"{line}\n" for line in plain.write(sparse)).encode())
        else:
            lines = lines_of(weights, args.format)
        out.write("".join(f"{line}\n" for line in lines).encode())
    command.say(args, f"{COMMAND}: {len(weights)} weights")


if __name__ == "__main__":
    raise SystemExit(main())
