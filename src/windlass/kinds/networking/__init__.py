"""The versions of networking."""
