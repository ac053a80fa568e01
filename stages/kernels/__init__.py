"""Arrays in, arrays out: the compiled work of the stages.

Numba's cache notices a change in a kernel's own file, not in the files whose kernels it calls.  So
importing this package drops the compiled form of every kernel that is older than what it imports.
It also has Numba loaded without the linear algebra that no kernel uses, once a kernel needs Numba:
the flags of a command need only what the losses are called.
"""

import importlib
import re
import sys
from contextlib import suppress
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
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


def load_numba() -> None:
    """Import Numba's array functions while scipy.linalg cannot be found.

    They look for its BLAS, which no kernel needs; loading it takes a fifth of a short command.
    """
    if "scipy.linalg" in sys.modules:
        return
    sys.modules["scipy.linalg"] = None  # type: ignore[assignment]
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        del sys.modules["scipy.linalg"]


class NumbaFirst(MetaPathFinder):
    """Finds no module; loads Numba before the first kernel that is compiled, then steps aside."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return None: others find the module."""
        package, _, kernel = name.rpartition(".")
        source = Path(__file__).with_name(f"{kernel}.py")
        compiled = package == __name__ and source.exists() and "numba" in source.read_text("utf-8")
        if compiled and self in sys.meta_path:
            sys.meta_path.remove(self)
            load_numba()
        return None


drop_stale(Path(__file__).parent)
sys.meta_path.insert(0, NumbaFirst())
