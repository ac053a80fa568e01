"""Arrays in, arrays out: the compiled work of the stages.

Numba's cache notices a change in a kernel's own file, not in the files whose kernels it calls.  So
importing this package drops the compiled form of every kernel that is older than what it imports.
"""

import re
from contextlib import suppress
from pathlib import Path

IMPORT = re.compile(r"^from campanula\.stages\.kernels\.?([\w.]*) import ([\w, ]+)", re.MULTILINE)


def _imports(root: Path, source: Path) -> list[Path]:
    """Kernel files that a kernel file imports."""
    files = []
    for package, names in IMPORT.findall(source.read_text(encoding="utf-8")):
        base = root.joinpath(*package.split(".")) if package else root
        files.append(base.with_suffix(".py"))
        files += [base / f"{name.split()[0]}.py" for name in names.split(",") if name.strip()]
    return [path for path in files if path.exists()]


def _changed(root: Path, source: Path, known: dict[Path, float]) -> float:
    """Last change of a kernel file or of any that it imports."""
    if source not in known:
        known[source] = source.stat().st_mtime
        for other in _imports(root, source):
            known[source] = max(known[source], _changed(root, other, known))
    return known[source]


def drop_stale(folder: Path) -> None:
    """Remove the compiled kernels of a folder whose sources, or what those import, are newer."""
    known: dict[Path, float] = {}
    for compiled in folder.rglob("__pycache__/*.nbi"):
        source = compiled.parent.parent / f"{compiled.name.split('.', 1)[0]}.py"
        with suppress(FileNotFoundError):  # another process may drop or replace it just now
            if not source.exists() or compiled.stat().st_mtime < _changed(folder, source, known):
                compiled.unlink()


drop_stale(Path(__file__).parent)
