"""Numba loads late, and of it only what a kernel that is compiled needs to run."""

import os
import subprocess
import sys

import pytest


def run(code, *args):
    """Exit status of code, with kernels compiled, also where this run has them interpreted."""
    compiled = os.environ | {"NUMBA_DISABLE_JIT": "0"}
    return subprocess.run([sys.executable, "-c", code, *args], check=False, env=compiled).returncode


def test_kernels_load_no_scipy_and_leave_it_to_others():
    code = (
        "import sys\nfrom campanula.stages.kernels.lists import scores\n"
        "assert 'scipy' not in sys.modules\nimport scipy.linalg\n"
        "assert scipy.linalg.norm([3.0, 4.0]) == 5.0\n"
    )
    assert run(code) == 0


def test_numba_waits_for_the_first_kernel_that_is_compiled():
    code = (
        "import sys\nfrom campanula.stages.kernels.lists import formulas\n"
        "assert 'numba' not in sys.modules\n"
        "from campanula.stages.kernels.lists import scores\nassert 'numba' in sys.modules\n"
    )
    assert run(code) == 0


def test_a_kernel_on_disk_runs_without_the_tables_of_the_compiler():
    code = (
        "import sys\nimport numpy as np\n"
        "from campanula.stages.kernels.lists.winners import place_of_best\n"
        "assert place_of_best(np.array([1.0, 2.0])) == 1\n"
    )
    assert run(code) == 0
    assert run(code + "assert 'numba.np.linalg' not in sys.modules\n") == 0


def test_a_kernel_on_disk_runs_without_scipy():
    code = (
        "import sys\nimport numpy as np\n"
        "from campanula.stages.kernels.metrics.bleu import bleu_gains\n"
        "assert bleu_gains(np.ones((1, 10), np.int64), 0, 0.0)[0] == 1.0\n"
    )
    assert run(code) == 0
    assert run(code + "assert 'scipy' not in sys.modules\n") == 0


def test_a_kernel_on_disk_and_one_to_compile_work_together(tmp_path):
    (tmp_path / "fresh.py").write_text(
        "from campanula.stages.kernels.compiled import njit\n"
        "from campanula.stages.kernels.lists.winners import place_of_best\n\n\n"
        "@njit(cache=True)\ndef twice(score):\n    return 2 * place_of_best(score)\n"
    )
    code = (
        f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\nimport numpy as np\n"
        "from campanula.stages.kernels.lists.winners import place_of_best\nimport fresh\n"
        "score = np.array([1.0, 2.0])\nassert place_of_best(score) == 1\n"
        "assert fresh.twice(score) == 2\nassert fresh.twice(score.astype(np.float32)) == 2\n"
        "assert len(fresh.twice._cache_hits) == int(sys.argv[1])\n"
    )
    for hits in ("0", "2"):
        assert run(code, hits) == 0


# Numba itself needs the parts: they are missing while ours are looked for.
MISSING = """
import numba, sys
import numba.core.caching as caching, numba.core.runtime.nrt as nrt
whole = getattr({owner}, "{name}")
delattr({owner}, "{name}")
from campanula.stages.kernels import compiled
setattr({owner}, "{name}", whole)
import numpy as np
from campanula.stages.kernels.lists.winners import place_of_best
from campanula.stages.kernels.metrics.bleu import bleu_gains
assert compiled.PARTS is None
assert place_of_best(np.array([1.0, 2.0])) == 1
assert bleu_gains(np.ones((1, 10), np.int64), 0, 0.0)[0] == 1.0
"""


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        ("caching", "IndexDataCacheFile"),
        ("caching.Cache", "_load_overload"),
        ("caching.Cache", "_index_key"),
        ("nrt", "rtsys"),
    ],
)
def test_a_numba_without_these_parts_compiles_in_every_process(owner, name, tmp_path):
    env = {"NUMBA_DISABLE_JIT": "0", "CAMPANULA_CACHE": str(tmp_path / "cache")}
    code = MISSING.format(owner=owner, name=name)
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | env)
    assert not (tmp_path / "cache").exists()


def test_options_that_are_not_public_stay_away_from_a_numba_that_may_not_know_them(monkeypatch):
    from campanula.stages.kernels import compiled

    seen = []

    def plain(**options):
        seen.append(options)
        return lambda kernel: kernel

    monkeypatch.setattr(compiled.numba, "njit", plain)
    monkeypatch.setattr(compiled, "PARTS", None)
    assert compiled.njit(**compiled.LEAN)(len) is len
    assert seen == [{"nogil": True}]


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
@pytest.mark.parametrize("damage", [b"", b"\x80\x05nonsense", None])
def test_a_damaged_kernel_is_made_again(tmp_path, ending, damage):
    """Emptied, replaced, or with a bit flipped in the middle."""
    code = (
        "import numpy as np\nfrom campanula.stages.kernels.lists.winners import place_of_best\n"
        "assert place_of_best(np.array([1.0, 2.0])) == 1\n"
    )
    compiled = os.environ | {"NUMBA_DISABLE_JIT": "0", "CAMPANULA_CACHE": str(tmp_path)}
    compiled.pop("CAMPANULA_QUIET", None)

    def messages():
        done = subprocess.run(
            [sys.executable, "-c", code], check=True, env=compiled, capture_output=True, text=True
        )
        return done.stderr

    assert messages().startswith("compiling kernels")
    assert messages() == ""
    (file,) = tmp_path.glob(f"kernels-*/*winners/place_of_best-*{ending}")
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 4
    file.write_bytes(data if damage is None else damage)
    assert "a damaged kernel is made again" in messages()
    assert messages() == ""


def test_fetching_ahead_changes_nothing_whatever_the_place():
    code = (
        "import numpy as np\nfrom campanula.stages.kernels.compiled import LEAN, njit, prefetch\n"
        "@njit(**LEAN)\ndef fetched(array, place):\n"
        "    prefetch(array, place)\n    return array[0]\n"
        "assert [fetched(np.arange(3.0), place) for place in (0, 3, 1 << 40)] == [0.0] * 3\n"
    )
    assert run(code) == 0
