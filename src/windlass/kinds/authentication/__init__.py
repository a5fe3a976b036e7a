"""The versions of authentication."""
