"""What a node knows of a pod that it runs: frozen data, from which its status follows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


class Waiting(NamedTuple):
    """Why a container does not run yet, or not at present."""

    reason: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class Ended:
    """How one run of a container ended."""

    id: str
    started: datetime
    finished: datetime
    code: int
    reason: str
    message: str = ""
    signal: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerLife:
    """One container: it waits, runs since `started`, or has `ended`; and what was before.

    `id` names the run, of `image`; a container has as many as it was started times. `until` is the moment
    before which it is not started, `fails` how often it ended or could not be pulled in a row. `stopping` is
    when it was asked to end, and `doomed` when it is killed if it does not.
    """

    waiting: Waiting | None = None
    image: str = ""
    id: str = ""
    started: datetime | None = None
    ended: Ended | None = None
    last: Ended | None = None
    restarts: int = 0
    fails: int = 0
    pull_fails: int = 0
    until: datetime | None = None
    passed: bool = False
    """Whether its startup probe has succeeded."""
    ready: bool = False
    stopping: datetime | None = None
    doomed: datetime | None = None

    @property
    def is_running(self) -> bool:
        """Whether it runs."""
        return self.started is not None and self.ended is None

    @property
    def has_succeeded(self) -> bool:
        """Whether it has ended well."""
        return self.ended is not None and self.ended.code == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PodLife:
    """A pod on its node, since `began`.

    `failure` is why the node gave it up, a reason and a message. `has_sandbox` tells that it has its address.
    """

    uid: str
    began: datetime
    address: str = ""
    containers: Mapping[str, ContainerLife] = field(default_factory=dict)
    has_sandbox: bool = False
    failure: Waiting | None = None

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing of it runs."""
        return not any(each.is_running for each in self.containers.values())
