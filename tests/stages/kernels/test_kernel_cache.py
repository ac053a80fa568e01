"""The folder of the compiled kernels: by what it is named, whose it is, what goes."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from campanula.stages.kernels import kernel_cache
from tests.present import present

KERNEL = """
import numpy as np
from campanula.stages.kernels.lists.winners import place_of_best
assert place_of_best(np.array([1.0, 2.0])) == 1
"""
MESSAGE = "compiling kernels for this machine, once; `campanula warm-up` compiles all\n"


@pytest.fixture(autouse=True)
def fresh(monkeypatch, tmp_path):
    """A cache of its own, in this process and in those it starts."""
    home = tmp_path / "home"
    monkeypatch.setenv("CAMPANULA_CACHE", str(home))
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0")
    monkeypatch.delenv("CAMPANULA_QUIET", raising=False)
    monkeypatch.setattr(kernel_cache, "quiet", False)
    kernel_cache.folder.cache_clear()
    yield home
    kernel_cache.folder.cache_clear()


def python(code, **environment):
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | environment,
    )


def forms(home):
    return sorted(str(path.relative_to(home)) for path in home.rglob("*.nbc"))


@pytest.mark.slow
def test_a_kernel_is_compiled_once_for_all_processes_and_that_is_said(fresh):
    assert python(KERNEL).stderr == MESSAGE
    (folder,) = fresh.iterdir()
    assert folder.name == f"kernels-{kernel_cache.digest()}"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert len(before := forms(fresh)) == 1
    assert python(KERNEL).stderr == ""
    assert forms(fresh) == before


@pytest.mark.slow
def test_settings_of_numba_do_not_move_the_kernels(fresh, tmp_path, monkeypatch):
    elsewhere = tmp_path / "elsewhere"
    work = tmp_path / "work"
    work.mkdir()
    (work / ".numba_config.yaml").write_text(f"cache_dir: {elsewhere}\n")
    monkeypatch.chdir(work)
    settings = {
        "NUMBA_CACHE_DIR": str(elsewhere),
        "NUMBA_CACHE_LOCATOR_CLASSES": "InTreeCacheLocator",
    }
    python(KERNEL, **settings)
    assert len(forms(fresh)) == 1
    assert not elsewhere.exists()
    assert MESSAGE not in python(KERNEL, **settings).stderr


@pytest.mark.slow
def test_nothing_is_said_where_a_command_is_quiet():
    assert python(KERNEL, CAMPANULA_QUIET="1").stderr == ""


@pytest.mark.slow
def test_a_folder_that_cannot_be_trusted_is_not_used(fresh):
    folder = fresh / f"kernels-{kernel_cache.digest()}"
    folder.mkdir(parents=True, mode=0o700)
    folder.chmod(0o777)
    message = python(KERNEL).stderr
    problem = "expected mode 700, found 777; kernels are compiled anew in every process"
    assert message == f"{folder}: {problem}\n"
    assert forms(fresh) == []


def test_the_digest_depends_on_every_source(tmp_path, monkeypatch):
    package = tmp_path / "campanula"
    for name in ("stages/kernels/a.py", "stages/kernels/room/b.py", "formats/arrays/c.py"):
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")
    (package / "formats" / "other.py").write_text("x = 1\n")
    monkeypatch.setattr(kernel_cache, "PACKAGE", str(package))

    def digest():
        return kernel_cache.digest.__wrapped__()

    seen = {digest()}
    (package / "stages/kernels/room/b.py").write_text("x = 2\n")
    seen.add(digest())
    (package / "formats/arrays/c.py").write_text("x = 2\n")
    seen.add(digest())
    (package / "stages/kernels/a.py").rename(package / "stages/kernels/room/a.py")
    seen.add(digest())
    assert len(seen) == 4
    (package / "formats" / "other.py").write_text("x = 2\n")
    os.utime(package / "formats/arrays/c.py", (1, 1))
    assert digest() in seen
    monkeypatch.setattr(kernel_cache, "version", lambda package: package.encode() + b" 0.0")
    seen.add(digest())
    monkeypatch.setattr(kernel_cache, "processor", lambda: b"another")
    seen.add(digest())
    assert len(seen) == 6


def test_the_digest_needs_no_numba(tmp_path):
    code = (
        "import sys\nfrom campanula.stages.kernels import kernel_cache\n"
        "print(bool(kernel_cache.folder()), {'numba', 'llvmlite'} & sys.modules.keys())\n"
    )
    assert python(code).stdout == "True set()\n"


def test_versions_are_those_of_the_packages():
    import llvmlite
    import numba

    assert numba.__version__.encode() in kernel_cache.version("numba")
    assert llvmlite.__version__.encode() in kernel_cache.version("llvmlite")
    assert kernel_cache.version("msgpack")  # whose file has another name


def test_the_processor_is_described_the_same_every_time(monkeypatch):
    found = kernel_cache.processor()
    assert kernel_cache.processor() == found
    assert b"MHz" not in found
    monkeypatch.setattr(kernel_cache, "PROCESSOR_LINES", (b"no such line",))
    assert kernel_cache.processor() != found  # as LLVM describes it


def test_all_kernels_and_the_leaf_that_they_call_count():
    found = {Path(path).parts[:2] for path in kernel_cache.sources(kernel_cache.PACKAGE)}
    assert found == {("stages", "kernels"), ("formats", "arrays")}


def test_where_the_folder_is(monkeypatch, tmp_path):
    monkeypatch.delenv("CAMPANULA_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert kernel_cache.home() == str(tmp_path / "xdg" / "campanula")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert kernel_cache.home() == str(tmp_path / ".cache" / "campanula")


def test_faults_of_a_folder(tmp_path, monkeypatch):
    folder, link, file = tmp_path / "home" / "k", tmp_path / "link", tmp_path / "file"
    folder.mkdir(parents=True, mode=0o700)
    link.symlink_to(folder)
    file.touch(0o700)
    assert kernel_cache.fault_of(str(folder)) is None
    for path in (link, file):
        assert kernel_cache.fault_of(str(path)) == "expected a folder, found a link or a file"
    folder.chmod(0o750)
    assert kernel_cache.fault_of(str(folder)) == "expected mode 700, found 750"
    folder.chmod(0o700)
    for mode in (0o777, 0o770):
        folder.parent.chmod(mode)
        assert "others may rename it" in present(kernel_cache.fault_of(str(folder)))
    folder.parent.chmod(0o1777)
    assert kernel_cache.fault_of(str(folder)) is None
    owner = os.stat(folder.parent)
    monkeypatch.setattr(os, "stat", lambda path: os.stat_result([*owner[:4], 12345, *owner[5:]]))
    assert kernel_cache.fault_of(str(folder)) == "the folder around it is another user's"
    monkeypatch.undo()
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    assert kernel_cache.fault_of(str(folder)) == "expected a folder of this user, found another's"


def test_a_folder_of_ours_that_a_umask_has_opened_is_closed(fresh):
    fresh.mkdir()
    fresh.chmod(0o775)
    assert kernel_cache.folder() is not None
    assert fresh.stat().st_mode & 0o777 == 0o755


def test_whatever_happens_to_a_kernels_files_is_noticed(tmp_path):
    path, kernel = str(tmp_path), "place_of_best-9"
    assert kernel_cache.whole(path, kernel)
    for name in ("nbi", "1.nbc", "2.nbc"):
        (tmp_path / f"{kernel}.{name}").write_bytes(name.encode())
    assert not kernel_cache.whole(path, kernel)
    kernel_cache.seal(path, kernel)
    assert kernel_cache.whole(path, kernel)
    for file in list(tmp_path.iterdir()):
        data = file.read_bytes()
        for damaged in (b"", data[:-1], bytes([data[0] ^ 1]) + data[1:]):
            file.write_bytes(damaged)
            assert not kernel_cache.whole(path, kernel)
        file.write_bytes(data)
    (tmp_path / f"{kernel}.2.nbc").unlink()
    assert not kernel_cache.whole(path, kernel)
    kernel_cache.remove(path, kernel)
    assert list(tmp_path.iterdir()) == []


def test_a_cache_that_cannot_be_made_is_done_without(fresh, capsys):
    fresh.write_text("a file")
    assert kernel_cache.folder() is None
    assert capsys.readouterr().err.count("\n") == 1


def test_folders_not_used_for_long_go_but_for_the_last(tmp_path):
    now = time.time()
    ages = {"kernels-a": 10, "kernels-b": 4000, "kernels-c": 5000, "kernels-d": 6000, "model": 9999}
    for name, age in ages.items():
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (now - age, now - age))
    (tmp_path / "kernels-new").mkdir()
    kernel_cache.trim(str(tmp_path), str(tmp_path / "kernels-new"))
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"kernels-new", "kernels-a", "kernels-b", "kernels-c", "model"}


def test_one_process_at_a_time_adds_to_a_folder(tmp_path):
    wait = (
        "import sys\nfrom campanula.stages.kernels.kernel_cache import locked\n"
        "print('waits', flush=True)\nwith locked(sys.argv[1]):\n    print('in')\n"
    )
    with kernel_cache.locked(str(tmp_path)):
        other = subprocess.Popen(
            [sys.executable, "-c", wait, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        assert present(other.stdout).readline() == "waits\n"
        with pytest.raises(subprocess.TimeoutExpired):
            other.wait(0.3)
    assert other.communicate(timeout=60)[0] == "in\n"
