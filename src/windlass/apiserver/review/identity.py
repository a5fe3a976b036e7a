"""Reviews of who somebody is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.access.jwt import BadToken
from windlass.apiserver.access.token import AUDIENCES
from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from windlass.apiserver.exchange import User
    from windlass.apiserver.verb.operation import Operation

Object = dict[str, Any]


def tell_user(operation: Operation, review: Object) -> Object:
    """Who asks."""
    kind = {"kind": review["kind"], "apiVersion": review["apiVersion"]}
    meta = {"creationTimestamp": operation.world.now()}
    return {**kind, "metadata": meta, "status": {"userInfo": _info(operation.call.user)}}


def review_token(operation: Operation, review: Object) -> Object:
    """Whose token it is, and for which of the audiences asked for.

    Raises:
        Refusal: 400, there is no token in it.
    """
    spec = review["spec"]
    if not spec.get("token"):
        raise Refusal.bad_request("token is required for TokenReview in authentication")
    try:
        found = operation.gate.authenticator.identify(
            f"Bearer {spec['token']}", spec.get("audiences") or AUDIENCES
        )
    except BadToken as error:
        review["status"] = {"user": {}, "error": str(error)}
        return review
    review["status"] = {
        "authenticated": True,
        "user": _info(found.user),
        "audiences": list(found.audiences),
    }
    return review


def _info(user: User) -> Object:
    info: Object = {"username": user.name}
    if user.uid:
        info["uid"] = user.uid
    if user.groups:
        info["groups"] = list(user.groups)
    if user.extra:
        info["extra"] = {key: list(user.extra[key]) for key in sorted(user.extra)}
    return info
