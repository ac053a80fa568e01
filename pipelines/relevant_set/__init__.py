"""The loop of the relevant set: its parts."""
