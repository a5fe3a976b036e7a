from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.kinds.apps.v1 import DeploymentCondition

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

AVAILABLE: Final = "Available"
PROGRESSING: Final = "Progressing"
REPLICA_FAILURE: Final = "ReplicaFailure"


class Conditions:
    """The conditions of a Deployment, one for each type; one that changes goes to the end.

    What has the status and the reason that it had keeps its words and times.
    """

    def __init__(self, given: Iterable[DeploymentCondition], now: datetime) -> None:
        self._given = list(given)
        self.now = now

    @property
    def all(self) -> list[DeploymentCondition]:
        """Every one."""
        return self._given

    def find(self, type_: str) -> DeploymentCondition | None:
        """The condition of a type."""
        return next((each for each in self._given if each.type == type_), None)

    def set(self, type_: str, status: str, reason: str, message: str) -> None:
        """Say something, unless it has been said."""
        self.put(self._made(type_, status, reason, message))

    def renew(self, type_: str, status: str, reason: str, message: str) -> None:
        """Say something as of now, also if it has been said before."""
        made = self._made(type_, status, reason, message)
        old = self.find(type_)
        self._replace(made, old)

    def put(self, made: DeploymentCondition) -> None:
        """Say what somebody else says, unless it has been said."""
        old = self.find(made.type)
        if old is None or (old.status, old.reason) != (made.status, made.reason):
            self._replace(made, old)

    def remove(self, type_: str) -> None:
        """Say no more about this."""
        self._given = [each for each in self._given if each.type != type_]

    def _replace(self, made: DeploymentCondition, old: DeploymentCondition | None) -> None:
        if old is not None and old.status == made.status:
            made.last_transition_time = old.last_transition_time
        self.remove(made.type)
        self._given.append(made)

    def _made(self, type_: str, status: str, reason: str, message: str) -> DeploymentCondition:
        return DeploymentCondition(
            type=type_,
            status=status,
            reason=reason,
            message=message,
            last_transition_time=self.now,
            last_update_time=self.now,
        )
