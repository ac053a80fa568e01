"""Language models: as an automaton, backed off, estimated."""
