from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote

from windlass.apiserver.refusal import Refusal
from windlass.schema import quoted

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Call, User
    from windlass.apiserver.route import Route

# Errors must not look like HTML.
_HARMLESS: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


class Attempt(NamedTuple):
    """What somebody wants to do: a verb on a resource, or on a path that is none."""

    verb: str
    group: str = ""
    resource: str = ""
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    path: str | None = None

    @property
    def target(self) -> str:
        """The resource as rules name it, with its subresource."""
        return f"{self.resource}/{self.subresource}" if self.subresource else self.resource


def attempt_of(call: Call, route: Route | None) -> Attempt:
    """What a request attempts."""
    if route is None:
        return Attempt(verb=call.method.lower(), path=unquote(call.path))
    return Attempt(
        verb=route.verb,
        group=route.group,
        resource=route.plural,
        subresource=route.subresource,
        namespace=route.namespace,
        name=route.name or _selected(call, route),
    )


def denied(user: User, attempt: Attempt, reason: str = "") -> Refusal:
    """403 in the words of the real server."""
    said = f"User {quoted(user.name)} cannot {attempt.verb} "
    if attempt.path is not None:
        said += f"path {quoted(attempt.path)}"
    else:
        space = attempt.namespace
        where = f"in the namespace {quoted(space)}" if space else "at the cluster scope"
        said += f"resource {quoted(attempt.target)} in API group {quoted(attempt.group)} {where}"
    why = said.translate(_HARMLESS) + (f": {reason}" if reason else "")
    if attempt.path is not None:
        return Refusal(403, f"forbidden: {why}", details={})
    return Refusal.forbidden(attempt.group, attempt.resource, attempt.name, why)


def _selected(call: Call, route: Route) -> str:
    """The only name that a list or watch can show, by its field selector: rules may allow it by that name."""
    if not call.query.text("fieldSelector") or route.verb not in ("list", "watch"):
        return ""
    from windlass.apiserver.validation.names import path_segment
    from windlass.apiserver.verb.select import selectors

    try:
        _, terms = selectors(call.query)
    except Refusal:
        return ""  # whoever may list is told what is wrong with the selectors
    names = [value for label, equal, value in terms if label == "metadata.name" and equal]
    return names[0] if names and not path_segment(names[0]) else ""
