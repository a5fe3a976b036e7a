"""What a namespace that is being deleted says about how far that is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from windlass.kinds.core.v1 import NamespaceCondition

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

_WELL: Final = {
    "NamespaceDeletionDiscoveryFailure": ("ResourcesDiscovered", "All resources successfully discovered"),
    "NamespaceDeletionGroupVersionParsingFailure": (
        "ParsedGroupVersions",
        "All legacy kube types successfully parsed",
    ),
    "NamespaceDeletionContentFailure": (
        "ContentDeleted",
        "All content successfully deleted, may be waiting on finalization",
    ),
    "NamespaceContentRemaining": ("ContentRemoved", "All content successfully removed"),
    "NamespaceFinalizersRemaining": ("ContentHasNoFinalizers", "All content-preserving finalizers finished"),
}
"""The conditions, in their order, with what they say when nothing is wrong."""


@dataclass(kw_only=True)
class Findings:
    """What was met while the content of a namespace was deleted.

    `unknown`: versions of groups that could not be asked about. `failures`: what went wrong. `remaining`: how
    many objects are left, by resource and group. `finalizers`: how many of them each finalizer holds. While
    it `awaits_pods`, nothing else was looked at.
    """

    unknown: Sequence[str] = ()
    failures: list[str] = field(default_factory=list)
    remaining: Counter[str] = field(default_factory=Counter)
    finalizers: Counter[str] = field(default_factory=Counter)
    awaits_pods: bool = False

    @property
    def is_clear(self) -> bool:
        """Whether nothing is left, and nothing may have been overlooked."""
        return not (self.unknown or self.failures or self.remaining or self.awaits_pods)


def conditions(
    old: Iterable[NamespaceCondition], findings: Findings, now: datetime
) -> list[NamespaceCondition]:
    """The conditions that follow; what others say stays, and the time is that of the last change."""
    known = {each.type: each for each in old}
    wrong = dict(_wrong(findings))
    for type_, well in _WELL.items():
        reason, message = wrong.get(type_, well)
        status = "True" if type_ in wrong else "False"
        before = known.get(type_)
        since = before.last_transition_time if before is not None and before.status == status else now
        known[type_] = NamespaceCondition(
            type=type_, status=status, reason=reason, message=message, last_transition_time=since
        )
    return list(known.values())


def _wrong(findings: Findings) -> Iterable[tuple[str, tuple[str, str]]]:
    if findings.unknown:
        stale = ", ".join(f"{each}: stale GroupVersion discovery: {each}" for each in findings.unknown)
        said = f"unable to retrieve the complete list of server APIs: {stale}"
        message = f"Discovery failed for some groups, {len(findings.unknown)} failing: {said}"
        yield "NamespaceDeletionDiscoveryFailure", ("DiscoveryFailed", message)
    if findings.failures:
        said = ", ".join(sorted(findings.failures))
        message = f"Failed to delete all resource types, {len(findings.failures)} remaining: {said}"
        yield "NamespaceDeletionContentFailure", ("ContentDeletionFailed", message)
    if findings.remaining:
        message = f"Some resources are remaining: {_counted(findings.remaining, 'has')}"
        yield "NamespaceContentRemaining", ("SomeResourcesRemain", message)
    if findings.finalizers:
        message = (
            f"Some content in the namespace has finalizers remaining: {_counted(findings.finalizers, 'in')}"
        )
        yield "NamespaceFinalizersRemaining", ("SomeFinalizersRemain", message)


def _counted(those: Counter[str], verb: str) -> str:
    return ", ".join(sorted(f"{name} {verb} {count} resource instances" for name, count in those.items()))
