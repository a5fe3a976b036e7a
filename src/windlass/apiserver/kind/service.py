from __future__ import annotations

from windlass.apiserver.kind.builtin import BuiltinTraits


class ServiceTraits(BuiltinTraits):
    """A service has an address of its own in the cluster, and ports on its nodes."""

    upserts = True
    returns_deleted = True
