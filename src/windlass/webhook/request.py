from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast

from windlass.api import Json, Resource
from windlass.errors import UndecodableError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

R = TypeVar("R", bound=Resource)

Operation = Literal["CREATE", "UPDATE", "DELETE", "CONNECT"]


@dataclass(frozen=True, kw_only=True, slots=True)
class UserInfo:
    """Who made a request."""

    name: str = ""
    uid: str = ""
    groups: tuple[str, ...] = ()
    extra: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class AdmissionRequest(Generic[R]):
    """What somebody asks of the API server, before it is done.

    `object` is as it is to become; when it is deleted, as it was. It is the function's own, to be changed
    and returned. `old` is as it was before an update or a deletion; None where it could not be converted.
    `name` is empty where the server is yet to make one up.
    """

    uid: str
    operation: Operation
    object: R
    old: R | None = None
    name: str = ""
    namespace: str = ""
    subresource: str = ""
    user: UserInfo = field(default_factory=UserInfo)
    dry_run: bool = False
    options: Json = field(default_factory=dict)

    @classmethod
    def from_wire(cls, kind: type[R], request: Json) -> AdmissionRequest[R]:
        """Read the `request` of an AdmissionReview about an object of a kind.

        Raises:
            UndecodableError: it has no object, or one that is not of the kind.
        """
        new, old = request.get("object"), request.get("oldObject")
        concerned = new if new is not None else old
        if concerned is None:
            raise UndecodableError(f"a request to {request.get('operation')} a {kind.__kind__.name} has none")
        user: Json = request.get("userInfo") or {}
        return cls(
            uid=request.get("uid", ""),
            operation=cast("Operation", request.get("operation", "")),
            object=kind.from_wire(concerned),
            old=kind.from_wire(old) if old is not None else None,
            name=request.get("name", ""),
            namespace=request.get("namespace", ""),
            subresource=request.get("subResource", ""),
            user=_user(user),
            dry_run=bool(request.get("dryRun")),
            options=request.get("options") or {},
        )


def _user(said: Mapping[str, Any]) -> UserInfo:
    return UserInfo(
        name=said.get("username", ""),
        uid=said.get("uid", ""),
        groups=tuple(said.get("groups") or ()),
        extra=said.get("extra") or {},
    )
