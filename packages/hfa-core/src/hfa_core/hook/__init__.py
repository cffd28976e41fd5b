"""A host's hook, from stdin to exit code; whatever fails, the host gets a valid reply and exit 0."""
