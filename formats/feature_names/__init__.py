"""How features are spelt."""
