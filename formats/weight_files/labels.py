"""Groups numbered names, `TM0_0`, `TM0_1`, under one label, as in Moses's `TM0= 0.2 0.1`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from campanula.formats.feature_names.dense import numbered_names


def labelled(weights: Mapping[str, float]) -> Iterator[tuple[str, list[str]]]:
    """Yield the labels in order of their first names, each with the names of its values.

    A label has several names if all numbers from 0 on are there; else a name is its own label.
    """
    left = dict.fromkeys(weights)
    while left:
        name = next(iter(left))
        label, _, number = name.rpartition("_")
        group = (
            numbered_names(label, left)
            if label and label not in weights and number.isdigit()
            else []
        )
        if len(group) < 2 or name not in group:
            label = name
            group = [name]
        for member in group:
            del left[member]
        yield label, group


def is_dense(label: str, names: list[str]) -> bool:
    """Whether Moses takes a label for dense features: it has several values, or no `_` in it."""
    return len(names) > 1 or "_" not in label
