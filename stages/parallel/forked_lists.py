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
from campanula.stages.parallel.declared_ahead import DeclaredAhead
from campanula.stages.parallel.forks import Buffer, can_fork, in_forks
from campanula.stages.parallel.framing import framed, unframed

FIRST = 16  # lists that a process works on before it forks: they load what the work needs
SIZE = struct.Struct("=q")  # bytes of the file of names


class Passed(NamedTuple):
    """A list that a forked process has worked on: number and id of its sentence."""

    sid: int
    id: str | None


Item: TypeAlias = KBest | Passed
"""One list of the stream: itself, or the note that a process has worked on it."""

Watch: TypeAlias = Callable[[Iterator[Item]], Iterator[Item]]
"""Yields the items that it gets, and shows on a progress bar how many lists have passed."""


class PackedLists(NamedTuple):
    """The results of some lists: `data[ends[i - 1]:ends[i]]` is that of list i.

    `data` is valid until the next item is asked for.  notes: those of `Share.notes`.
    """

    lists: list[Passed]
    data: Buffer
    ends: list[int]
    notes: Any


class Share(ABC):
    """The work of the processes on lists."""

    @abstractmethod
    def work(self, kbest: KBest) -> Buffer:
        """Return the result of a list as bytes.

        An exception leaves the list to the parent process, so a list is counted for `notes` only
        after everything that can fail.
        """

    @abstractmethod
    def notes(self) -> Any:
        """Return values for the parent process, such as counts, of the lists since the last call.

        JSON must be able to hold them.
        """


def can_be_shared(lists: object, jobs: int) -> TypeGuard[Reader[KBest]]:
    """Whether `in_parts` can work on lists: they are of one stream, and jobs is more than 1."""
    return jobs > 1 and isinstance(lists, Reader) and can_fork()


def in_parts(
    lists: Reader[KBest], share: Share, jobs: int
) -> Iterator[Passed | PackedLists | KBest]:
    """Yield the lists that have not been read yet, in their order, and the results of the share.

    Processes are forked when the first item is asked for.  Raises DataError as reading does.
    """
    with closing(Ahead(lists)) as ahead:
        worker = ListsWorker(lists, share, ahead.names)
        with closing(in_forks(worker, ahead.tasks(), ahead.data, jobs)) as done:
            yield from _in_order(lists, ahead, done)


def _in_order(
    lists: Reader[KBest], ahead: Ahead, done: Iterator[tuple[ListsTask, memoryview]]
) -> Iterator[Passed | PackedLists | KBest]:
    for task, result in done:
        # names that were counted wrong would give features of the results wrong ids
        work = TaskResult.of(result) if ahead.names.are_right(task.names) else NOTHING
        passed = list(work.lists())
        for one, width, fresh in passed:
            lists.pass_by(one.sid, width, fresh)
            yield one
        if passed:
            yield PackedLists([one for one, _, _ in passed], work.data, work.ends, work.notes)
        if len(work.sids) == len(task.messages.ends):
            continue
        # this process reads what the fork did not take: a fault is then met in its place
        messages = unpacked(task.messages.since(len(work.sids)), lists.name, lists.count)
        for message in messages:
            if is_end(message):
                yield from lists.records(itertools.chain([message], messages, ahead.behind(done)))
                return
            yield lists.record(message)
    yield from lists.records(ahead.behind(done))  # there is no end record


class ListsTask(NamedTuple):
    """Messages for a process to work on.

    names: number of names declared before them.  size: bytes of the file with these names.
    """

    messages: RawMessages
    names: int
    size: int


