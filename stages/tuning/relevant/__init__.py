"""Tuning on relevant sets, which grow by a set of lists an iteration (Tillmann and Zhang)."""
