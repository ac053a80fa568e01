"""Read the weights file of another tool and write it as ours, or ours as a weights stream.

A label with several values gives numbered names (`TM0_0`, `TM0_1`), as in an n-best list.  Files
that have numbers but no names (mert's, kbmira's) have F0, F1, ..., or with --names those of the
dense features of Moses's lists: in the order of lists, without what is not tuned.

With --inventory it writes a weights stream: one number for each name of the inventory, 0 where the
file has none.  The file is ours then, or of the --format; ours is read a few lines at a time.
"""

from __future__ import annotations

import argparse

from campanula.formats.files import display_name
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.verifying import verify
from campanula.formats.weight_files import FORMATS, read_weights
from campanula.formats.weight_stream import write_weight_stream
from campanula.formats.weights import pairs
from campanula.stages import command
from campanula.stages.inventories.theta import theta_of

COMMAND = "import-weights"
AUTO = "auto"


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser(COMMAND, __doc__, "import-weights moses.ini -o w0")
    command.add_input(p, "weights file")
    p.add_argument(
        "--format",
        type=command.Choice(FORMATS, AUTO),
        metavar=command.braces([AUTO, *FORMATS]),
        default=AUTO,
        help="format of the file (default: auto, told from its content)",
    )
    p.add_argument("--names", metavar="FILE", help="moses.ini with the names of F0, F1, ...")
    p.add_argument("--inventory", metavar="FOLDER", help="write a weights stream of its names")
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read the weights and write them as ours, or as a weights stream."""
    command.one_stdin(args.input, args.names)
    if args.inventory is not None:
        import_into_inventory(args)
        return
    weights = read_weights(args.input, args.format, args.names)
    weights.write(args.output, [command.signature(COMMAND)])
    command.say(args, f"{COMMAND}: {len(weights)} weights")


def import_into_inventory(args: argparse.Namespace) -> None:
    """Write a weights stream against the inventory that --inventory names."""
    inventory = Inventory.open(args.inventory)
    verify(inventory)
    if args.names is None and args.format in (AUTO, "plain"):
        given = pairs(args.input)
    else:
        weights = read_weights(args.input, args.format, args.names)
        given = ((0, name, value) for name, value in weights.items())
    theta, count = theta_of(given, inventory, display_name(args.input))
    signature = command.signature(COMMAND)
    write_weight_stream(args.output, inventory.reference, theta, signature, inventory)
    command.say(args, f"{COMMAND}: {count} weights of {len(theta)} names; the others are 0")


if __name__ == "__main__":
    raise SystemExit(main())
