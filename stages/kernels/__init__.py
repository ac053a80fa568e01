"""Arrays in, arrays out: the compiled work of the stages.

Numba's cache notices a change in a kernel's own file, not in the files whose kernels it calls.  So
importing this package drops the compiled form of every kernel that is older than what it imports.
"""

import re
from contextlib import suppress
from pathlib import Path

IMPORT = re.compile(r"^from stages\.kernels\.(\w+) import", re.MULTILINE)


def _changed(source: Path, known: dict[Path, float]) -> float:
    """Last change of a kernel file or of any that it imports."""
    if source not in known:
        known[source] = source.stat().st_mtime
        for name in IMPORT.findall(source.read_text(encoding="utf-8")):
            other = _changed(source.with_name(f"{name}.py"), known)
            known[source] = max(known[source], other)
    return known[source]


def drop_stale(folder: Path) -> None:
    """Remove the compiled kernels of a folder whose sources, or what those import, are newer."""
    known: dict[Path, float] = {}
    for compiled in (folder / "__pycache__").glob("*.nbi"):
        source = folder / f"{compiled.name.split('.', 1)[0]}.py"
        with suppress(FileNotFoundError):  # another process may drop or replace it just now
            if not source.exists() or compiled.stat().st_mtime < _changed(source, known):
                compiled.unlink()


drop_stale(Path(__file__).parent)
