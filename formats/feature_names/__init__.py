"""Names of features: dense, sparse, lexical, and named sets of templates."""
