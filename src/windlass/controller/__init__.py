"""Runs one reconciler: from changes in the cache, through a queue, to calls of `reconcile` and their outcome.

A manager makes controllers; an operator's own code seldom meets them. `plan` runs a reconciler once without
doing anything, and tells what it would do. What a reconciler is stands in `windlass.reconcile`.
"""
