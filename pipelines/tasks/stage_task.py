"""One step of a pipeline as a Luigi task: some work, its inputs, and the files that it makes.

    lists = stage(cache, "decode", Leaf.of(cache, "dev.de"), "--weights", weights, suffix=".kbest")

Most work is a run of a stage.  An argument is a string, an input file (Leaf), or the file of
another task (the task itself or, of several files, `task.made(suffix)`).  The result is
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
from campanula.pipelines.tasks import digest, own_code
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.luigi_alone import luigi


@runtime_checkable
class Product(Protocol):
    """An input of a stage: a path, and the digest of all that determines its bytes."""

    @property
    def path(self) -> str:
        """Path of the file or folder."""
        ...

    @property
    def digest(self) -> str:
        """Digest of all that determines the content; of a user's file, of its bytes."""
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
    """Files that words of a command line name, by word; programs are found on PATH."""
    paths = {word: word if os.path.isfile(word) else shutil.which(word) for word in words}
    return {word: Leaf.of(cache, path) for word, path in paths.items() if path is not None}


@dataclass(frozen=True, slots=True)
class Making:
    """An argument that stands for the path of an output file with a suffix."""

    suffix: str


@dataclass(frozen=True, slots=True)
class TaskOutput:
    """One of several files that a task makes."""

    task: StageTask
    path: str
    digest: str


Argument = str | Product | Making
PathOf = Callable[[str], str]  # path of an output file by its suffix


class TaskWork(Protocol):
    """The work of a task: its inputs, its output files, and how to make them."""

    @property
    def command(self) -> str:
        """Name of the work: in file names, in times, on Luigi's pages."""
        ...

    @property
    def suffixes(self) -> Sequence[str]:
        """Suffixes of the output files."""
        ...

    @property
    def inputs(self) -> Iterable[Product]:
        """The products that the work reads."""
        ...

    def identity(self) -> object:
        """Everything that determines the bytes of the output files, as JSON can write it."""
        ...

    def run(self, cache: Cache, path_of: PathOf) -> None:
        """Make the files."""
        ...


@dataclass(frozen=True, slots=True)
class StageRun:
    """A run of a stage in this process.

    free: arguments such as --jobs that change no byte of the output, and are not in the digest.
    """

    command: str
    arguments: tuple[Argument, ...]
    free: tuple[str, ...] = ()

    @property
    def suffixes(self) -> list[str]:
        """Suffixes of the output files among the arguments."""
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

    `work` is not in the repr: Luigi formats every parameter, even for messages that it does not
    print, and the text of a chain of tasks would double with every link.
    """

    cache: Cache
    work: TaskWork = field(repr=False)
    digest: str

    def path(self, suffix: str) -> str:
        """Path of the output file with a suffix."""
        return os.path.join(self.cache.folder, f"{self.result}{suffix}")

    @property
    def result(self) -> str:
        """Name of the result: what the names of its files begin with."""
        return f"{self.work.command}-{self.digest}"

    def made(self) -> list[str]:
        """Paths of all output files."""
        return [self.path(suffix) for suffix in self.work.suffixes]

    def do(self) -> None:
        """Do the work and seal the result; raises DataError where an input has changed meanwhile.

        A result of changed inputs is removed: it does not belong under its digest.
        """
        self.work.run(self.cache, self.path)
        try:
            self.cache.inputs.check()
        except DataError:
            self.cache.remove(self.result, self.made())
            raise
        # without a seal the task is not complete: Luigi, which asks after the run, lets it fail
        if all(map(os.path.exists, self.made())):
            self.cache.seal(self.result, self.made())


if TYPE_CHECKING:
    Parameter = luigi.Parameter[Call]
else:
    Parameter = luigi.Parameter  # older versions of Luigi allow no Parameter[...]


class _CallParameter(Parameter):
    """The parameter that holds the call; Luigi tells tasks apart by their files alone."""

    def __init__(self) -> None:
        super().__init__(significant=False, visibility=luigi.parameter.ParameterVisibility.PRIVATE)

    def _warn_on_wrong_param_type(self, param_name: str, param_value: object) -> None:
        """Accept a Call: Luigi would warn of every parameter that is no string."""


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
        """Path of the first output file."""
        return self.call.made()[0]

    @property
    def digest(self) -> str:
        """Digest of all that determines the output."""
        return self.call.digest

    def made(self, suffix: str) -> TaskOutput:
        """One of several output files, by its suffix."""
        return TaskOutput(self, self.call.path(suffix), digest.of(self.digest, suffix))

    def requires(self) -> list[luigi.Task]:
        """The tasks whose files are read."""
        makers = (getattr(arg, "task", arg) for arg in self.call.work.inputs)
        return [maker for maker in makers if isinstance(maker, luigi.Task)]

    def complete(self) -> bool:
        """Whether all output files are there and fit their seal."""
        return self.call.cache.whole(self.call.result, self.call.made())

    def run(self) -> None:
        """Do the work."""
        call = self.call
        call.cache.perform(call.work.command, call.digest, call.do)

    def on_failure(self, exception: BaseException) -> str:
        """Message of a failure for Luigi's pages."""
        return str(exception.__cause__ or exception)


def _died(task: StageTask, message: str) -> None:
    """Note that the process of a task was killed; message: Luigi's, with the task's id."""
    task.call.cache.died(task.call.work.command, message.partition(task.task_id)[2])


StageTask.event_handler(luigi.Event.PROCESS_FAILURE)(_died)  # type: ignore[no-untyped-call]


@functools.cache
def _kind(command: str) -> type[StageTask]:
    """Subclass of StageTask named as a command, so that Luigi's pages show the name."""
    kind: Any = type(StageTask)
    return cast("type[StageTask]", kind(command, (StageTask,), {}))


def task_of(cache: Cache, work: TaskWork) -> StageTask:
    """Task that does some work."""
    call = Call(cache, work, digest.of(cache.program, work.command, work.identity()))
    path = os.path.abspath(call.made()[0])
    return _kind(work.command)(
        # file and folder are what a scheduler of several machines tells tasks apart by: hence the
        # host
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
    """Task that runs a command; with a suffix, `-o` and an output path are added.

    free: arguments such as --jobs that change no byte of the output, and are not in the digest.
    """
    if suffix is not None:
        arguments = (*arguments, "-o", Making(suffix))
    return task_of(cache, StageRun(command, arguments, free))
