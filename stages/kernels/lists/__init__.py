"""K-best lists as flat arrays: scores, winners, losses."""
