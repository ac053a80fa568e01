"""Metrics: their table, their statistics of hypotheses, and what lists say of them."""
