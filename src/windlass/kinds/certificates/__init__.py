"""The versions of certificates."""
