"""The versions of discovery."""