class Ahead:
    """The messages that are read ahead of the lists whose results have come back."""

    def __init__(self, lists: Reader[KBest]) -> None:
        self.names = DeclaredAhead(lists.names, lists.grows)
        self._lists = lists
        self._failure: DataError | None = None

    def close(self) -> None:
        """Close the file of names."""
        self.names.close()

    def tasks(self) -> Iterator[ListsTask]:
        """Yield tasks; a fault of reading is kept, and raised by `behind` after their results."""
        try:
            for messages in self._lists.raw():
                yield ListsTask(messages, self.names.count, self.names.size)
                # after the task: its process reads the names that these messages declare by itself
                self.names.look(messages)
        except DataError as failure:
            self._failure = failure

    def data(self, task: ListsTask) -> list[Buffer]:
        """Return a task as the bytes that a process gets: the size of the file, the messages."""
        return [SIZE.pack(task.size), task.messages.data]

    def behind(self, done: Iterator[tuple[ListsTask, memoryview]]) -> Iterator[Any]:
        """Yield an item for each message behind the last list, of which there should be none.

        Raises the DataError of reading ahead, if there was one.
        """
        for task, _ in done:
            yield from task.messages.ends
        if self._failure is not None:
            raise self._failure


class ListsWorker:
    """Works on tasks in a forked process."""

    def __init__(self, lists: Reader[KBest], share: Share, names: DeclaredAhead) -> None:
        self._lists = lists
        self._share = share
        self._names = names

    def __call__(self, task: memoryview) -> list[Buffer]:
        """Return the packed TaskResult of the lists before the first that cannot be taken."""
        work = TaskResult([], {}, {}, {}, [], None, b"")
        results: list[Buffer] = []
        # any fault: the parent process reads this list itself, and reports the fault
        with suppress(Exception):
            self._names.learn(*SIZE.unpack_from(task))
            for message in unpacked(task[SIZE.size :], self._lists.name, 0):
                if is_end(message):
                    break
                results.append(self._take(message, work))
        ends = list(itertools.accumulate(map(len, results)))
        return [*work._replace(ends=ends, notes=self._share.notes()).packed(), *results]

    def _take(self, message: Any, work: TaskResult) -> Buffer:
        """Return the result of a list, and note the list in `work`; raises where either fails."""
        kbest = self._lists.record(message)
        result = self._share.work(kbest)
        place = len(work.sids)
        if kbest.id is not None:
            work.ids[place] = kbest.id
        if kbest.n_stats:
            work.widths[place] = kbest.n_stats
        if fresh := names_in(message):
            work.fresh[place] = [*fresh]
        # last, since the number of sids is the number of lists that were taken
        work.sids.append(kbest.sid)
        return result


class TaskResult(NamedTuple):
    """The result of a task: its lists in order, and the bytes that the share made of them.

    By the place of a list, where there is something to say: its id, the width of its statistics,
    the names that it declares.  ends, notes and data are those of PackedLists.
    """

    sids: list[int]
    ids: dict[int, str]
    widths: dict[int, int]
    fresh: dict[int, list[str]]
    ends: list[int]
    notes: Any
    data: Buffer

    def packed(self) -> list[Buffer]:
        """Return the record as bytes: the length of the JSON, then the JSON.  The data follows."""
        # by place and not a list of all: most lists have no id and declare no name, so this stays
        # short
        return framed(json.dumps(self[:-1]).encode())

    @classmethod
    def of(cls, packed: memoryview) -> TaskResult:
        """Return the record that was packed, with the data behind it."""
        header, data = unframed(packed)
        # JSON reads no memoryview; only the header is copied, the data behind it stays where it is
        sids, *by_place, ends, notes = json.loads(bytes(header))
        # the keys of a JSON object are strings
        ids, widths, fresh = ({int(place): v for place, v in one.items()} for one in by_place)
        return cls(sids, ids, widths, fresh, ends, notes, data)

    def lists(self) -> Iterator[tuple[Passed, int, list[str]]]:
        """Yield the lists, with the width of their statistics and their new names."""
        for place, sid in enumerate(self.sids):
            passed = Passed(sid, self.ids.get(place))
            yield passed, self.widths.get(place, 0), self.fresh.get(place, [])


NOTHING = TaskResult([], {}, {}, {}, [], None, b"")
