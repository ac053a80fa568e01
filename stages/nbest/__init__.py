"""Text of n-best lists, cut into fields and typeset by kernels, in threads and in forks."""
