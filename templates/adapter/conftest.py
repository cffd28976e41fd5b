"""The fixtures of the adapter suite."""

pytest_plugins = ["hfa_core.testing.plugin"]
