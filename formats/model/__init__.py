"""A translation model in memory, and its compiled form on disk."""
