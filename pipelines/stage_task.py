"""One step of a pipeline as a Luigi task: some work, what it reads, and the files that it makes.

    lists = stage(cache, "decode", Leaf.of(cache, "dev.de"), "--weights", weights, suffix=".kbest")

Most work is a run of a stage.  An argument is a string, an input file (Leaf), or what another task
makes (the task itself or, of several files, `task.made(suffix)`).  The file is
`<command>-<digest><suffix>`; the digest covers program, command, arguments, and the digests of all
inputs in place of their paths.
"""

from __future__ import annotations

import functools
import os
import shutil
import socket
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

from campanula.formats.errors import DataError
from campanula.pipelines import digest, own_code
from campanula.pipelines.cache import Cache
from campanula.pipelines.luigi_alone import luigi


@runtime_checkable
class Product(Protocol):
    """Something that a stage reads: a path, and the digest of what determines its bytes."""

    @property
    def path(self) -> str:
        """Path of the file or folder."""
        ...

    @property
    def digest(self) -> str:
        """Checksum of all that determines the content: for a file of the user's, of its bytes."""
        ...


@dataclass(frozen=True, slots=True)
class Leaf:
    """An input file or folder that no task makes; its digest is that of its bytes."""

    path: str
    digest: str

    @classmethod
    def of(cls, cache: Cache, path: str) -> Leaf:
        """Input at a path; raises DataError when it cannot be read."""
        return cls(path, cache.digest_of(path))


def leaves(cache: Cache, words: Iterable[str]) -> dict[str, Leaf]:
    """Files that the words of a command line name; a program is looked for on the path."""
    paths = {word: word if os.path.isfile(word) else shutil.which(word) for word in words}
    return {word: Leaf.of(cache, path) for word, path in paths.items() if path is not None}


@dataclass(frozen=True, slots=True)
class Making:
    """As an argument: the path of a file that the stage makes."""

    suffix: str


@dataclass(frozen=True, slots=True)
class TaskOutput:
    """One of several files that a task makes."""

    task: StageTask
    path: str
    digest: str


Argument = str | Product | Making
PathOf = Callable[[str], str]  # of the file that is made, by its suffix


class TaskWork(Protocol):
    """What a task does."""

    @property
    def command(self) -> str:
        """Its name: in file names, in the times, on Luigi's pages."""
        ...

    @property
    def suffixes(self) -> Sequence[str]:
        """Of the files that it makes."""
        ...

    @property
    def inputs(self) -> Iterable[Product]:
        """The products that the work reads."""
        ...

    def identity(self) -> object:
        """What determines the bytes that it makes, as JSON can write it."""
        ...

    def run(self, cache: Cache, path_of: PathOf) -> None:
        """Make the files."""
        ...


@dataclass(frozen=True, slots=True)
class StageRun:
    """A run of a stage in this process.

    free arguments, such as --jobs, do not change what is made and are no part of the digest.
    """

    command: str
    arguments: tuple[Argument, ...]
    free: tuple[str, ...] = ()

    @property
    def suffixes(self) -> list[str]:
        """Of the files whose paths are among the arguments."""
        return [arg.suffix for arg in self.arguments if isinstance(arg, Making)]

    @property
    def inputs(self) -> list[Product]:
        """Files and tasks among the arguments."""
        return [arg for arg in self.arguments if not isinstance(arg, (str, Making))]

    def identity(self) -> object:
        """The arguments: strings as they are, inputs by their digests, code by its bytes."""
        return [[_identity(a) for a in self.arguments], *own_code.digests(self.arguments)]

    def argv(self, path_of: PathOf) -> list[str]:
        """The arguments as the command takes them."""
        given = (path_of(a.suffix) if isinstance(a, Making) else a for a in self.arguments)
        return [*(a if isinstance(a, str) else a.path for a in given), *self.free, "-q"]

    def run(self, cache: Cache, path_of: PathOf) -> None:
        """Run the stage, which writes the files."""
        cache.run(self.command, self.argv(path_of))

    def __str__(self) -> str:
        shown = (a for a in self.arguments if not isinstance(a, Making) and a != "-o")
        return " ".join(a if isinstance(a, str) else os.path.basename(a.path) for a in shown)


