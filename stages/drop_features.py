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
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial

import numpy as np
import xxhash

from campanula.formats.arrays.growing import grown_with_zeros
from campanula.formats.arrays.types import Flags
from campanula.formats.atomic import temporary_folder
from campanula.formats.collections.opening import open_lists
from campanula.formats.errors import DataError
from campanula.formats.files import Output, display_name, read_lines
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.inventory_names import NumberedNames
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.stream import Writer
from campanula.formats.text.words import split_words
from campanula.stages import command
from campanula.stages.command_line.inventory_flags import add_inventory_flag, given_inventory
from campanula.stages.inventories.lookup import Lookup
from campanula.stages.outputs.list_files import writer_like

COMMAND = "drop-features"
EXAMPLE = (
    "drop-features train.kbest --names kept -o train.kept.kbest\n"
    "  drop-features --keep kept dev.kbest -o dev.kept.kbest"
)
MIN_COUNT = 2


class ListCounts:
    """How many lists have each feature, and in how many all hypotheses do, by feature id."""

    def __init__(self) -> None:
        self._n_lists = 0
        self._some = np.zeros(1024, np.uint32)
        self._every = np.zeros(1024, np.uint32)

    def add(self, kbest: KBest) -> None:
        """Count the features of one list."""
        self._some = grown_with_zeros(self._some, len(kbest.names))
        self._every = grown_with_zeros(self._every, len(kbest.names))
        self._some[kbest.features.present()] += 1
        self._every[kbest.features.dense_id] += 1
        self._n_lists += 1

    def kept(self, n_names: int, min_count: int) -> Flags:
        """Return which features (n_names,) stay: the dense ones, and those of min_count lists."""
        some = self._some[:n_names]
        every = self._every[:n_names]
        # without any list the arrays have not grown to the number of names of an inventory
        every = np.pad(every, (0, n_names - len(every)))
        some = np.pad(some, (0, n_names - len(some)))
        return np.asarray((every == self._n_lists) | (some >= min_count), np.bool_)


class KeptFeatures:
    """Which features of a growing table of names stay, and their new ids, from 0 in the same order.

    stays: flags by id (n_names,), or the set of the names that stay.
    """

    def __init__(self, stays: Flags | frozenset[str]) -> None:
        self.names = Names()
        self._stays = stays
        self._n_seen = 0  # names of the lists' table that are in the two arrays below
        self._flags = np.zeros(1024, np.bool_)
        self._new_id = np.zeros(1024, np.int32)

    def drop(self, kbest: KBest) -> KBest:
        """Return a list with the features that stay, under their new ids."""
        features = kbest.features.only(self._flags_of(kbest.names)).translate(self._new_id)
        return replace(kbest, names=self.names, features=features)

    def __len__(self) -> int:
        return len(self.names)

    def names_of(self, names: Names) -> Iterator[str]:
        """Yield the names that stay."""
        return iter(self.names)

    def _flags_of(self, names: Names) -> Flags:
        n_seen = self._n_seen
        n_names = len(names)
        if n_names > n_seen:
            fresh = names.since(n_seen)
            if isinstance(self._stays, frozenset):
                stays = np.array([name in self._stays for name in fresh], np.bool_)
            else:
                stays = self._stays[n_seen:n_names]
            self._flags = grown_with_zeros(self._flags, n_names)
            self._new_id = grown_with_zeros(self._new_id, n_names)
            self._flags[n_seen:n_names] = stays
            # a feature that stays gets the number of those that stay before it
            self._new_id[n_seen:n_names] = len(self.names) + np.cumsum(stays) - 1
            self.names.extend(fresh[i] for i in np.flatnonzero(stays).tolist())
            self._n_seen = n_names
        return self._flags


