"""Inventories: the names of a feature space with their ids, in a folder that grows by appending."""
