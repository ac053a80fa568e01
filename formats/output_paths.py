"""What the path of an output names: a file, stdout, or an open file of the process."""

from __future__ import annotations

import os
import re

STDOUT = 1
STDERR = 2
DESCRIPTOR = re.compile(r"/dev/(stdout|stderr|fd/[0-9]{1,4})|/proc/self/(fd/[0-9]{1,4})")


def descriptor_of(path: str | None) -> int | None:
    """Return the descriptor that a path such as `-` or /dev/stdout names; None for other paths.

    Writing to the descriptor keeps the append mode of `>> file`; opening the path again would not.
    """
    if path is None or path == "-":
        return STDOUT
    match = DESCRIPTOR.fullmatch(os.path.normpath(path))
    if match is None:
        return None
    name = match[1] or match[2]
    return {"stdout": STDOUT, "stderr": STDERR}.get(name) or int(name.removeprefix("fd/"))


def is_one_file(one: str | None, other: str | None) -> bool:
    """Whether two outputs would be written to the same file; /dev/null may be both."""
    numbers = (descriptor_of(one), descriptor_of(other))
    if one is None or other is None or None not in numbers:
        return numbers[0] == numbers[1]
    place = os.path.realpath(one)
    return place == os.path.realpath(other) and place != os.devnull


def is_replaceable(path: str | None) -> bool:
    """Whether an output is written beside its place, unlike stdout (-), a pipe or a device."""
    if path is None or descriptor_of(path) is not None:
        return False
    return os.path.isfile(path) or not os.path.exists(path)
