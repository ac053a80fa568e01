"""Features that are added to lists: their table, ours one file each, and one's own."""
