"""Compiled kernels that run without Numba: its machine code, kept so that it loads at once."""


class Unsupported(ValueError):
    """A kernel that Numba must load itself."""
