"""Write a k-best stream as the n-best list of another tool.

The columns that the format can hold are written; importing the list again gives them back.  A text
or a name that the format cannot hold is an error.  A path that ends in .gz, .bz2, .xz or .zst is
compressed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from functools import partial

from campanula.formats.collections.opening import OpenedLists, open_lists
from campanula.formats.collections.writer import OwnNames
from campanula.formats.compressing import is_compressed
from campanula.formats.files import Output
from campanula.formats.inventories.inventory_names import InventoryNames, NumberedNames
from campanula.formats.nbest import FORMATS, ListFormat
from campanula.formats.records.kbest import KBest
from campanula.stages import command
from campanula.stages.command_line.inventory_flags import add_inventory_flag, given_inventory
from campanula.stages.command_line.text_flags import TextForm, add_text_flags
from campanula.stages.nbest.forked_typesetting import ForkedTypesetting, Pages
from campanula.stages.nbest.typesetting import parts_without_kernels, typeset
from campanula.stages.parallel.forked_lists import can_be_shared
from campanula.stages.parallel.forks import Buffer


def writable() -> list[str]:
    """Return the names of the formats that lists can be written in."""
    return [name for name, form in FORMATS.items() if form.writes]


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser("export-nbest", __doc__, "export-nbest dev.kbest --format moses -o dev.gz")
    command.add_input(p, "k-best stream or collection")
    p.add_argument(
        "--format",
        type=command.Choice(FORMATS, taken=writable),
        metavar=command.braces(writable()),
        default="moses",
        help="format of the list (default: moses)",
    )
    add_text_flags(p)
    add_inventory_flag(p, "needed for their names")
    command.add_jobs_flag(p, "processes, or threads")
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read the lists and write them in the format."""
    form = FORMATS[args.format]
    text = TextForm.of_flags(args)
    if not form.writes:
        raise command.UsageError(
            f"--format {args.format}: such lists can be read only; expected {', '.join(writable())}"
        )
    given = given_inventory(args, for_names=True)
    # one table of names for all shards: formats know features by their ids
    with open_lists(args.input, KBest, inventory=given) as lists, Output(args.output) as out:
        if isinstance(lists.names, NumberedNames):
            raise lists.names.unknown()
        write_all(args, form, text, lists, out)
    command.say(args, f"export-nbest: {lists.count} sentences")


def write_all(
    args: argparse.Namespace,
    form: ListFormat,
    text: TextForm,
    lists: OpenedLists[KBest],
    out: Output,
) -> None:
    """Write the text of all lists, in forked processes where these help."""
    few = parts_without_kernels(args.input)
    # Not for compressed text: compressing takes longer than all that forks would save, and a
    # process with gzip's threads cannot be forked.
    if not is_compressed(args.output) and can_be_shared(lists, args.jobs):
        pages = Pages.of(form, lists.name, partial(text.apply, source=lists.name))
        if pages is not None and lists.inventory is None:
            watch = partial(command.progress, args=args, label="export", total=lists.total)
            ForkedTypesetting(lists, pages, args.jobs, few).write(out, watch)
            return
    shown = text.all_of(command.progress(named(lists), args, "export"), lists.name)
    for part in text_of(form, shown, lists.name, args.jobs, few):
        out.write(part)


def text_of(
    form: ListFormat, lists: Iterable[KBest], source: str, jobs: int, few: int
) -> Iterator[Buffer]:
    """Yield the text of lists in a format; jobs and few are those of `typeset`."""
    pages = form.pages(lists, source)
    if pages is not None:
        yield from typeset(pages, jobs, few)
    else:
        yield from (f"{line}\n".encode() for line in form.write(lists, source))


def named(lists: OpenedLists[KBest]) -> Iterator[KBest]:
    """Yield the lists; those against an inventory get a table of the names that they use."""
    own = OwnNames()
    for kbest in lists:
        # formats need a table of names, and an inventory may have more of them than memory holds
        yield own.renumbered(kbest) if isinstance(kbest.names, InventoryNames) else kbest


if __name__ == "__main__":
    raise SystemExit(main())
