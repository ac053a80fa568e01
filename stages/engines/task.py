"""Tasks, which any process may do: a pure function, and the file that it writes.

    Task("campanula.stages.decode:decode_shard", {"shard": "dev/source.3"}, "F/decode-5f0c.kbest")

The function is called as function(arguments, output).  It writes the file `output`, and may return
a value that JSON can write, which is kept beside the file.  The file's name has the digest of all
that determines its bytes, so every process that does the task writes the same file.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from campanula.formats.program import digest_of_values, program_digest

Function = Callable[[Mapping[str, Any], str], object]


@dataclass(frozen=True, slots=True)
class Task:
    """A function by name ("module:function"), its arguments, and the path of the file it writes.

    arguments: values that JSON can write.  near: names data that the function reads; a machine that
    has read this data before may still have it in memory.
    """

    function: str
    arguments: Mapping[str, Any]
    output: str
    near: str = ""

    @property
    def name(self) -> str:
        """Name of the output file, without its folder."""
        return os.path.basename(self.output)

    @property
    def title(self) -> str:
        """Name of the stage, which stands before the digest in the file's name."""
        return self.name.rpartition("-")[0] or self.name

    def resolve(self) -> Function:
        """Import the module and return the function."""
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
    """Return the task whose file is FOLDER/TITLE-DIGEST SUFFIX.

    determined_by: everything that determines the bytes besides the program and the function:
    settings, and checksums of inputs, never their paths.
    """
    json.dumps(arguments)  # arguments that JSON cannot write raise here, not on another machine
    digest = digest_of_values(program_digest(), function, determined_by)
    return Task(function, arguments, os.path.join(folder, f"{title}-{digest}{suffix}"), near)
