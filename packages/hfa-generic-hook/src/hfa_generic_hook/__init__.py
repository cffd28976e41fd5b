"""The HFA adapter for any host described as data."""

__version__ = "0.1.0"
