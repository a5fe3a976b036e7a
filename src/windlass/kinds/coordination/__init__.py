"""The versions of coordination."""
