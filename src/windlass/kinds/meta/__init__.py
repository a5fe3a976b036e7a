"""The versions of meta."""
