from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from windlass.apiserver.admission.policy.budget import Inputs
from windlass.apiserver.admission.policy.condition import Undecided, all_hold
from windlass.apiserver.admission.policy.inputs import inputs_of
from windlass.apiserver.admission.policy.invocation import Invocation, invocations, is_untouched
from windlass.apiserver.admission.policy.mutation import Failed, mutated
from windlass.apiserver.admission.policy.policy import mutating_policies_of
from windlass.apiserver.admission.reinvocation import Audience
from windlass.apiserver.admission.reread import keep, settle
from windlass.apiserver.refusal import Refusal
from windlass.schema import alike

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from windlass.apiserver.admission.policy.policy import Binding, MutatingPolicy
    from windlass.apiserver.admission.review import Review
    from windlass.errors import WindlassError

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
        work = _Turn(review, self._audience, again=turn > 0)
        for policy, invocation in chosen:
            denials += work.apply(policy, invocation)
        changed = work.finish()
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
                    denials.append(_Denial(_told(policy, each.binding, each.why), "Forbidden"))
        return chosen, denials


class _Denial(NamedTuple):
    """Why a policy does not let an object pass; `reason` is that of the whole refusal, if it comes first."""

    message: str
    reason: str


class _Turn:
    """One turn of all policies, the first or, `again`, the second.

    Policies that see an object in different versions do not see what others do to it, and what is left of it
    is what was seen last. This is what the real server does.
    """

    def __init__(self, review: Review, audience: Audience, *, again: bool) -> None:
        self._review = review
        self._audience = audience
        self._again = again
        self._seen: dict[str, Review] = {}
        self._dirty: set[str] = set()
        self._last = ""

    def apply(self, policy: MutatingPolicy, invocation: Invocation) -> Iterator[_Denial]:
        """Let a policy change an object if its conditions hold."""
        before = self._seen.setdefault(invocation.seen.version, invocation.seen)
        try:
            inputs = Inputs(inputs_of(before, invocation.params), policy.variables)
            if not all_hold(policy.conditions, inputs):
                return
        except Undecided as error:
            yield from _denied(policy, invocation, error)
            return
        key = _key(policy, invocation)
        if self._again and not self._audience.lags(key):
            return
        yield from self._change(policy, invocation)
        if not alike(before.obj, self._seen[before.version].obj):
            self._audience.outdate()
        if policy.reinvoked:
            self._audience.inform(key)

    def _change(self, policy: MutatingPolicy, invocation: Invocation) -> Iterator[_Denial]:
        """Carry out every mutation that can be."""
        version = self._last = invocation.seen.version
        for mutation in policy.mutations:
            seen = self._seen[version]
            try:
                new = mutated(mutation, policy, seen, invocation.params)
            except Failed as error:
                yield from _denied(policy, invocation, error)
                continue
            self._seen[version] = replace(seen, obj=new)
            self._dirty.add(version)

    def finish(self) -> bool:
        """Put into place what has become of the object: whether any policy was applied to it."""
        if self._last not in self._dirty:
            return False
        self._audience.outdate()
        keep(self._review, self._seen[self._last])
        settle(self._review)
        return True


def _key(policy: MutatingPolicy, invocation: Invocation) -> Hashable:
    meta = (invocation.params or {}).get("metadata") or {}
    return (policy.name, invocation.binding.name, meta.get("namespace"), meta.get("name"))


def _denied(policy: MutatingPolicy, invocation: Invocation, error: WindlassError) -> Iterator[_Denial]:
    if not policy.ignores_failure:
        yield _Denial(_told(policy, invocation.binding, str(error)), "Invalid")


def _told(policy: MutatingPolicy, binding: Binding | None, why: str) -> str:
    if binding is None:
        return f'policy "{policy.name}" denied request: {why}'
    return f"policy '{policy.name}' with binding '{binding.name}' denied request: {why}"


def _refusal(review: Review, denials: list[_Denial]) -> Refusal:
    """403: in the words of the first, and with those of all."""
    route = review.operation.route
    meta = (review.obj or {}).get("metadata") or {}
    name = review.name or meta.get("generateName") or "Unknown"
    forbidden = Refusal.forbidden(route.group, route.plural, name, "")
    details = {**(forbidden.details or {}), "causes": [{"message": each.message} for each in denials]}
    return Refusal(403, denials[0].message, denials[0].reason, details)
