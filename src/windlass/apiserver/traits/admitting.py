from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from windlass.apiserver.world import World

Object = dict[str, Any]


class Admitting:
    """What the admission that is built into the server has to say of a kind."""

    def admit(self, obj: Object, old: Object | None, world: World) -> None:
        """What the server's own admission adds to a new object, or to a change."""

    def permit(self, obj: Object, old: Object | None, world: World) -> None:
        """Refuse what the server's own admission does not allow of an object that is valid.

        Raises:
            Refusal: 403.
        """

    def admit_part(self, part: str, obj: Object, old: Object | None, world: World) -> None:
        """What the server's own admission adds to a write to a subresource."""

    def permit_part(self, part: str, obj: Object, old: Object | None, world: World) -> None:
        """Refuse what the server's own admission does not allow of a valid write to a subresource.

        Raises:
            Refusal: 403.
        """
