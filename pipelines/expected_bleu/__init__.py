"""Maximum expected BLEU training: its parts."""
