"""Bringing a memory from an earlier format to this one, in numbered steps, undoable."""
