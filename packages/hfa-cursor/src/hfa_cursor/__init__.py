"""The HFA adapter for Cursor."""

__version__ = "0.1.0"
