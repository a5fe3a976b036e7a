"""When a policy is applied, and with what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.admission.policy.params import Misconfigured, param_resource, params_of
from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.apiserver.admission.policy.policy import Binding, Terms
    from windlass.apiserver.admission.review import Review

Object = dict[str, Any]

_UNTOUCHED: Final = frozenset(
    {
        *("authentication.k8s.io/selfsubjectreviews", "authentication.k8s.io/tokenreviews"),
        "authorization.k8s.io/localsubjectaccessreviews",
        "authorization.k8s.io/selfsubjectaccessreviews",
        "authorization.k8s.io/selfsubjectrulesreviews",
        "authorization.k8s.io/subjectaccessreviews",
    }
)
"""Questions about access, without the answers to which a cluster does not work."""


@dataclass(frozen=True, slots=True)
class Invocation:
    """One application of a policy: by which binding, to a request as it is seen, with which parameters."""

    binding: Binding
    seen: Review
    params: Object | None


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why a policy cannot be applied, by a binding or at all."""

    binding: Binding | None
    why: str


def is_untouched(review: Review) -> bool:
    """Whether no policy is ever asked about such a request."""
    route = review.operation.route
    return f"{route.group}/{route.plural}" in _UNTOUCHED


def invocations(policy: Terms, review: Review) -> Iterator[Invocation | Obstacle]:
    """Every application of a policy to a request, in order, and what is in the way of others."""
    try:
        version = policy.match.version(review)
        if version is None:
            return
        params = param_resource(policy, review)
        seen = review.seen_in(version)
    except (Refusal, Misconfigured) as error:
        yield Obstacle(None, f"failed to configure policy: {error}")
        return
    for binding in policy.bindings:
        try:
            if binding.match.version(review) is None:
                continue
            chosen = params_of(params, binding, review)
        except (Refusal, Misconfigured) as error:
            yield Obstacle(binding, f"failed to configure binding: {error}")
            continue
        for each in chosen:
            yield Invocation(binding, seen, each)
