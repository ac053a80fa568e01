"""Drop the sparse features that few sentences have from k-best lists.

    n(name) = number of sentences with a hypothesis in which the feature is not 0

A sparse feature stays if n is at least --min-count; with 2, what a single sentence has is dropped
("ignoring all features that occur only once", Tillmann and Zhang, section II).  Sentences are
counted, not hypotheses: the k best of one sentence share most of their blocks, so a feature may be
in all of them and still have been seen once.  A feature that every hypothesis of every list has is
dense, and stays.

Reads a k-best stream twice (stdin goes through a temporary file) and writes the lists without the
others; --names also writes the names that stay.  With --keep, lists such as those to tune or test
on get the features of that file, and lose all others.  Scores stay those of the maker's weights.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import NamedTuple

from campanula.formats.arrays.types import Flags
from campanula.formats.collections.opening import open_lists
from campanula.formats.files import Output
from campanula.formats.records.kbest import KBest
from campanula.stages import command
from campanula.stages.command_line.inventory_flags import add_inventory_flag, given_inventory
from campanula.stages.dropping.kept_features import KeptFeatures, KeptIds, flags_by_id
from campanula.stages.dropping.list_counts import counted
from campanula.stages.dropping.name_file import digest_of, read_names, write_names
from campanula.stages.outputs.list_files import writer_for

COMMAND = "drop-features"
EXAMPLE = (
    "drop-features train.kbest --names kept -o train.kept.kbest\n"
    "  drop-features --keep kept dev.kbest -o dev.kept.kbest"
)
MIN_COUNT = 2


class Staying(NamedTuple):
    """The features that stay, and the path to read the lists from.

    stays: flags by id (n_names,), or names.  settings: their part of the lists' signature.
    """

    stays: Flags | frozenset[str]
    path: str
    settings: dict[str, object]


def drop_features(lists: Iterable[KBest], kept: KeptFeatures | KeptIds) -> Iterator[KBest]:
    """Yield every list with the features that stay.

    Their ids are those of a new table of names, or of the inventory of lists against one.
    """
    return map(kept.drop, lists)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser(COMMAND, __doc__, EXAMPLE)
    command.add_input(p, "k-best stream or collection")
    p.add_argument(
        "--min-count",
        type=command.positive_int,
        metavar="N",
        help="sentences that a sparse feature must be in to stay (default: 2)",
    )
    p.add_argument("--names", metavar="OUT", help="write the names that stay here, one a line")
    p.add_argument("--keep", metavar="FILE", help="names that stay, one a line; no counting")
    add_inventory_flag(p, "needed for --names and --keep")
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Count features, unless --keep names those that stay; drop the others; write."""
    if args.keep is not None and (args.min_count is not None or args.names is not None):
        raise command.UsageError("--keep does not go with --min-count or --names")
    command.one_stdin(args.keep, args.input)
    if args.names is not None:
        command.outputs_apart(args.output, args.names)
    given = given_inventory(args, for_names=True)
    with ExitStack() as stack:
        staying = _staying(args, stack)
        lists = stack.enter_context(open_lists(staying.path, KBest, inventory=given))
        kept: KeptFeatures | KeptIds = KeptFeatures(staying.stays)
        if lists.inventory is not None:
            kept = KeptIds(flags_by_id(staying.stays, lists.names))
        signature = command.signature(COMMAND, lists.signature, **staying.settings)
        listed = stack.enter_context(Output(args.names)) if args.names is not None else None
        out = stack.enter_context(writer_for(lists, args.output, KBest, signature, lists.metric))
        for kbest in drop_features(command.progress(lists, args, COMMAND), kept):
            out.write(kbest)
        if listed is not None:
            write_names(kept.names_of(lists.names), listed)
            listed.finish()  # what can fail has failed before the lists are there
    summary = f"{len(kept)} of {len(lists.names)} features kept, {out.count} sentences"
    command.say(args, f"{COMMAND}: {summary}")


def _staying(args: argparse.Namespace, stack: ExitStack) -> Staying:
    """Return which features stay: those that --keep names, or those that are counted often enough.

    Lists that are counted and cannot be read again are copied, until `stack` is closed.
    """
    if args.keep is not None:
        names = read_names(args.keep)
        return Staying(names, args.input, {"keep": digest_of(names)})
    min_count = args.min_count or MIN_COUNT
    watch = partial(command.progress, args=args, label=f"{COMMAND}: counting")
    path, stays = counted(args.input, min_count, watch, stack)
    return Staying(stays, path, {"min_count": min_count})


if __name__ == "__main__":
    raise SystemExit(main())
