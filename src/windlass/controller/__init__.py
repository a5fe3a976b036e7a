"""Runs one reconciler: from changes in the cache, through a queue, to calls of `reconcile`."""
