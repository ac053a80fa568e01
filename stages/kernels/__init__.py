"""Arrays in, arrays out: the compiled work of the stages."""
