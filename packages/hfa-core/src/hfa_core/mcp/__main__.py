"""`python -m hfa_core.mcp`, for where the command itself is not on disk."""

from hfa_core.mcp import main

main()
