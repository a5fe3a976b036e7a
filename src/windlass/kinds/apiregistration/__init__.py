"""The versions of apiregistration."""
