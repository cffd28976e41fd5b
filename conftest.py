"""The fixtures for tests of adapters, in every package of the workspace."""

pytest_plugins = ["hfa_core.testing.plugin"]
