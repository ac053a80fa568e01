"""Names of the columns in the tables of a compiled model, which kernels read.

The tables are integers: a value or weight is stored as the 32 bits of a float32.  The other columns
are explained in formats/model/automaton.py.
"""

from __future__ import annotations

# A table of transitions.
STATE, WORD, TARGET, VALUE = range(4)

# Transitions of a language model out of its state 0, by word.
UNIGRAM_VALUE, UNIGRAM_TARGET = range(2)

# States of a language model: back-off weight, state to back off to, length of the context.
BACKOFF, LOWER, CONTEXT = range(3)
