"""The versions of batch."""
