"""The versions of resource."""
