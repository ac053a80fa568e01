"""Arrays are in a file whole, or there is an error."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.raw_arrays import write_raw_arrays


def test_bytes_follow_each_other(tmp_path: Path) -> None:
    path = os.fspath(tmp_path / "arrays")
    parts = [np.arange(5), np.zeros(0), np.array([1.5, -2.0]), np.arange(12.0)[::3]]
    write_raw_arrays(path, *parts)
    assert Path(path).read_bytes() == b"".join(part.tobytes() for part in parts)


@pytest.mark.parametrize("n", [61, 500, 5000, 500_000])
def test_a_full_disk_is_an_error(tmp_path: Path, n: int) -> None:
    """Whatever the size; a limit of 512 bytes is the disk."""
    code = f"""
import numpy as np, resource
from campanula.formats.raw_arrays import write_raw_arrays
resource.setrlimit(resource.RLIMIT_FSIZE, (512, resource.RLIM_INFINITY))
try:
    write_raw_arrays({os.fspath(tmp_path / "arrays")!r}, np.zeros(4), np.zeros({n}), np.zeros(0))
except OSError as error:
    raise SystemExit(error.errno)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == errno.EFBIG
