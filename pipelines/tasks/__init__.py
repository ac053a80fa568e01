"""Runs of stages as Luigi tasks: what a task is, how tasks are built, where results are kept."""
