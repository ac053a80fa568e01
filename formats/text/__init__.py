"""Parallel text, references, alignments, scores: files with one line per sentence."""
