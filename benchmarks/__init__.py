"""Windlass beside its peers, measured in one run on one machine. `make bench` runs it."""
