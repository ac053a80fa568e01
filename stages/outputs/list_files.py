"""Outputs of lists: of a collection, or of a text in parts, the output is a collection again.

with open_lists(args.input, KBest) as lists:
    with writer_for(lists, args.output, KBest, signature) as out: ...
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from campanula.formats.collections.opening import ListWriter, OpenedLists, open_writer
from campanula.formats.collections.reader import CollectionReader
from campanula.formats.collections.writer import CollectionWriter, check_place
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import StreamInventory, StreamRecord, Writer
from campanula.formats.text.parts import TextLines
from campanula.stages.command import UsageError

if TYPE_CHECKING:
    from campanula.stages.decoding.indexed_inventory import IndexedInventory

R = TypeVar("R", bound=StreamRecord)


def writer_for(
    lists: OpenedLists[Any] | TextLines,
    output: str | None,
    kind: type[R],
    signature: str,
    metric: Mapping[str, object] | None = None,
    first: Sequence[int] = (),
    inventory: StreamInventory | None = None,
) -> ListWriter[R]:
    """Return the writer of records that are made of `lists`, in the form that `lists` have.

    Records of a collection, or of a text in parts, are written as a collection, others as a stream.
    Raises UsageError for a collection that would go to stdout.  first: the first sentences of its
    shards, if they are not those of `lists`.
    """
    refuse_folder_on_stdout(lists, output)
    if not isinstance(lists, TextLines):
        return open_writer(lists, output, kind, signature, metric, first, inventory)
    if output is None or not lists.in_parts:
        return Writer(output, kind, signature, metric, inventory)
    return CollectionWriter(output, kind, signature, metric, lists.first, inventory)


@contextmanager
def writer_against(
    lists: OpenedLists[Any] | TextLines,
    output: str | None,
    signature: str,
    inventory: IndexedInventory | None,
    metric: Mapping[str, object] | None = None,
) -> Iterator[ListWriter[KBest]]:
    """Give the writer of k-best lists that are against an inventory, or for None have names.

    New names are committed to the inventory before the lists are renamed into place: lists never
    have ids that their inventory lacks.
    """
    reference = None if inventory is None else inventory.reference
    with writer_for(lists, output, KBest, signature, metric, inventory=reference) as out:
        yield out
        if inventory is not None:
            inventory.commit()


def write_shards(lists: Iterable[R], out: ListWriter[R], bounds: Container[int]) -> None:
    """Write lists; bounds: numbers of records before which a shard of a collection begins.

    A shard ends before the first list of the next is made: making a list may add names to the
    inventory, and a shard is against the inventory as it was at its end.
    """
    waiting = iter(lists)
    while True:
        if isinstance(out, CollectionWriter) and out.count in bounds:
            out.begin()
        record = next(waiting, None)
        if record is None:
            return
        out.write(record)


def refuse_folder_on_stdout(lists: OpenedLists[Any] | TextLines, output: str | None) -> None:
    """Raise UsageError for a collection that would go to stdout, before long work.

    Raises DataError for a path where no collection can be put.
    """
    in_parts = (
        lists.in_parts if isinstance(lists, TextLines) else isinstance(lists, CollectionReader)
    )
    if not in_parts:
        return
    if output is None or output == "-":
        raise UsageError("what is made of a collection is a collection, a folder: name it with -o")
    check_place(output)
