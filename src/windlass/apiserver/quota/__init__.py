"""Quotas: how much of everything the objects of a namespace may use, and how much they do.

    charge(operation, pod, None, dry_run=False)

`charge` is the admission of the real server: it refuses a write that would use too much, and otherwise adds
what it uses to the status of each quota. A `Keeper` is the controller of a real cluster: after a write
it lets quotas tell what is really used. Nothing here is imported before there is a quota.
"""

from windlass.apiserver.quota.charge import charge
from windlass.apiserver.quota.keeper import Keeper

__all__ = ["Keeper", "charge"]
