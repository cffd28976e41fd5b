"""What people and agents ask of a memory on purpose: each operation once, for the command line and MCP alike."""
