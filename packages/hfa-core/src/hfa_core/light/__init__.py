"""Small stand-ins for standard modules that cost a hook more than a bare interpreter start.

Each uses the C module beneath the standard one and falls back to the public module where that is missing.
"""
