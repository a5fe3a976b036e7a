"""What a user may do, as the real API server's own authorizer tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polling import until
from windlass.kinds.authorization.v1 import (
    NonResourceAttributes,
    ResourceAttributes,
    SubjectAccessReview,
    SubjectAccessReviewSpec,
)

if TYPE_CHECKING:
    from windlass.client import Client


def account(namespace: str, name: str) -> str:
    """The user name of a service account."""
    return f"system:serviceaccount:{namespace}:{name}"


async def may(client: Client, user: str, verb: str, what: str, **where: Any) -> bool:
    """Whether a user may do something to a resource (`apps/deployments`) or an address (`/metrics`).

    The core group has no name: `/pods` would be an address, so it is `pods`. `name`, `namespace` and
    `subresource` may be given.
    """
    if what.startswith("/"):
        address = NonResourceAttributes(path=what, verb=verb)
        spec = SubjectAccessReviewSpec(user=user, non_resource_attributes=address)
    else:
        group, _, resource = what.rpartition("/")
        attributes = ResourceAttributes(group=group, resource=resource, verb=verb, **where)
        spec = SubjectAccessReviewSpec(user=user, resource_attributes=attributes)
    return (await client.create(SubjectAccessReview(spec=spec))).status.allowed


async def becomes_allowed(client: Client, user: str, verb: str, what: str, **where: Any) -> None:
    """Wait until a user may do something: the authorizer learns of a role a moment after it is made."""
    await until(lambda: may(client, user, verb, what, **where), bool)
