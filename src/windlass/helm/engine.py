"""What is wanted of Helm, as a protocol: the program serves it, and a stand-in in simulations."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Protocol

from windlass.api import Json
from windlass.helm.turns import Turns

if TYPE_CHECKING:
    from windlass.api import Key
    from windlass.client import Client, Impersonation
    from windlass.helm.blueprint import Blueprint
    from windlass.helm.ownership import Owner
    from windlass.helm.record import Revision

Change = Callable[[Sequence[Json]], Sequence[Json]]
"""What is deployed in place of what a chart renders."""

Guard = Callable[[str], Awaitable[None]]
"""Raises `ReleaseError` if the object at a path must not be deleted."""

_TIMEOUT: Final = timedelta(minutes=5)


@dataclass(frozen=True, kw_only=True)
class Deploying:
    """How a release is installed or upgraded.

    `labels` are put on the record of the revision. `force` replaces objects that cannot be changed.
    `history` is how many records of old revisions stay. `change` is given what the chart renders, hooks
    included (but for Helm 3), and returns what is deployed instead; it must keep the order and the number
    of documents. `is_upgrade` tells whether there is a revision in effect. `owner` is the object that hooks
    get an owner reference to. `on_hook` is called with the kind and name of each hook when it is created,
    `on_start` when the program starts, which may have to wait for others. `on_delete` is called with the path
    of each object that Helm is about to delete, and raises `ReleaseError` to refuse that.
    """

    labels: Mapping[str, str] = field(default_factory=dict)
    force: bool = False
    hooks: bool = True
    description: str = ""
    history: int = 10
    timeout: timedelta = _TIMEOUT
    change: Change | None = None
    is_upgrade: bool = False
    owner: Owner | None = None
    on_hook: Callable[[str], None] | None = None
    on_delete: Guard | None = None
    on_start: Callable[[], None] | None = None


@dataclass(frozen=True, kw_only=True)
class Retreat:
    """How a release is rolled back or uninstalled; `on_delete` is that of `Deploying`."""

    force: bool = False
    hooks: bool = True
    description: str = ""
    history: int = 10
    timeout: timedelta = _TIMEOUT
    on_delete: Guard | None = None


class Helm(Protocol):
    """Renders charts and deploys releases. A cancelled call leaves no process behind.

    Raises:
        RenderError: from `render` and `deploy`: the chart does not render with these values.
        HelmError: from every method; the message is Helm's error output.
        ToolError: there is no `helm` program.
    """

    @property
    def client(self) -> Client:
        """The cluster that releases are deployed to."""

    @property
    def turns(self) -> Turns:
        """The limits on releases that are changed or removed at a time, for all that use this; here none."""
        return Turns()

    def acting_as(self, user: Impersonation) -> Helm:
        """The same Helm that acts as another user: templates, hooks, objects and records.

        The operator needs the right to `impersonate` that user.
        """

    async def render(
        self, blueprint: Blueprint, *, is_upgrade: bool, lookup: bool = False, hooks: bool = False
    ) -> Sequence[Json]:
        """The objects that a blueprint stands for, and if so wanted its `hooks`; nothing is changed.

        `lookup` lets templates look at objects of the cluster, which they otherwise find empty.
        """

    async def deploy(self, blueprint: Blueprint, how: Deploying) -> Revision:
        """Install a release, or upgrade it where there is one; returns its new revision.

        It does not wait for anything to become ready, except for hooks.
        """

    async def rollback(self, release: Key, revision: int, how: Retreat) -> None:
        """Deploy an old revision again, as a new one."""

    async def uninstall(self, release: Key, how: Retreat) -> bool:
        """Remove a release with its objects and its records; return whether there was one."""
