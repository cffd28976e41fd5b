"""The core of HFA: a local, git-auditable, token-budgeted memory shared by coding agents."""

__version__ = "0.1.0"
