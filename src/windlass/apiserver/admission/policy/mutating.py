from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from windlass.apiserver.admission.policy.budget import Inputs
from windlass.apiserver.admission.policy.condition import Undecided, all_hold
from windlass.apiserver.admission.policy.inputs import inputs_of
from windlass.apiserver.admission.policy.invocation import Invocation, Obstacle, invocations, is_untouched
from windlass.apiserver.admission.policy.mutation import Failed, mutated
from windlass.apiserver.admission.policy.policy import mutating_policies_of
from windlass.apiserver.admission.reinvocation import Audience
from windlass.apiserver.refusal import Refusal
from windlass.schema import alike

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from windlass.apiserver.admission.policy.policy import MutatingPolicy
    from windlass.apiserver.admission.review import Review

Object = dict[str, Any]
_Chosen = list[tuple["MutatingPolicy", Invocation]]


class MutatingPolicies:
    """The policies that may change an object, in the turns that they have."""

    def __init__(self, review: Review) -> None:
        self._review = review
        self._audience = Audience(review)

    def __call__(self, turn: int) -> bool:
        """Apply the policies that are bound to the like of an object, in place: whether one of them was.

        Which of them are is decided before the first changes the object. In a later turn, only those are
        applied that were before, and want to know of later changes.

        Raises:
            Refusal: one of them cannot be applied, and must be.
        """
        review = self._review
        if review.action == "DELETE" or is_untouched(review):
            return False
        self._audience.enter()
        chosen, denials = self._chosen()
        round_ = _Round(review, self._audience, turn)
        for policy, invocation in chosen:
            denials += round_.apply(policy, invocation)
        changed = round_.finish()
        self._audience.leave()
        if denials:
            raise _refusal(review, denials)
        return changed

    def _chosen(self) -> tuple[_Chosen, list[_Denial]]:
        chosen: _Chosen = []
        denials: list[_Denial] = []
        for policy in mutating_policies_of(self._review.operation.world.store):
            for each in invocations(policy, self._review):
                if isinstance(each, Invocation):
                    chosen.append((policy, each))
                elif not policy.ignores_failure:
                    denials.append(_Denial(_obstructed(policy, each), "Forbidden"))
        return chosen, denials


class _Denial(NamedTuple):
    """Why a policy does not let an object pass; `reason` is that of the whole refusal, if it comes first."""

    message: str
    reason: str


class _Round:
    """One turn of all policies.

    Policies that see an object in different versions do not see what others do to it, and what is left of it
    is what was seen last. This is what the real server does.
    """

    def __init__(self, review: Review, audience: Audience, turn: int) -> None:
        self._review = review
        self._audience = audience
        self._turn = turn
        self._seen: dict[str, Review] = {}
        self._dirty: set[str] = set()
        self._last = ""

    def apply(self, policy: MutatingPolicy, invocation: Invocation) -> Iterator[_Denial]:
        """Let a policy change an object if its conditions hold."""
        version = invocation.seen.version
        before = self._seen.setdefault(version, invocation.seen)
        subject = f"policy '{policy.name}' with binding '{invocation.binding.name}' denied request: "
        try:
            inputs = Inputs(inputs_of(before, invocation.params), policy.variables)
            if not all_hold(policy.conditions, inputs):
                return
        except Undecided as error:
            if not policy.ignores_failure:
                yield _Denial(f"{subject}{error}", "Invalid")
            return
        key = _key(policy, invocation)
        if self._turn and not self._audience.lags(key):
            return
        self._last = version
        for mutation in policy.mutations if before.obj is not None else ():
            seen = self._seen[version]
            try:
                new = mutated(mutation, policy, seen, invocation.params)
            except Failed as error:
                if not policy.ignores_failure:
                    yield _Denial(f"{subject}{error}", "Invalid")
                continue
            self._seen[version] = replace(seen, obj=new)
            self._dirty.add(version)
        if not alike(before.obj, self._seen[version].obj):
            self._audience.outdate()
        if policy.reinvoked:
            self._audience.inform(key)

    def finish(self) -> bool:
        """Put into place what has become of the object: whether any policy was applied to it."""
        if self._last not in self._dirty:
            return False
        self._audience.outdate()
        self._review.take(self._seen[self._last])
        return True


def _key(policy: MutatingPolicy, invocation: Invocation) -> Hashable:
    meta = (invocation.params or {}).get("metadata") or {}
    return (policy.name, invocation.binding.name, meta.get("namespace"), meta.get("name"))


def _obstructed(policy: MutatingPolicy, obstacle: Obstacle) -> str:
    if obstacle.binding is None:
        return f'policy "{policy.name}" denied request: {obstacle.why}'
    return f"policy '{policy.name}' with binding '{obstacle.binding.name}' denied request: {obstacle.why}"


def _refusal(review: Review, denials: list[_Denial]) -> Refusal:
    """403: in the words of the first, and with those of all."""
    route = review.operation.route
    meta = (review.obj or {}).get("metadata") or {}
    name = review.name or meta.get("generateName") or "Unknown"
    forbidden = Refusal.forbidden(route.group, route.plural, name, "")
    details = {**(forbidden.details or {}), "causes": [{"message": each.message} for each in denials]}
    return Refusal(403, denials[0].message, denials[0].reason, details)
