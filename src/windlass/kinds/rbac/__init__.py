"""The versions of rbac."""
