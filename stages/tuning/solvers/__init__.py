"""Solvers, one a file: they minimise an objective and know nothing of what its numbers mean."""
