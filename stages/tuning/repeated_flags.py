"""A flag of which several values may be given, to choose among; the last one counts else."""

from __future__ import annotations

import argparse
from typing import Any


class Among(argparse.Action):
    """Keeps the last value, as any flag, and all of them for --folds, in `NAME_values`."""

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
    """All values that were given of a flag with the action `Among`."""
    return list(getattr(args, f"{name}_values", ()))
