"""Comparing systems: corpus metrics, replicates, significance."""
