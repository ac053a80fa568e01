"""Sparse features in decoding: names and keys, weights by key, and which features fire."""
