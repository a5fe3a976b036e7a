"""Rolls out pod templates."""
