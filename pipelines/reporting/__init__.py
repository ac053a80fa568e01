"""A page about runs of `tune`: one HTML file that needs no network, no script and no library."""
