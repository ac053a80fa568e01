"""A link in the folder of a run to what is in its cache."""

from __future__ import annotations

import os

from campanula.formats.atomic import reporting


def link(target: str, path: str) -> None:
    """Have a link to a folder, relative to where it stands; raises DataError where it cannot be."""
    relative = os.path.relpath(target, os.path.dirname(path))
    if os.path.islink(path) and os.readlink(path) == relative:
        return
    unfinished = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.link.tmp")
    with reporting(path):
        if os.path.lexists(unfinished):
            os.unlink(unfinished)
        os.symlink(relative, unfinished)
        try:
            os.replace(unfinished, path)
        except OSError:
            os.unlink(unfinished)
            raise
