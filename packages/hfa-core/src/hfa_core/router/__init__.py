"""What may be seen: the focus lock, and the lines of L0 that a prompt routes to."""
