"""The demo: from the text of two packages to tuned weights."""
