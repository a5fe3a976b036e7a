"""The versions of authorization."""
