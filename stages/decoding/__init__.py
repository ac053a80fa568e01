"""The decoder: options, search, lattices, oracles, language models; two folders below."""
