from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

if TYPE_CHECKING:
    from windlass.api import Json
    from windlass.client import Request
    from windlass.controller import Run
    from windlass.testing.simulation.court import Court
    from windlass.testing.simulation.process import Process


class Sent(NamedTuple):
    """Something that left a process: a request, or without one a call of something outside.

    `changes` tells whether it is more than a look, and more than the keeping of a lease.
    """

    at: float
    process: Process
    about: str
    changes: bool
    request: Request | None = None


class Version(NamedTuple):
    """A version of an object that the store has, or for a deletion had; `by` is the process that wrote it."""

    resource: str
    type: str
    object: Json
    by: Process | None
    api_version: str

    @property
    def uid(self) -> str:
        """The identity of the object."""
        return str(self.object["metadata"].get("uid", ""))

    def __str__(self) -> str:
        metadata = self.object["metadata"]
        return f"{self.resource} {metadata.get('namespace', '')}/{metadata['name']}".replace(" /", " ")


class Judge:
    """Watches a simulation for one kind of fault, and tells the first one by `court.find(self.name, …)`.

    Its methods are told what happens as it happens; `examine` is called in the end, when all is calm.
    """

    name: ClassVar[str] = ""

    def sent(self, sent: Sent, court: Court, /) -> None:
        """Something leaves a process at this instant."""

    def looked(self, versions: list[Version], court: Court, /) -> None:
        """The store, or something outside, has changed; these versions are new, in order."""

    def ran(self, run: Run, court: Court, /) -> None:
        """A reconcile has ended."""

    async def examine(self, court: Court, /) -> None:
        """Look at everything, when people and the weather have come to rest."""
