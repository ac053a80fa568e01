"""Shards of a collection: k-best lists whose features are numbered within the list."""
