"""Names of an inventory: fingerprints, and the hash table of ids."""
