"""The functions that expressions can use."""