def _identity(arg: Argument) -> object:
    if isinstance(arg, Making):
        return {"making": arg.suffix}
    return arg if isinstance(arg, str) else {"digest": arg.digest}


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """Work to be done in a cache, and the digest of what determines it.

    Luigi prints every parameter, if only for a message that is never shown: the work is left out of
    the text, or that of a chain of tasks would double with every link.
    """

    cache: Cache
    work: TaskWork = field(repr=False)
    digest: str

    def path(self, suffix: str) -> str:
        """Path of the file that is made with this suffix."""
        return os.path.join(self.cache.folder, f"{self.result}{suffix}")

    @property
    def result(self) -> str:
        """The name that its files have in common."""
        return f"{self.work.command}-{self.digest}"

    def made(self) -> list[str]:
        """Paths of all files that are made."""
        return [self.path(suffix) for suffix in self.work.suffixes]

    def do(self) -> None:
        """Do the work and seal its files; raises DataError for an input that has changed since."""
        self.work.run(self.cache, self.path)
        try:
            self.cache.inputs.check()
        except DataError:
            self.cache.remove(self.result, self.made())
            raise
        if all(map(os.path.exists, self.made())):
            self.cache.seal(self.result, self.made())


if TYPE_CHECKING:
    Parameter = luigi.Parameter[Call]
else:
    Parameter = luigi.Parameter  # which older versions of Luigi do not let be subscripted


class _CallParameter(Parameter):
    """The parameter that holds the call; Luigi tells tasks apart by their files alone."""

    def __init__(self) -> None:
        super().__init__(significant=False, visibility=luigi.parameter.ParameterVisibility.PRIVATE)

    def _warn_on_wrong_param_type(self, param_name: str, param_value: object) -> None:
        """Accept what is no string."""


class StageTask(luigi.Task):
    """Work as a task; path is the first file that it makes.  Make one with `stage` or `task_of`.

    On Luigi's pages it is called `<command>(file=..., folder=..., process=..., reads=...)`.  The
    process tells apart a run that was killed, which a scheduler takes for alive for a minute.
    """

    file = luigi.Parameter()
    folder = luigi.Parameter()
    process = luigi.Parameter()
    reads = luigi.Parameter(significant=False)
    call = _CallParameter()

    @property
    def path(self) -> str:
        """The first file that is made."""
        return self.call.made()[0]

    @property
    def digest(self) -> str:
        """What determines the output."""
        return self.call.digest

    def made(self, suffix: str) -> TaskOutput:
        """The file made with this suffix, where there are several."""
        return TaskOutput(self, self.call.path(suffix), digest.of(self.digest, suffix))

    def requires(self) -> list[luigi.Task]:
        """The tasks whose files are read."""
        makers = (getattr(arg, "task", arg) for arg in self.call.work.inputs)
        return [maker for maker in makers if isinstance(maker, luigi.Task)]

    def complete(self) -> bool:
        """Whether every file is there, whole and its own."""
        return self.call.cache.whole(self.call.result, self.call.made())

    def run(self) -> None:
        """Do the work."""
        call = self.call
        call.cache.perform(call.work.command, call.digest, call.do)

    def on_failure(self, exception: BaseException) -> str:
        """What Luigi's pages say of a failure."""
        return str(exception.__cause__ or exception)


def _died(task: StageTask, message: str) -> None:
    """Take note of a task whose process has not ended by itself."""
    task.call.cache.died(task.call.work.command, message.partition(task.task_id)[2])


StageTask.event_handler(luigi.Event.PROCESS_FAILURE)(_died)  # type: ignore[no-untyped-call]


@functools.cache
def _kind(command: str) -> type[StageTask]:
    """The tasks of a command, under its name."""
    kind: Any = type(StageTask)
    return cast("type[StageTask]", kind(command, (StageTask,), {}))


def task_of(cache: Cache, work: TaskWork) -> StageTask:
    """Task that does some work."""
    call = Call(cache, work, digest.of(cache.program, work.command, work.identity()))
    path = os.path.abspath(call.made()[0])
    return _kind(work.command)(
        file=os.path.basename(path),
        folder=f"{socket.gethostname()}:{os.path.dirname(path)}",
        process=str(os.getpid()),
        reads=str(work),
        call=call,
    )


def stage(
    cache: Cache,
    command: str,
    *arguments: Argument,
    suffix: str | None = None,
    free: tuple[str, ...] = (),
) -> StageTask:
    """Task that runs a command; with a suffix, `-o` and a path that ends so are added.

    free arguments, such as --jobs, do not change what is made and are no part of the digest.
    """
    if suffix is not None:
        arguments = (*arguments, "-o", Making(suffix))
    return task_of(cache, StageRun(command, arguments, free))
