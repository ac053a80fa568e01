"""Relevant sets of Tillmann and Zhang: truths and alternatives of a sentence, trained online."""
