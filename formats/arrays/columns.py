"""Columns of the tables that a compiled model has in files, and that kernels read.

A value or weight is the 32 bits of a float32; formats/model/automaton.py has what the rest means.
"""

from __future__ import annotations

# A table of transitions.
STATE, WORD, TARGET, VALUE = range(4)

# Transitions of a language model out of its state 0, by word.
UNIGRAM_VALUE, UNIGRAM_TARGET = range(2)

# States of a language model: back-off weight, state to back off to, words of the context.
BACKOFF, LOWER, CONTEXT = range(3)
