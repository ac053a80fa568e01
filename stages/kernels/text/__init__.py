"""Kernels on the bytes of text: numbers as decimals and back, lines of fields."""
