"""Leave-one-out: training sentences without what they added to the counts of the model."""
