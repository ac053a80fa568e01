"""Numba loads of itself only what a kernel that is compiled needs to run."""

import os
import subprocess
import sys
from types import SimpleNamespace

import numba
import pytest

from campanula.stages.kernels import numba_cache
from campanula.stages.kernels.place import Place


def run(code, *args):
    """Exit status of code, with kernels of Numba's, also where this run has them interpreted."""
    compiled = os.environ | {"NUMBA_DISABLE_JIT": "0", "CAMPANULA_KERNELS": "numba"}
    return subprocess.run([sys.executable, "-c", code, *args], check=False, env=compiled).returncode


def test_numba_loads_no_scipy_and_leaves_it_to_others():
    code = (
        "import sys\nfrom campanula.stages.kernels import numba_cache\n"
        "assert 'numba' in sys.modules\n"
        "assert 'scipy' not in sys.modules\nimport scipy.linalg\n"
        "assert scipy.linalg.norm([3.0, 4.0]) == 5.0\n"
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


# Numba itself needs the parts: they are missing while ours are looked for.
MISSING = """
import numba, sys
import numba.core.caching as caching, numba.core.runtime.nrt as nrt
whole = getattr({owner}, "{name}")
delattr({owner}, "{name}")
from campanula.stages.kernels import numba_cache
setattr({owner}, "{name}", whole)
import numpy as np
from campanula.stages.kernels.lists.winners import place_of_best
from campanula.stages.kernels.metrics.bleu import bleu_gains
assert numba_cache.PARTS is None
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
    kept = (tmp_path / "cache").rglob("*.*")
    assert [path.name for path in kept] == []


def test_options_that_are_not_public_stay_away_from_a_numba_that_may_not_know_them(monkeypatch):
    from campanula.stages.kernels import numba_cache
    from campanula.stages.kernels.compiled import LEAN

    seen = []

    def plain(**options):
        seen.append(options)
        return lambda kernel: kernel

    monkeypatch.setattr(numba, "njit", plain)
    monkeypatch.setattr(numba_cache, "PARTS", None)
    options = {name: option for name, option in LEAN.items() if name != "cache"}
    assert numba_cache.dispatcher(len, True, options) is len
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
    compiled["CAMPANULA_KERNELS"] = "numba"
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


def test_what_numba_keeps_otherwise_is_left_to_it(monkeypatch, tmp_path):
    """One without our cache, one without a form on disk, one whose form is of another version."""
    place = Place(test_what_numba_keeps_otherwise_is_left_to_it, str(tmp_path))
    kept = SimpleNamespace(_cache=None)
    assert not numba_cache.keep(kept, place, ())
    cache = numba_cache.KernelCache(len)
    assert not numba_cache.keep(SimpleNamespace(_cache=cache, overloads={}), place, ())
    monkeypatch.setattr(cache, "payload", lambda signature, context: (1, 2))
    made = SimpleNamespace(_cache=cache, overloads={(): None}, targetctx=None)
    assert not numba_cache.keep(made, place, ())
    assert not list(tmp_path.iterdir())
