"""The versions of apiextensions."""
