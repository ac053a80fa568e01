"""Sparse features and their weights in the search."""
