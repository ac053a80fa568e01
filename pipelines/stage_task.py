"""One run of a stage as a Luigi task: a command, its arguments, and the file that it makes.

    lists = stage(cache, "decode", Leaf.of(cache, "dev.de"), "--weights", weights, suffix=".kbest")

An argument is a string, an input file (Leaf), or what another task makes (the task itself or, of
several files, `task.made(suffix)`).  The file is `<command>-<digest><suffix>`; the digest covers
program, command, arguments, and the digests of all inputs in place of their paths.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import luigi
from luigi.parameter import ParameterVisibility

from campanula.pipelines import digest
from campanula.pipelines.cache import Cache


@runtime_checkable
class Product(Protocol):
    """Something that a stage reads: a path, and the digest of what determines its bytes."""

    @property
    def path(self) -> str:
        """Where it is."""
        ...

    @property
    def digest(self) -> str:
        """What determines it."""
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


@dataclass(frozen=True, slots=True)
class Making:
    """As an argument: the path of a file that the stage makes."""

    suffix: str


@dataclass(frozen=True, slots=True)
class Made:
    """One of several files that a task makes."""

    task: StageTask
    path: str
    digest: str


Argument = str | Product | Making


@dataclass(frozen=True, slots=True)
class Call:
    """What a task runs, where its files go, and what determines them.

    free arguments, such as --jobs, do not change what is made and are no part of the digest.
    Luigi prints every parameter, if only for a message that is never shown: inputs are left out of
    the text, or that of a chain of tasks would double with every link.
    """

    cache: Cache
    command: str
    arguments: tuple[Argument, ...] = field(repr=False)
    free: tuple[str, ...]
    digest: str

    def path(self, suffix: str) -> str:
        """Path of the file that is made with this suffix."""
        return os.path.join(self.cache.folder, f"{self.command}-{self.digest}{suffix}")

    def made(self) -> list[str]:
        """Paths of all files that are made."""
        return [self.path(arg.suffix) for arg in self.arguments if isinstance(arg, Making)]

    def argv(self) -> list[str]:
        """The arguments as the command takes them."""
        return [*(self._text(arg) for arg in self.arguments), *self.free, "-q"]

    def _text(self, arg: Argument) -> str:
        if isinstance(arg, Making):
            return self.path(arg.suffix)
        return arg if isinstance(arg, str) else arg.path


class _CallParameter(luigi.Parameter[Call]):
    """The parameter that holds the call; Luigi tells tasks apart by their path alone."""

    def __init__(self) -> None:
        super().__init__(significant=False, visibility=ParameterVisibility.PRIVATE)

    def _warn_on_wrong_param_type(self, param_name: str, param_value: object) -> None:
        """Accept what is no string."""


class StageTask(luigi.Task):
    """A run of a stage; path is the first file that it makes.  Make one with `stage`."""

    path = luigi.Parameter()
    call = _CallParameter()

    @property
    def digest(self) -> str:
        """What determines the output."""
        return self.call.digest

    def made(self, suffix: str) -> Made:
        """The file made with this suffix, where there are several."""
        return Made(self, self.call.path(suffix), digest.of(self.digest, suffix))

    def requires(self) -> list[luigi.Task]:
        """The tasks whose files are among the arguments."""
        makers = (getattr(arg, "task", arg) for arg in self.call.arguments)
        return [maker for maker in makers if isinstance(maker, luigi.Task)]

    def complete(self) -> bool:
        """Whether every file is there."""
        return all(map(os.path.exists, self.call.made()))

    def run(self) -> None:
        """Run the stage, unless another one has failed."""
        if self.call.cache.failure is None:
            self.call.cache.run(self.call.command, self.call.argv())

    def on_failure(self, exception: BaseException) -> str:
        """Keep the first failure, which Luigi only counts."""
        if self.call.cache.failure is None:
            self.call.cache.failure = exception
        return str(exception)


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
    determined = digest.of(cache.program, command, *(_identity(arg) for arg in arguments))
    call = Call(cache, command, arguments, free, determined)
    return StageTask(path=call.made()[0], call=call)  # type: ignore[no-untyped-call]


def _identity(arg: Argument) -> object:
    """What stands for an argument in a digest: strings as they are, inputs by their own."""
    if isinstance(arg, Making):
        return {"making": arg.suffix}
    return arg if isinstance(arg, str) else {"digest": arg.digest}
