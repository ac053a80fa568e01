"""Write weights as the file of another tool, or a weights stream as text.

Moses has its sparse weights in a file of their own: --sparse says where they go.

A weights stream becomes our own text, `name value` a line, with the names of its --inventory in the
order of their ids; a few thousand at a time.
"""

from __future__ import annotations

import argparse

import numpy as np

from campanula.formats.files import Output
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.verifying import verify
from campanula.formats.weight_files import FORMATS, lines_of, plain
from campanula.formats.weight_stream import is_weight_stream, read_weight_stream
from campanula.formats.weights import Weights
from campanula.stages import command
from campanula.stages.inventories.theta import lines_of as text_of

COMMAND = "export-weights"


def writable() -> list[str]:
    """Return the names of the formats that weights can be written in."""
    return [name for name, form in FORMATS.items() if form.write is not None]


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser(COMMAND, __doc__, "export-weights w1 --format moses -o weights.ini")
    command.add_input(p, "weights")
    p.add_argument(
        "--format",
        type=command.Choice(FORMATS, taken=writable),
        metavar=command.braces(writable()),
        help="format (default: moses; plain for a weights stream)",
    )
    p.add_argument("--sparse", metavar="FILE", help="file for Moses's sparse weights")
    p.add_argument("--inventory", metavar="FOLDER", help="names of a weights stream")
    p.add_argument("--no-zeros", action="store_true", help="of a weights stream, leave out zeros")
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read the weights and write them in the format."""
    if args.inventory is not None or is_weight_stream(args.input):
        export_stream(args)
    else:
        export_text(args)


def export_stream(args: argparse.Namespace) -> None:
    """Write a weights stream as our own text."""
    if args.inventory is None:
        raise command.UsageError("a weights stream needs --inventory, which has its names")
    if args.format not in (None, "plain") or args.sparse is not None:
        problem = "a weights stream becomes plain text, which export-weights takes to other formats"
        raise command.UsageError(problem)
    inventory = Inventory.open(args.inventory)
    verify(inventory)
    weights = read_weight_stream(args.input)
    weights.check(inventory)
    with Output(args.output) as out:
        inputs = [weights.signature] if weights.signature else []
        out.write_line(f"# {command.signature(COMMAND, *inputs)}")
        for text in text_of(weights.theta, inventory, not args.no_zeros):
            out.write(text.encode())
    n = int(np.count_nonzero(weights.theta)) if args.no_zeros else len(weights)
    zeros = "; the others are 0" if args.no_zeros else ""
    command.say(args, f"{COMMAND}: {n} weights of {len(weights)} names{zeros}")


def export_text(args: argparse.Namespace) -> None:
    """Write text weights in another format."""
    if args.no_zeros:
        raise command.UsageError("--no-zeros goes with a weights stream")
    name = args.format or "moses"
    form = FORMATS[name]
    if args.sparse is not None:
        command.outputs_apart(args.output, args.sparse)
    if args.sparse and form.write_apart is None:
        apart = ", ".join(name for name in FORMATS if FORMATS[name].write_apart)
        raise command.UsageError(f"--sparse goes with --format {apart}, not {name}")
    if form.write is None:
        raise command.UsageError(
            f"--format {name}: such weights can be read only; expected " + ", ".join(writable())
        )
    weights = Weights.read(args.input)
    form.check(weights)
    with Output(args.output) as out:
        if args.sparse and form.write_apart is not None:
            lines, sparse = form.write_apart(weights, args.sparse)
            with Output(args.sparse) as other:
                other.write("".join(f"{line}\n" for line in plain.write(sparse)).encode())
                out.write("".join(f"{line}\n" for line in lines).encode())
                out.finish()  # so that both files appear, or neither: only renaming is left
        else:
            out.write("".join(f"{line}\n" for line in lines_of(weights, name)).encode())
    command.say(args, f"{COMMAND}: {len(weights)} weights")


if __name__ == "__main__":
    raise SystemExit(main())
