"""What streams hold: k-best lists, hopes, lattices, and the columns that they are made of."""
