"""Arrays in, arrays out: the compiled work of the stages.

Numba's cache notices a change in a kernel's own file, not in the files whose kernels it calls.  So
importing this package drops the compiled form of every kernel that is older than what it imports.
"""

import re
from pathlib import Path

HERE = Path(__file__).parent
IMPORT = re.compile(r"^from stages\.kernels\.(\w+) import", re.MULTILINE)


def _changed(name: str, known: dict[str, float]) -> float:
    """Last change of a kernel file or of any that it imports."""
    if name not in known:
        path = HERE / f"{name}.py"
        known[name] = path.stat().st_mtime
        for other in IMPORT.findall(path.read_text(encoding="utf-8")):
            known[name] = max(known[name], _changed(other, known))
    return known[name]


def _drop_stale() -> None:
    known: dict[str, float] = {}
    for compiled in (HERE / "__pycache__").glob("*.nbi"):
        name = compiled.name.split(".", 1)[0]
        source = HERE / f"{name}.py"
        if not source.exists() or compiled.stat().st_mtime < _changed(name, known):
            compiled.unlink(missing_ok=True)


_drop_stale()
