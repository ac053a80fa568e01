"""The leaf that all may import, NumPy alone: types of arrays, pointers, growing arrays, hashing."""
