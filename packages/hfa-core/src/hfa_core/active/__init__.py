"""What a session has seen: the registry of ids in its context and of files it touched."""
