"""Lists of a stream that are worked on in forked processes, part by part, results in order.

    for item in in_parts(lists, share, jobs):
        a Passed: the next list, which a process has worked on
        PackedLists: what became of the lists since the last PackedLists
        a KBest: the next list, which is left to this process

A process takes the messages of a part as they are in the file: it unpacks and checks the lists, and
does its share of the work.  A list that it cannot take, for whatever reason, and those behind it in
the part are left to this process: so an error is the same, and of the same list, as without forks.
"""

from __future__ import annotations

import itertools
import json
import struct
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from typing import Any, NamedTuple, TypeAlias, TypeGuard

from campanula.formats.errors import DataError
from campanula.formats.messages import RawMessages, unpacked
from campanula.formats.records.kbest import KBest
from campanula.formats.stream_reader import Reader, is_end, names_in
from campanula.stages.declared_ahead import DeclaredAhead
from campanula.stages.forks import Buffer, can_fork, in_forks

FIRST = 16  # lists that a process works on before it forks: they load what the work needs
SIZE = struct.Struct("=q")


class Passed(NamedTuple):
    """A list that a process has worked on: number and id of its sentence."""

    sid: int
    id: str | None


Item: TypeAlias = KBest | Passed
"""What stands for one list."""

Watch: TypeAlias = Callable[[Iterator[Item]], Iterator[Item]]
"""Passes on what stands for a list each, and shows how far they are."""


class PackedLists(NamedTuple):
    """What became of some lists: of list i `data[ends[i - 1]:ends[i]]`.

    data is there until the next item is asked for.  notes: what else the share has to say of them.
    """

    lists: list[Passed]
    data: Buffer
    ends: list[int]
    notes: Any


class Share(ABC):
    """What the processes do."""

    @abstractmethod
    def of(self, kbest: KBest) -> Buffer:
        """What becomes of a list; an exception leaves it to the process that forked.

        So nothing is counted of it before all that can fail is done.
        """

    @abstractmethod
    def notes(self) -> Any:
        """What there is to say of the lists since the last notes, as JSON can hold it."""


def can_be_shared(lists: object, jobs: int) -> TypeGuard[Reader[KBest]]:
    """Whether in_parts takes lists: those of one stream, for more than one process."""
    return jobs > 1 and isinstance(lists, Reader) and can_fork()


def in_parts(
    lists: Reader[KBest], share: Share, jobs: int
) -> Iterator[Passed | PackedLists | KBest]:
    """Yield what becomes of the lists that are left, in their order.

    Processes are forked when the first is asked for.  Raises DataError as reading the lists does.
    """
    with closing(Ahead(lists)) as ahead:
        worker = ListsWorker(lists, share, ahead.names)
        with closing(in_forks(worker, ahead.tasks(), ahead.data, jobs)) as done:
            yield from _in_order(lists, ahead, done)


def _in_order(
    lists: Reader[KBest], ahead: Ahead, done: Iterator[tuple[ListsTask, memoryview]]
) -> Iterator[Passed | PackedLists | KBest]:
    for task, result in done:
        made = TaskResult.of(result) if ahead.names.are_right(task.names) else NOTHING
        passed = list(made.lists())
        for one, width, fresh in passed:
            lists.pass_by(one.sid, width, fresh)
            yield one
        if passed:
            yield PackedLists([one for one, _, _ in passed], made.data, made.ends, made.notes)
        if len(made.sids) == len(task.messages.ends):
            continue
        messages = unpacked(task.messages.since(len(made.sids)), lists.name, lists.count)
        for message in messages:
            if is_end(message):
                yield from lists.records(itertools.chain([message], messages, ahead.behind(done)))
                return
            yield lists.record(message)
    yield from lists.records(ahead.behind(done))  # there is no end record


class ListsTask(NamedTuple):
    """Messages, the number of names declared before them, and the size of the file with those."""

    messages: RawMessages
    names: int
    size: int


class Ahead:
    """What is read ahead of the lists that were worked on."""

    def __init__(self, lists: Reader[KBest]) -> None:
        self.names = DeclaredAhead(lists.names, lists.grows)
        self._lists = lists
        self._failure: DataError | None = None

    def close(self) -> None:
        """Leave the file of names."""
        self.names.close()

    def tasks(self) -> Iterator[ListsTask]:
        """Yield tasks; what cannot be read is said when all before it has been worked on."""
        try:
            for messages in self._lists.raw():
                yield ListsTask(messages, self.names.count, self.names.size)
                self.names.look(messages)
        except DataError as failure:
            self._failure = failure

    def data(self, task: ListsTask) -> list[Buffer]:
        """A task as a process gets it."""
        return [SIZE.pack(task.size), task.messages.data]

    def behind(self, done: Iterator[tuple[ListsTask, memoryview]]) -> Iterator[Any]:
        """Yield what follows the lists, which should be nothing; raises DataError."""
        for task, _ in done:
            yield from task.messages.ends
        if self._failure is not None:
            raise self._failure


class ListsWorker:
    """Works on tasks, in a process of its own."""

    def __init__(self, lists: Reader[KBest], share: Share, names: DeclaredAhead) -> None:
        self._lists, self._share, self._names = lists, share, names

    def __call__(self, task: memoryview) -> list[Buffer]:
        """What is made of the messages of a task, up to the first that is not taken."""
        made = TaskResult([], {}, {}, {}, [], None, b"")
        parts: list[Buffer] = []
        # whatever goes wrong: the process that gets the result meets it in its turn
        with suppress(Exception):
            self._names.learn(*SIZE.unpack_from(task))
            for message in unpacked(task[SIZE.size :], self._lists.name, 0):
                if is_end(message):
                    break
                parts.append(self._take(message, made))
        ends = list(itertools.accumulate(map(len, parts)))
        return [*made._replace(ends=ends, notes=self._share.notes()).packed(), *parts]

    def _take(self, message: Any, made: TaskResult) -> Buffer:
        kbest = self._lists.record(message)
        part = self._share.of(kbest)
        place = len(made.sids)
        if kbest.id is not None:
            made.ids[place] = kbest.id
        if kbest.n_stats:
            made.widths[place] = kbest.n_stats
        if fresh := names_in(message):
            made.fresh[place] = [*fresh]
        made.sids.append(kbest.sid)
        return part


class TaskResult(NamedTuple):
    """What a process made of a task; ids, widths and fresh names by the places of lists."""

    sids: list[int]
    ids: dict[int, str]
    widths: dict[int, int]
    fresh: dict[int, list[str]]
    ends: list[int]
    notes: Any
    data: Buffer

    def packed(self) -> list[Buffer]:
        """As it goes from process to process, in front of the data."""
        told = json.dumps(self[:-1]).encode()
        return [SIZE.pack(len(told)), told]

    @classmethod
    def of(cls, packed: memoryview) -> TaskResult:
        """What was packed."""
        (size,) = SIZE.unpack_from(packed)
        start = SIZE.size + size
        sids, *by_place, ends, notes = json.loads(bytes(packed[SIZE.size : start]))
        ids, widths, fresh = ({int(place): v for place, v in one.items()} for one in by_place)
        return cls(sids, ids, widths, fresh, ends, notes, packed[start:])

    def lists(self) -> Iterator[tuple[Passed, int, list[str]]]:
        """Yield the lists, with the width of their statistics and their new names."""
        for place, sid in enumerate(self.sids):
            passed = Passed(sid, self.ids.get(place))
            yield passed, self.widths.get(place, 0), self.fresh.get(place, [])


NOTHING = TaskResult([], {}, {}, {}, [], None, b"")
