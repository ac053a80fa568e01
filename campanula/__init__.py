"""Tunes linear translation models and k-best rerankers."""

from campanula.formats import __version__

__all__ = ["__version__"]
