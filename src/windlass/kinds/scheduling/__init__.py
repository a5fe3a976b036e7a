"""The versions of scheduling."""
