"""The data that flows between the stages: records and their bytes, and other tools' formats."""

__version__ = "0.1.0"
