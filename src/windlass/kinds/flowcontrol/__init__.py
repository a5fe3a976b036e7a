"""The versions of flowcontrol."""
