"""The decoder and its kin: options, search, lattices, sparse features, oracles, language model."""
