from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from typing_extensions import override

from windlass.api import Resource
from windlass.apiserver.store import Journal, Store
from windlass.testing.simulation.judge import Version
from windlass.testing.simulation.schedule import NOBODY
from windlass.testing.simulation.wire import SENDER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from windlass.api import Json, SecretValues
    from windlass.apiserver.store import Change
    from windlass.testing.simulation.loop import SimulatedLoop

R = TypeVar("R", bound=Resource)

LEASE = "operator"
_LEASES = "coordination.k8s.io/leases"
_SECRETS = "/secrets"


class Truth(Journal):
    """What the server really holds at this instant, and each version of it that ever was.

    Who follows it is told after the step in which something changed, with all versions of that step. The
    values of Secrets are noted in `secrets`.
    """

    def __init__(self, loop: SimulatedLoop, secrets: SecretValues) -> None:
        self.store = Store(journal=self)
        self.holder = ""
        self.held_until = 0.0
        self.living: set[str] = set()
        self._loop = loop
        self._secrets = secrets
        self._followers: list[Callable[[list[Version]], None]] = []
        self._versions: list[Version] = []
        self._due = False

    def follow(self, follower: Callable[[list[Version]], None]) -> None:
        """Tell somebody of every change from now on."""
        self._followers.append(follower)

    def touch(self) -> None:
        """Something has changed, here or outside."""
        if not self._due:
            self._due = True
            self._loop.call_soon(self._tell, context=NOBODY)

    def get(self, kind: type[R], name: str, namespace: str) -> R | None:
        """One object, decoded from what is stored."""
        identity = kind.__kind__
        key = f"{namespace}/{name}" if identity.namespaced else name
        record = self.store.collection(f"{identity.group}/{identity.plural}").get(key)
        return None if record is None else kind.from_wire(record.object())

    def list(self, kind: type[R]) -> Sequence[R]:
        """All objects of a kind, by the order of their names."""
        page = self.store.collection(f"{kind.__kind__.group}/{kind.__kind__.plural}").page()
        return [kind.from_wire(record.object()) for record in page.records]

    @override
    def record(self, collection: str, change: Change) -> None:
        state = change.objects()[0]
        if collection == _LEASES and change.after.name == LEASE:
            self._see_lease({} if change.type == "DELETED" else state.get("spec") or {})
            return  # nobody else is concerned
        if collection == _SECRETS:
            self._secrets.note(state)
        if change.type == "DELETED":
            self.living.discard(state["metadata"]["uid"])
        else:
            self.living.add(state["metadata"].get("uid"))
        self._versions.append(Version(collection, change.type, state, SENDER.get(), change.after.version))
        self.touch()

    @override
    def keep(self, collection: str, floor: int | None, dropped: Sequence[int]) -> None:
        """What is forgotten was seen here before."""

    @override
    async def durable(self, revision: int) -> None:
        """It is, as long as the simulation lasts."""

    def _see_lease(self, spec: Json) -> None:
        self.holder = spec.get("holderIdentity") or ""
        self.held_until = self._loop.time() + (spec.get("leaseDurationSeconds") or 0)

    def _tell(self) -> None:
        self._due = False
        versions, self._versions = self._versions, []
        for follower in self._followers:
            follower(versions)
