"""Counts over aligned parallel text."""
