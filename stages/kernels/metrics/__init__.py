"""Statistics of hypotheses and the values of their sums."""
