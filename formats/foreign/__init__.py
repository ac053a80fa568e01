"""Well-known files that a command may be handed for another, told by how they begin."""
