"""Diagnosis of k-best lists: lengths, what stands where in them, what their features say."""
