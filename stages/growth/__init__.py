"""Growth transformation: phrase probabilities that sum to one, moved for expected gain."""
