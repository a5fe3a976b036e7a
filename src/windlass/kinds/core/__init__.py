"""The versions of core."""
