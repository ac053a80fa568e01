"""The records of streams (k-best lists, hopes, lattices) and the columns they are made of."""
