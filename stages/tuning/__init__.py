"""What `optimize` and its kin are made of: lists as arrays, objectives, solvers."""
