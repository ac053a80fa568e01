"""Numba comes without linear algebra, which others load as ever."""

import subprocess
import sys


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
