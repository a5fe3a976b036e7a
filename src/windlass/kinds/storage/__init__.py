"""The versions of storage."""
