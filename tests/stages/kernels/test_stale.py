"""Compiled kernels that are older than what they import are dropped."""

import os

from campanula.stages import kernels


def kernel_files(folder, ages):
    """Two kernel files, b importing a, and b's compiled form; ages are their last changes."""
    (folder / "__pycache__").mkdir()
    (folder / "a.py").write_text("x = 1\n")
    (folder / "b.py").write_text("from campanula.stages.kernels.a import x\n")
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
