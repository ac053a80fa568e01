"""The flags that say where tasks are done: in this process, or on workers of dask.

A task works on a shard, so these flags are for collections.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from campanula.formats import atomic, signals
from campanula.stages import command
from campanula.stages.command import UsageError
from campanula.stages.engines.engine_settings import DaskSettings, EngineSettings

if TYPE_CHECKING:
    from campanula.stages.engines.dask_engine import DaskEngine

LOCAL, DASK = "local", "dask"
FREE = {"engine", "dask_scheduler", "dask_workers", "dask_folder", "output", "quiet", "jobs"}
"""Flags that change no byte of a shard; they are not sent to workers."""


def add_engine_flags(p: argparse.ArgumentParser) -> None:
    """Add --engine and the flags --dask-*."""
    group = p.add_argument_group("where shards are worked on (docs/clusters.md)")
    group.add_argument(
        "--engine",
        choices=(LOCAL, DASK),
        default=LOCAL,
        help="in this process, or by workers of dask, a task a shard (default: local)",
    )
    group.add_argument(
        "--dask-scheduler",
        metavar="ADDRESS",
        help="scheduler of a cluster of yours, such as tcp://host:8786",
    )
    group.add_argument(
        "--dask-workers",
        type=command.positive_int,
        metavar="N",
        help="or a cluster of N processes here (default: as many as cores)",
    )
    group.add_argument(
        "--dask-folder",
        metavar="DIR",
        help="keeps the results of tasks, so that a run started again goes on; all machines see it"
        " (default: one beside the output, which goes at the end)",
    )


def engine_of_flags(args: argparse.Namespace) -> EngineSettings | None:
    """Return the settings that the flags give, None for this process; raises UsageError."""
    given = {
        "--dask-scheduler": args.dask_scheduler,
        "--dask-workers": args.dask_workers,
        "--dask-folder": args.dask_folder,
    }
    if args.engine == LOCAL:
        for flag, value in given.items():
            if value is not None:
                raise UsageError(f"{flag} goes with --engine {DASK}")
        return None
    if args.dask_scheduler is not None and args.dask_workers is not None:
        raise UsageError("--dask-scheduler has workers of its own: drop --dask-workers")
    workers = args.dask_workers or len(os.sched_getaffinity(0))
    dask = DaskSettings(args.dask_scheduler, workers)
    return EngineSettings(dask, args.dask_folder, args.quiet)


def engine_words(args: argparse.Namespace) -> tuple[str, ...]:
    """Return the flags as words of another command's line; no words for this process."""
    given = {
        "--engine": None if args.engine == LOCAL else args.engine,
        "--dask-scheduler": args.dask_scheduler,
        "--dask-workers": args.dask_workers,
        "--dask-folder": args.dask_folder,
    }
    pairs = ((flag, str(value)) for flag, value in given.items() if value is not None)
    return tuple(word for pair in pairs for word in pair)


def flags_to_send(args: argparse.Namespace, paths: Iterable[str]) -> dict[str, Any]:
    """Return the flags of a stage that workers need, by name, in values that JSON can write.

    paths: names of flags that name files; these become absolute, since workers run in other
    folders.
    """
    flags = {name: value for name, value in vars(args).items() if name not in FREE}
    for name in paths:
        flags[name] = _absolute(flags[name])
    # through JSON and back, so that a flag that cannot be sent fails here and not on a worker
    return dict(json.loads(json.dumps(flags)))


def received_flags(flags: Mapping[str, Any]) -> argparse.Namespace:
    """Return the flags of `flags_to_send`, in a worker, as those of the stage's parser."""
    # one job: dask gives a worker as many tasks at a time as it has threads
    return argparse.Namespace(**flags, output=None, quiet=True, jobs=1)


def _absolute(value: Any) -> Any:
    if isinstance(value, list):
        return [_absolute(each) for each in value]
    return os.path.abspath(value) if isinstance(value, str) else value


@contextmanager
def open_engine(settings: EngineSettings, output: str | None) -> Iterator[tuple[DaskEngine, str]]:
    """Give the engine, and the folder of its results: that of the settings, or one beside `output`.

    Raises UsageError where there is neither.
    """
    from campanula.stages.engines.dask_engine import open_dask

    if settings.folder is None and output in (None, "-"):
        raise UsageError("--engine dask needs -o, or --dask-folder, where workers put results")
    if settings.folder is not None:
        folder = os.path.abspath(settings.folder)
        with open_dask(settings.dask, folder, settings.quiet) as engine:
            yield engine, folder
        return
    # beside the file itself where the output is a link: results are linked into a collection there,
    # which needs one file system
    folder = atomic.temporary_name(os.path.realpath(str(output)))
    with signals.cleanup(lambda: atomic.remove_folder(folder)):
        try:
            with open_dask(settings.dask, folder, settings.quiet) as engine:
                yield engine, folder
        finally:
            atomic.remove_folder(folder)
