"""The loops of `tune`, one file each."""
