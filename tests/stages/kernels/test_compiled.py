"""Kernels run from what is kept on disk, without Numba, and give what Numba gives."""

import os
import subprocess
import sys

import pytest

KERNELS = '''
"""Kernels of a user, with every kind of argument and result."""
from typing import NamedTuple
import numpy as np
from campanula.stages.kernels.compiled import LEAN, njit

class Pair(NamedTuple):
    left: object
    right: object

@njit(cache=True, nogil=True)
def total(array):
    sum_ = 0.0
    for value in array.ravel():
        sum_ += value
    return sum_

@njit(**LEAN)
def product(a, b):
    return a * b

@njit(cache=True)
def larger(array):
    return np.concatenate((array, array))

@njit(cache=True)
def turned(pair):
    return Pair(pair.right, pair.left), (pair.left, pair.right, len(pair))

@njit(cache=True)
def fill(array, value):
    array[:] = value

@njit(cache=True)
def ratio(a, b):
    return a / b

@njit(cache=True)
def longer(array, times=2):
    return np.repeat(array, times)

@njit(cache=True)
def end_after(array, first):
    while first < len(array) and array[first] > 0:
        first += 1
    return first

@njit(cache=True)
def end_of_all(array):
    return end_after(array, 0)

@njit(cache=True)
def logs(x):
    return np.exp(x), np.log(x), x ** 0.3, np.log1p(x), np.log10(x)
'''

CALLS = """
import sys
import numpy as np
import kernels
from kernels import Pair

def shown(value):
    if isinstance(value, np.ndarray):
        flags = value.flags
        order = flags.c_contiguous, flags.f_contiguous, flags.writeable
        return f"{type(value).__name__} {value.dtype} {value.shape} {order} {value.tolist()}"
    if isinstance(value, tuple):
        return f"{type(value).__name__}({', '.join(map(shown, value))})"
    return f"{type(value).__name__} {value!r}"

def call(kernel, *arguments):
    try:
        print(kernel.__name__, shown(kernel(*arguments)))
    except (ArithmeticError, TypeError) as error:
        print(kernel.__name__, type(error).__name__, error)

grid = np.arange(12.0).reshape(3, 4)
frozen = grid.copy()
frozen.flags.writeable = False
np.save("grid.npy", grid)
for array in (grid, np.asfortranarray(grid), grid[:, ::2], frozen, grid.astype(np.float32),
              grid.astype(">f8").astype("=f8"), np.load("grid.npy", mmap_mode="r"),
              grid[:0], grid > 3, grid.astype(np.uint8), grid.ravel(), grid[0, 1:2]):
    call(kernels.total, array)
for numbers in ((2, 3), (2.0, 3), (True, 2.5), (np.int32(7), np.int64(5)), (np.float32(0.1), 3.0),
                (np.uint8(200), np.uint8(100)), (np.bool_(True), -1), (np.float64(0.5), 2**40)):
    call(kernels.product, *numbers)
call(kernels.larger, np.arange(3))
call(kernels.larger, np.array([], dtype=np.float32))
call(kernels.turned, Pair(np.arange(3), 2.5))
call(kernels.turned, Pair(Pair(1, 2), (3, np.ones(2))))
place = np.zeros(3)
call(kernels.fill, place, 2.0)
print(place)
for pair in ((1, 2), (1, 0), (1.0, 0.0)):
    call(kernels.ratio, *pair)
call(kernels.longer, np.arange(2), 3)
call(kernels.logs, 0.7)
"""

WITHOUT = "assert 'numba' not in sys.modules, 'numba is loaded'\n"


