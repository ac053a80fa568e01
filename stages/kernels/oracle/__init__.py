"""Search for the block sequences of highest sentence BLEU."""
