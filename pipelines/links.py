"""Symbolic links in the folder of a run to files and folders of its cache."""

from __future__ import annotations

import os

from campanula.formats.atomic import reporting


def link(target: str, path: str) -> None:
    """Make `path` a link to `target`, relative to the folder of the link; raises DataError."""
    relative = os.path.relpath(target, os.path.dirname(path))
    if os.path.islink(path) and os.readlink(path) == relative:
        return
    unfinished = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.link.tmp")
    with reporting(path):
        if os.path.lexists(unfinished):
            os.unlink(unfinished)
        os.symlink(relative, unfinished)
        # a rename replaces the old link at once: `path` is never missing
        try:
            os.replace(unfinished, path)
        except OSError:
            os.unlink(unfinished)
            raise
