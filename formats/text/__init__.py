"""Parallel text, references, alignments, numbers: a line a sentence."""
