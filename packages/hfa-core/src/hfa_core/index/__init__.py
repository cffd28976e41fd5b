"""What can be rebuilt from the files of truth at any time: analysed text, the SQLite index, and its freshness."""