class KeptIds:
    """Which features of an inventory stay, by id (n_names,); they keep their ids."""

    def __init__(self, stays: Flags) -> None:
        self._stays = stays

    def drop(self, kbest: KBest) -> KBest:
        """Return a list with the features that stay."""
        return replace(kbest, features=kbest.features.only(self._stays))

    def __len__(self) -> int:
        return int(np.count_nonzero(self._stays))

    def names_of(self, inventory: Names) -> Iterator[str]:
        """Return the names that stay; raises DataError where --inventory was not given."""
        if isinstance(inventory, NumberedNames):
            raise inventory.unknown()
        return (inventory[number] for number in np.flatnonzero(self._stays).tolist())


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
        settings: dict[str, object]
        stays: Flags | frozenset[str]
        if args.keep is not None:
            stays = read_names(args.keep)
            path = args.input
            settings = {"keep": _digest(stays)}
        else:
            min_count = args.min_count or MIN_COUNT
            watch = partial(command.progress, args=args, label=f"{COMMAND}: counting")
            path, stays = counted(args.input, min_count, watch, stack)
            settings = {"min_count": min_count}
        lists = stack.enter_context(open_lists(path, KBest, inventory=given))
        kept = (
            KeptFeatures(stays) if lists.inventory is None else KeptIds(by_id(stays, lists.names))
        )
        signature = command.signature(COMMAND, lists.signature, **settings)
        listed = stack.enter_context(Output(args.names)) if args.names is not None else None
        out = stack.enter_context(writer_like(lists, args.output, KBest, signature, lists.metric))
        for kbest in drop_features(command.progress(lists, args, COMMAND), kept):
            out.write(kbest)
        if listed is not None:
            write_names(kept.names_of(lists.names), listed)
            listed.finish()  # what can fail has failed before the lists are there
    summary = f"{len(kept)} of {len(lists.names)} features kept, {out.count} sentences"
    command.say(args, f"{COMMAND}: {summary}")


def by_id(stays: Flags | frozenset[str], names: Names) -> Flags:
    """Return which names of an inventory stay (n_names,).

    Raises DataError for names to look up where --inventory was not given.
    """
    if isinstance(stays, frozenset):
        if isinstance(names, NumberedNames):
            raise names.unknown()
        assert isinstance(names, Inventory)
        ids = Lookup(names).ids_of(sorted(stays))
        stays = np.zeros(len(names), np.bool_)
        stays[ids[ids >= 0]] = True
    return np.asarray(grown_with_zeros(stays, len(names)), np.bool_)[: len(names)]


def counted(
    path: str,
    min_count: int,
    watch: Callable[[Iterable[KBest]], Iterable[KBest]],
    stack: ExitStack,
) -> tuple[str, Flags]:
    """Return the path to read the lists from again, and which of their features stay (n_names,).

    Lists that cannot be read twice are copied to a file, which goes when `stack` is closed.
    `watch` passes the lists on behind a progress bar.
    """
    counts = ListCounts()
    with open_lists(path, KBest) as lists, ExitStack() as copying:
        copy = None
        # a pipe can be read once only
        if not os.path.isfile(path) and not os.path.isdir(path):
            folder = stack.enter_context(temporary_folder())
            path = os.path.join(folder, "lists")
            copy = copying.enter_context(
                Writer(path, KBest, lists.signature, lists.metric, lists.inventory)
            )
        for kbest in watch(lists):
            counts.add(kbest)
            if copy is not None:
                copy.write(kbest)
        return path, counts.kept(len(lists.names), min_count)


def read_names(path: str) -> frozenset[str]:
    """Return the names in a file, one a line; raises DataError for a line of several words."""
    names = set()
    for number, line in enumerate(read_lines(path), 1):
        if len(split_words(line)) > 1:
            problem = f"expected one feature name, found {line!r}"
            raise DataError(display_name(path), f"line {number}", problem)
        names.add(line.strip(" \t"))
    if names <= {""}:
        raise DataError(display_name(path), None, "expected names of features, found none")
    return frozenset(names)


def write_names(names: Iterable[str], out: Output) -> None:
    """Write names, one a line; raises DataError for one that no line can hold."""
    for name in names:
        if split_words(name.replace("\n", " ")) != [name] or name.endswith("\r"):
            raise DataError(out.name, None, f"expected a name without blanks, found {name!r}")
        out.write_line(name)


def _digest(names: Iterable[str]) -> str:
    return xxhash.xxh3_64_hexdigest("\n".join(sorted(names)).encode())


if __name__ == "__main__":
    raise SystemExit(main())
