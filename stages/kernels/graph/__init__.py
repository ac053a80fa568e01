"""What is read off a search graph: k-best derivations, texts, features, arcs."""
