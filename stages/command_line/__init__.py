"""What command lines have in common: their parser, flags of several commands, progress bars."""
