"""Compiled kernels that run without Numba: its machine code, on disk in a form of ours."""


class Unsupported(ValueError):
    """Raised for a kernel whose machine code cannot run without Numba; the text says why."""
