"""Inventories: the names of a feature space and their ids, in folders that only grow."""
