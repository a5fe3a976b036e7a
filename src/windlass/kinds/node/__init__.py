"""The versions of node."""
