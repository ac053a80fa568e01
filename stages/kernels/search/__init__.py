"""Beam search over block sequences."""
