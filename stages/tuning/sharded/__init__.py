"""Tuning on collections: shards are packed once, mapped, and passed over in their order."""
