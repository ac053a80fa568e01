"""The commands, one file each.

Their matrix products are small and their threads are their own.  BLAS, left alone, starts a thread
a core as NumPy is loaded, which spins for a while: a short command waits for it.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
