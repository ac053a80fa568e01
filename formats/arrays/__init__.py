"""Array types, pointers, growing arrays, hashing; needs NumPy alone, so all code may import it."""
