"""A flag that may be repeated, so that --folds chooses among its values; else the last counts."""

from __future__ import annotations

import argparse
from typing import Any


class RepeatedFlag(argparse.Action):
    """Stores the last value in `NAME`, as any flag does, and all values in `NAME_values`."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        name = f"{self.dest}_values"
        setattr(namespace, self.dest, values)
        setattr(namespace, name, [*getattr(namespace, name, ()), values])


def values_of(args: argparse.Namespace, name: str) -> list[Any]:
    """Return all values given to a flag with the action `RepeatedFlag`, in their order."""
    return list(getattr(args, f"{name}_values", ()))
