"""Runs of `tune` side by side: a table with significance, and a picture."""
