"""The files of truth: chunks (L1), the directory of nodes (L0), the configuration, and where a memory is."""
