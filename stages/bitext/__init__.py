"""Parallel text: what the commands that read two languages and their word alignments share."""
