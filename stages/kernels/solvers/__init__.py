"""The inner loops of the solvers."""