@pytest.fixture
def run(tmp_path):
    """What code writes that a process runs, with kernels and a cache of its own."""
    (tmp_path / "kernels.py").write_text(KERNELS)

    def written(code, **settings):
        own = {"CAMPANULA_CACHE": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "0"}
        own["CAMPANULA_KERNELS"] = ""
        done = subprocess.run(
            [sys.executable, "-c", f"import sys\nsys.path.insert(0, '.')\n{code}"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env=os.environ | own | settings,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return written


@pytest.mark.slow
def test_what_is_kept_gives_what_numba_gives(run):
    """Compiled, from disk by Numba, and from disk without it."""
    first = run(CALLS)
    assert run(CALLS, CAMPANULA_KERNELS="numba") == first
    # Numba is loaded for an exception alone
    exceptions = "for pair in ((1, 2), (1, 0), (1.0, 0.0)):"
    quiet = CALLS.replace(exceptions, "for pair in ((1, 2),):")
    assert set(run(quiet + WITHOUT).splitlines()) <= set(first.splitlines())
    assert run(CALLS) == first
    assert "ratio ZeroDivisionError division by zero" in first
    assert "larger ndarray int64 (6,) (True, True, True) [0, 1, 2, 0, 1, 2]" in first
    assert (
        "turned tuple(Pair(float 2.5, ndarray int64 (3,) (True, True, True) [0, 1, 2]), tuple("
        in first
    )


@pytest.mark.slow
def test_a_form_for_a_constant_is_for_no_other_number(run):
    """Where another kernel gives 0, Numba may compile for just that."""
    code = (
        "import numpy as np\nimport kernels\narray = np.array([1, 0, 1, 1, 0])\n"
        "print(kernels.end_of_all(array), [kernels.end_after(array, n) for n in range(6)])\n"
    )
    assert run(code) == run(code) == "1 [1, 1, 4, 4, 4, 5]\n"


@pytest.mark.slow
def test_what_has_no_kind_goes_to_numba(run):
    code = (
        "import numpy as np\nimport kernels\n"
        "print(kernels.longer(np.arange(2)), kernels.longer(array=np.arange(2), times=1))\n"
        "print(kernels.total(np.arange(3.0)), kernels.product(2**63, 1))\n"
    )
    assert run(code) == run(code) == run(code, CAMPANULA_KERNELS="numba")


@pytest.mark.slow
def test_arguments_and_results_are_let_go(run):
    code = (
        "import numpy as np\nimport kernels, weakref\n"
        "array = np.zeros(1 << 17)\nbefore = sys.getrefcount(array)\n"
        "def used():\n"
        "    with open('/proc/self/statm') as file:\n        return int(file.read().split()[1])\n"
        "kernels.larger(array)\nstart = used()\n"
        "for _ in range(2000):\n    kernels.larger(array)\n"
        "print(sys.getrefcount(array) - before)\n"
        "print(used() - start < 5000)  # pages; the results were a million\n"
        "result = kernels.larger(array)\nalive = weakref.ref(result)\nview = result[3:]\n"
        "del result\nprint(alive() is None or view.base is not None)\nview[:] = 1\n"
        "print(kernels.turned(kernels.Pair(array, 1))[0].right is array)\n"
        "print(sys.getrefcount(array) - before)\n"
    )
    assert run(code) == run(code) == "0\nTrue\nTrue\nTrue\n0\n"


@pytest.mark.slow
def test_threads_may_call_a_kernel_at_once(run):
    code = (
        "import numpy as np\nimport kernels\nfrom concurrent.futures import ThreadPoolExecutor\n"
        "arrays = [np.arange(n, dtype=t) for n in range(40) for t in (float, int, np.float32)]\n"
        "with ThreadPoolExecutor(8) as threads:\n"
        "    found = list(threads.map(kernels.total, arrays))\n"
        "print(len(found), found == [array.sum() for array in arrays])\n"
    )
    assert run(code) == run(code + WITHOUT) == "120 True\n"


@pytest.mark.slow
def test_a_kernel_of_the_user_that_changes_is_compiled_again(run, tmp_path):
    code = "import numpy as np\nimport kernels\nprint(kernels.total(np.ones(3)))\n"
    assert run(code) == run(code) == "3.0\n"
    changed = KERNELS.replace("sum_ = 0.0", "sum_ = 1.0")
    (tmp_path / "kernels.py").write_text(changed + "\n")
    assert run(code) == run(code + WITHOUT) == "4.0\n"


@pytest.mark.slow
def test_a_kernel_on_disk_and_one_to_compile_work_together(run, tmp_path):
    (tmp_path / "fresh.py").write_text(
        "from campanula.stages.kernels.compiled import njit\n"
        "from campanula.stages.kernels.lists.winners import place_of_best\n\n\n"
        "@njit(cache=True)\ndef twice(score):\n    return 2 * place_of_best(score)\n"
    )
    code = (
        "import numpy as np\nfrom campanula.stages.kernels.lists.winners import place_of_best\n"
        "score = np.array([1.0, 2.0])\nprint(place_of_best(score))\n"
    )
    assert run(code) == "1\n"
    both = "import fresh\nprint(fresh.twice(score))\n"
    assert run(code + WITHOUT + both) == run(code + both + WITHOUT) == "1\n2\n"


@pytest.mark.slow
def test_a_damaged_form_is_made_again(run, tmp_path):
    code = "import numpy as np\nimport kernels\nprint(kernels.total(np.ones(3)))\n"
    run(code)
    (file,) = tmp_path.glob("cache/kernels-*/kernels/total-*.form")
    whole = file.read_bytes()
    for damaged in (b"", whole[:-1], whole[:99] + bytes([whole[99] ^ 4]) + whole[100:]):
        file.write_bytes(damaged)
        assert run(code) == "3.0\n"
        assert file.read_bytes() == whole
        assert run(code + WITHOUT) == "3.0\n"


def test_python_runs_kernels_where_numba_is_told_not_to():
    code = (
        "import sys\nfrom campanula.stages.kernels.lists import winners\n"
        "from campanula.stages.kernels.compiled import Kernel, njit\n"
        "assert not isinstance(winners.place_of_best, Kernel)\n"
        "assert njit(cache=True)(len) is len\nassert 'numba' not in sys.modules\n"
    )
    off = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, "-c", code], check=True, env=off)


def test_a_kernel_says_what_it_is():
    code = (
        "import copy\nfrom campanula.stages.kernels.lists.winners import place_of_best\n"
        "assert place_of_best.__name__ == 'place_of_best'\nassert place_of_best.__doc__\n"
        "assert copy.copy(place_of_best) is place_of_best\n"
        "assert not hasattr(place_of_best, '__array__')\n"
    )
    on = os.environ | {"NUMBA_DISABLE_JIT": "0"}
    subprocess.run([sys.executable, "-c", code], check=True, env=on)


def test_fetching_ahead_changes_nothing_whatever_the_place(run):
    code = (
        "import numpy as np\nfrom campanula.stages.kernels.compiled import LEAN, njit, prefetch\n"
        "@njit(**LEAN)\ndef fetched(array, place):\n"
        "    prefetch(array, place)\n    return array[0]\n"
        "print([fetched(np.arange(5.0, 8.0), place) for place in (0, 3, 1 << 40)])\n"
        "print(prefetch(np.arange(3.0), 1))\n"
    )
    assert run(code) == "[5.0, 5.0, 5.0]\nNone\n"
