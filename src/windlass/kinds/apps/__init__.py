"""The versions of apps."""
