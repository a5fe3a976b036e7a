from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from windlass.api import Change, Json, Key

_MOST = 5
"""So many fields are named in a text: who changed them has to stay readable."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a reconcile runs: which object changed in which fields by whom, or which source asked.

    `event` is `added`, `modified` or `deleted` for a change, `found` for an object of the first list, `again`
    for a look that a result asked for, `retry` after a failure, or what a source says.
    """

    event: str
    kind: str = ""
    key: Key | None = None
    change: Change[Any] | None = None

    @property
    def paths(self) -> tuple[str, ...]:
        """The fields that changed, such as `.spec.replicas`."""
        return self.change.paths if self.change else ()

    @property
    def writers(self) -> tuple[str, ...]:
        """The field managers that made the change; empty where the server does not record that."""
        return self.change.writers if self.change else ()

    @property
    def old(self) -> Json | None:
        """The object before the change, as plain dictionaries; do not change it."""
        return self.change.old.data if self.change and self.change.old else None

    @property
    def new(self) -> Json | None:
        """The object after the change, as plain dictionaries; do not change it."""
        return self.change.new.data if self.change and self.change.new else None

    def __str__(self) -> str:
        """As logs and the journal tell it: `Deployment default/web modified .spec.replicas by kubectl`."""
        subject = f"{self.kind} {self.key} " if self.key else f"{self.kind} " if self.kind else ""
        more = f" and {len(self.paths) - _MOST} more" if len(self.paths) > _MOST else ""
        fields = f" {', '.join(self.paths[:_MOST])}{more}" if self.paths else ""
        writers = f" by {', '.join(self.writers)}" if self.writers else ""
        return f"{subject}{self.event}{fields}{writers}"
