"""The HFA adapter for Newhost."""

__version__ = "0.1.0"
