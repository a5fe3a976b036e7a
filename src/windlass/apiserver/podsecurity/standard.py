"""Which rules a standard is made of, in which version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from windlass.apiserver.podsecurity import baseline, restricted
from windlass.apiserver.podsecurity.subject import Subject, Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.apiserver.podsecurity.policy import Standard

_NEWEST: Final = 35
"""The version of the newest rule; later ones are the same."""
_NEVER: Final = _NEWEST + 1


class _Rule(NamedTuple):
    """A rule, the version that brought it, and the one from which on a stricter rule takes its place."""

    check: Callable[[Subject], Violation | None]
    since: int = 0
    replaced: int = _NEVER


_BASELINE: Final = (
    _Rule(baseline.app_armor),
    _Rule(baseline.capabilities, replaced=22),
    _Rule(baseline.host_namespaces),
    _Rule(baseline.host_paths, replaced=0),
    _Rule(baseline.host_ports),
    _Rule(baseline.host_probes, since=34),
    _Rule(baseline.privileged),
    _Rule(baseline.proc_mount, replaced=35),
    _Rule(baseline.selinux),
    _Rule(baseline.seccomp, replaced=19),
    _Rule(baseline.sysctls),
    _Rule(baseline.windows_host_process),
)
_RESTRICTED: Final = (
    _Rule(restricted.escalation, since=8),
    _Rule(restricted.capabilities, since=22),
    _Rule(baseline.any_proc_mount, since=35),
    _Rule(restricted.volumes),
    _Rule(restricted.non_root),
    _Rule(restricted.user, since=23),
    _Rule(restricted.seccomp, since=19),
)
"""In the order in which violations are told."""


def violations(standard: Standard, metadata: Mapping[str, Any], spec: Mapping[str, Any]) -> list[Violation]:
    """What a pod, or the template of one, does that a standard does not allow."""
    if not standard.strictness:
        return []
    minor = _NEWEST if standard.minor is None else min(standard.minor, _NEWEST)
    rules: tuple[_Rule, ...] = _BASELINE
    if standard.level == "restricted":
        rules = (*(rule for rule in _BASELINE if minor < rule.replaced), *_RESTRICTED)
    pod = Subject(metadata, spec, minor)
    found = (rule.check(pod) for rule in rules if rule.since <= minor)
    return [violation for violation in found if violation is not None]
