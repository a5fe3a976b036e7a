from __future__ import annotations

from dataclasses import dataclass

from windlass.errors import WindlassError


@dataclass(frozen=True, slots=True)
class Conflict:
    """One field that an apply would change although somebody else owns it.

    `owner`: who, as a server says it: `"kubectl" with subresource "status" using apps/v1`.
    `field`: which, for example `.spec.containers[name="web"].image`.
    """

    owner: str
    field: str


class OwnershipConflict(WindlassError):
    """An apply without force would change fields of other managers.

    The message is the server's. `conflicts` stand in the order of the message: by owner, then by field.
    """

    def __init__(self, conflicts: list[Conflict]) -> None:
        self.conflicts = tuple(conflicts)
        super().__init__(_message(conflicts))

    @property
    def causes(self) -> list[dict[str, str]]:
        """The conflicts as the causes of a Status."""
        return [
            {
                "reason": "FieldManagerConflict",
                "message": f"conflict with {each.owner}",
                "field": each.field,
            }
            for each in self.conflicts
        ]


def _message(conflicts: list[Conflict]) -> str:
    if len(conflicts) == 1:
        (only,) = conflicts
        return f"Apply failed with 1 conflict: conflict with {only.owner}: {only.field}"
    by_owner: dict[str, list[str]] = {}
    for each in conflicts:
        by_owner.setdefault(each.owner, []).append(each.field)
    lines = [
        line
        for owner, fields in by_owner.items()
        for line in (f"conflicts with {owner}:", *(f"- {field}" for field in fields))
    ]
    return f"Apply failed with {len(conflicts)} conflicts: " + "\n".join(lines)
