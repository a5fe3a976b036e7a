"""A release as it should be, and as it is."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from windlass.helm.engine import Deploying, Retreat
from windlass.helm.history import CAPABILITIES, INPUT, KIND, marked
from windlass.helm.whose import Whose

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from windlass.api import Json
    from windlass.client import Impersonation
    from windlass.errors import ReleaseError
    from windlass.helm.blueprint import Blueprint
    from windlass.helm.engine import Change
    from windlass.helm.ownership import Owner
    from windlass.helm.record import Revision
    from windlass.helm.step import Progress


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A release as it should be: what it is made of, how it is deployed, and for which object.

    `change` changes what the chart renders before it is deployed. `lookup` lets templates look at the
    cluster when they are rendered, and `anew` renders them although the blueprint is the same. `request` is
    any text; with another one, a step that failed is retried at once. `user` is impersonated for everything,
    the records of the release included; None is the operator itself. `progress` is called with a message
    when Helm takes longer than two seconds. `wakes` tells whether a change of an object of the release wakes
    its owner. `at_once` is how many releases of this kind may be changed at a time; one that has to wait
    for others is settled again after `wake` was called.
    """

    blueprint: Blueprint
    kind: str
    owner: Owner | None = None
    install: Deploying = field(default_factory=Deploying)
    upgrade: Deploying = field(default_factory=Deploying)
    retreat: Retreat = field(default_factory=lambda: Retreat(force=True))
    change: Change | None = None
    lookup: bool = False
    anew: bool = False
    request: str = ""
    user: Impersonation | None = None
    progress: Progress | None = None
    wakes: bool = True
    at_once: int = sys.maxsize
    wake: Callable[[], None] = lambda: None

    @property
    def whose(self) -> Whose:
        """Who may have the release."""
        return Whose(kind=self.kind, chart=self.blueprint.chart.name)

    @property
    def input(self) -> str:
        """What stands for all that decides whether a step fails again."""
        return f"{self.blueprint.full_digest} {self.install} {self.upgrade} {self.request}"

    def labels(self, number: int) -> Mapping[str, str]:
        """What the record of a revision says about where it comes from."""
        return {
            INPUT: marked(self.blueprint.digest, number),
            CAPABILITIES: self.blueprint.capabilities_digest,
            KIND: self.whose.label,
        }


@dataclass(frozen=True, kw_only=True)
class Removing:
    """How a release is removed, if it belongs to the owner that `whose` names.

    `user` is impersonated, as for `Wanted`. `wake` is called when a release may be removed that had to wait
    for others.
    """

    whose: Whose
    how: Retreat
    user: Impersonation | None = None
    wake: Callable[[], None] = lambda: None


@dataclass(frozen=True)
class Settlement:
    """A release that is deployed, and its objects; `fresh` tells that Helm has just deployed it.

    `unstable` are the fields that differ at each rendering of the chart. `failure` tells that this is not the
    revision that is wanted, and why: it is the last one that is in effect.
    """

    revision: Revision
    objects: Sequence[Json]
    fresh: bool = False
    unstable: Sequence[str] = ()
    failure: ReleaseError | None = None
