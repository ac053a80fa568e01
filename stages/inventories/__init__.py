"""Names of an inventory: finding their ids, and adding names."""
