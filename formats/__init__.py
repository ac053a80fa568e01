"""What flows between the stages: records and their bytes, and the text formats of other tools."""

__version__ = "0.1.0"
