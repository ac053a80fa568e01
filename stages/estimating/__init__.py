"""Language models: words numbered, sorted runs on disk for large texts, ARPA text."""
