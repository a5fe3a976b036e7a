from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, NamedTuple

from typing_extensions import override

from windlass.apiserver.admission.webhook.call import (
    CallFailed,
    HookCall,
    Verdict,
    check_dry_run,
    failure_of,
    refusal_of,
    seen_in,
    tell,
)
from windlass.apiserver.admission.webhook.condition import is_wanted
from windlass.apiserver.admission.webhook.hook import hooks_of
from windlass.apiserver.outside import Question
from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from windlass.apiserver.admission.review import Review
    from windlass.apiserver.admission.webhook.hook import Hook
    from windlass.apiserver.store import Collection
    from windlass.apiserver.world import World

_FAILED_OPEN: Final = "failed-open.validating.webhook.admission.k8s.io/"


def validate(review: Review, configurations: Collection) -> None:
    """Let the webhooks that judge objects judge one, all of them at once.

    Raises:
        Refusal: one of them refuses, or cannot be asked.
        Unanswered: they are to be asked first.
    """
    invited = list(_invited(review, configurations))
    if not invited:
        return
    call = review.operation.call
    asked = [each for each in invited if not isinstance(each, Refusal)]
    verdicts = iter(call.answers.of(_Together([each.call for each in asked])) if asked else ())
    refusals = []
    for index, each in enumerate(invited):
        if isinstance(each, Refusal):
            refusals.append(each)
            continue
        verdict = next(verdicts)
        if isinstance(verdict, CallFailed):
            if each.hook.ignores_failure:
                call.annotate(f"{_FAILED_OPEN}round_0_index_{index}", each.hook.name)
        else:
            tell(review, each.hook, verdict)
        if refusal := _refusal(each.hook, verdict):
            refusals.append(refusal)
    if refusals:
        raise refusals[0]


class _Invited(NamedTuple):
    """A webhook that wants to judge, and what it is told."""

    hook: Hook
    call: HookCall


def _invited(review: Review, configurations: Collection) -> Iterator[_Invited | Refusal]:
    """The webhooks that want to judge, with a refusal in the place of those that cannot be asked here."""
    for hook in hooks_of(configurations):
        version = hook.match.version(review)
        seen = None if version is None else seen_in(review, version, mutating=False)
        if seen is None or not is_wanted(hook, seen):
            continue
        try:
            check_dry_run(hook, review)
        except Refusal as refusal:
            yield refusal
        else:
            yield _Invited(hook, HookCall(hook, seen, mutating=False))


def _refusal(hook: Hook, verdict: Verdict | CallFailed) -> Refusal | None:
    if isinstance(verdict, CallFailed):
        return None if hook.ignores_failure else failure_of(hook, verdict)
    return None if verdict.allowed else refusal_of(hook, verdict)


class _Together(Question):
    """Several calls at once."""

    def __init__(self, calls: Sequence[HookCall]) -> None:
        self._calls = calls

    @property
    @override
    def keys(self) -> Sequence[Hashable]:
        return [key for each in self._calls for key in each.keys]

    @override
    async def ask(self, world: World) -> Sequence[Verdict | CallFailed]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(each.ask(world)) for each in self._calls]
        return [answer for task in tasks for answer in task.result()]
