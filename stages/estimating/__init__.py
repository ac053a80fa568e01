"""Language models of texts larger than memory: sorted runs on disk, merged."""
