"""Work in threads and in forked processes: results in order, the same for any number of jobs."""
