"""Compiled kernels that are older than what they import are dropped; Numba comes without BLAS."""

import os
import subprocess
import sys

from stages import kernels


def kernel_files(folder, ages):
    """Two kernel files, b importing a, and b's compiled form; ages are their last changes."""
    (folder / "__pycache__").mkdir()
    (folder / "a.py").write_text("x = 1\n")
    (folder / "b.py").write_text("from stages.kernels.a import x\n")
    (folder / "__pycache__" / "b.f-1.py311.nbi").write_bytes(b"")
    paths = [folder / "a.py", folder / "b.py", folder / "__pycache__" / "b.f-1.py311.nbi"]
    for path, age in zip(paths, ages, strict=True):
        os.utime(path, (age, age))
    return paths[2]


def test_a_kernel_newer_than_its_imports_is_kept(tmp_path):
    compiled = kernel_files(tmp_path, (10, 20, 30))
    kernels.drop_stale(tmp_path)
    assert compiled.exists()


def test_a_kernel_older_than_its_imports_is_dropped(tmp_path):
    compiled = kernel_files(tmp_path, (40, 20, 30))
    kernels.drop_stale(tmp_path)
    assert not compiled.exists()


def test_a_kernel_without_a_source_is_dropped(tmp_path):
    compiled = kernel_files(tmp_path, (10, 20, 30))
    (tmp_path / "b.py").unlink()
    kernels.drop_stale(tmp_path)
    assert not compiled.exists()


def test_kernels_do_not_load_linear_algebra_and_leave_it_to_others():
    code = (
        "import sys\nfrom stages.kernels import scores\n"
        "assert 'scipy.linalg' not in sys.modules\nimport scipy.linalg\n"
        "assert scipy.linalg.norm([3.0, 4.0]) == 5.0\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_numba_waits_for_the_first_kernel_that_is_compiled():
    code = (
        "import sys\nfrom stages.kernels import losses\nassert 'numba' not in sys.modules\n"
        "from stages.kernels import scores\nassert 'numba' in sys.modules\n"
        "from stages.kernels import descent\n"
        "assert not any(type(f).__name__ == 'NumbaFirst' for f in sys.meta_path)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
