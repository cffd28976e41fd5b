"""The file system as HFA uses it: where files are, the one writer, the one lock."""
