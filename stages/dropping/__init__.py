"""Features dropped from lists: which of them are frequent, and lists without the others."""
