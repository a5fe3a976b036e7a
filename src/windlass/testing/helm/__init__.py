"""Helm without the program, for simulations: no process, no time but the client's, and the same records."""

from windlass.testing.helm.stand_in import StandInHelm, Template

__all__ = ["StandInHelm", "Template"]
