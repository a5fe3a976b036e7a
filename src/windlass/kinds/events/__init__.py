"""The versions of events."""
