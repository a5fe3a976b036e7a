"""Windlass: the operator SDK for Python."""
