"""Learned weights of sparse features as columns of Moses tables."""
