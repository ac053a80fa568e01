"""Work that any process may do: a pure function, and the file that it makes.

    Task("campanula.stages.decode:decode_shard", {"shard": "dev/source.3"}, "F/decode-5f0c.kbest")

The function is called as function(arguments, output): it writes `output`, and may return what JSON
can write, which is kept beside the file.  The file's name carries the digest of all that determines
its bytes, so whoever makes it, and however often, makes the same.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from campanula.formats.program import digest_of, of_program

Function = Callable[[Mapping[str, Any], str], object]


@dataclass(frozen=True, slots=True)
class Task:
    """A function by name ("module:function"), its arguments, and the path of what it makes.

    arguments are what JSON can write.  near names data that the function reads: a machine that has
    had it before may have it in memory.
    """

    function: str
    arguments: Mapping[str, Any]
    output: str
    near: str = ""

    @property
    def name(self) -> str:
        """The file's name."""
        return os.path.basename(self.output)

    @property
    def title(self) -> str:
        """The stage's name, as it stands before the digest."""
        return self.name.rpartition("-")[0] or self.name

    def resolve(self) -> Function:
        """The function itself."""
        module, _, name = self.function.partition(":")
        return cast(Function, getattr(importlib.import_module(module), name))


def task(
    folder: str,
    title: str,
    function: str,
    arguments: Mapping[str, Any],
    determined_by: object,
    suffix: str = "",
    near: str = "",
) -> Task:
    """Task whose file is FOLDER/TITLE-DIGEST SUFFIX.

    determined_by is all that determines the bytes but for the program and the function: settings,
    and checksums of what is read, never its paths.
    """
    json.dumps(arguments)  # what does not travel is a bug here, not on some other machine
    digest = digest_of(of_program(), function, determined_by)
    return Task(function, arguments, os.path.join(folder, f"{title}-{digest}{suffix}"), near)
