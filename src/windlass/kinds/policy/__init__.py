"""The versions of policy."""
