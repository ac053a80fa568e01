"""ARPA language models, read and written."""
