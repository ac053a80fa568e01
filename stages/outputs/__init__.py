"""What several commands write: lists as a stream or collection, the first texts of lists."""
