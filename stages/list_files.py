"""Where lists go: what is made of a collection is one, and of a text in parts, too.

with open_lists(args.input, KBest) as lists, made_of(lists, args.output, KBest, how) as out: ...
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from campanula.formats.collections.opening import ListWriter, OpenedLists, like
from campanula.formats.collections.reader import CollectionReader
from campanula.formats.collections.writer import CollectionWriter, check_place
from campanula.formats.stream import Known, StreamRecord, Writer
from campanula.formats.text.parts import Text
from campanula.stages.command import UsageError

R = TypeVar("R", bound=StreamRecord)


def made_of(
    lists: OpenedLists[Any] | Text,
    output: str | None,
    kind: type[R],
    signature: str,
    metric: Mapping[str, object] | None = None,
    first: Sequence[int] = (),
    inventory: Known | None = None,
) -> ListWriter[R]:
    """Writer of what is made of lists or of the lines of a text.

    Of a collection, or of a text in parts, that is a collection; raises UsageError for one that
    has no name.  first: the sentences with which its shards begin, if not with those of `lists`.
    """
    refuse_nameless(lists, output)
    if not isinstance(lists, Text):
        return like(lists, output, kind, signature, metric, first, inventory)
    if output is None or not lists.in_parts:
        return Writer(output, kind, signature, metric, inventory)
    return CollectionWriter(output, kind, signature, metric, lists.first, inventory)


def write_shards(lists: Iterable[R], out: ListWriter[R], bounds: Container[int]) -> None:
    """Write lists; a shard ends before the first list of the next is made.

    So it is against an inventory as it was then.  bounds: numbers of records before which a shard
    begins, of a writer of collections.
    """
    waiting = iter(lists)
    while True:
        if isinstance(out, CollectionWriter) and out.count in bounds:
            out.begin()
        made = next(waiting, None)
        if made is None:
            return
        out.write(made)


def refuse_nameless(lists: OpenedLists[Any] | Text, output: str | None) -> None:
    """Raise UsageError for a collection that would go to stdout, before long work.

    And DataError for one that would go where no collection can be put.
    """
    in_parts = lists.in_parts if isinstance(lists, Text) else isinstance(lists, CollectionReader)
    if not in_parts:
        return
    if output is None or output == "-":
        raise UsageError("what is made of a collection is one, which is a folder: name it with -o")
    check_place(output)
