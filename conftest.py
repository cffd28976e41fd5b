"""How every test of the project runs: one hypothesis profile."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# A loaded machine makes generating slow; that says nothing about the code.
settings.register_profile("hfa", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("hfa")
