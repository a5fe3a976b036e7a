"""Operators that come with Windlass, written against its public names only; each is a package of its own.

`windlass run windlass.operators.minimart` runs one. A program of your own has its `add_to(manager)`, beside
those of others and under one election, one cache and one metrics server.
"""
