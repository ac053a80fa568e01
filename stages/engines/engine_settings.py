"""Settings of where tasks are done; they can be made without loading dask."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DaskSettings:
    """The address of a scheduler, or the number of local processes."""

    scheduler: str | None = None
    workers: int = 1


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """Where tasks are done; folder: keeps the results, None for one that goes at the end."""

    dask: DaskSettings
    folder: str | None = None
    quiet: bool = False
