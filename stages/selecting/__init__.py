"""Selecting sentence pairs that serve a test set."""
