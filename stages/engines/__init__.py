"""Where the shards of a command are worked on: in threads of this process, or on a cluster."""
