"""Where tasks are done, in a few values: commands know them before anything of dask is loaded."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DaskSettings:
    """A scheduler's address, or how many local processes."""

    scheduler: str | None = None
    workers: int = 1


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """Where tasks are done; folder keeps their results, None: one that goes at the end."""

    dask: DaskSettings
    folder: str | None = None
    quiet: bool = False
