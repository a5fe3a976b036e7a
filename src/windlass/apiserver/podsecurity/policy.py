"""What a namespace demands of its pods, by its labels."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Mapping

_LABELS: Final = "pod-security.kubernetes.io/"
_LEVELS: Final = ("privileged", "baseline", "restricted")
_VERSION: Final = re.compile(r"v1\.([0-9]|[1-9][0-9]*)")
_PATH: Final = Path("metadata").child("labels")


class Standard(NamedTuple):
    """A standard in a version, of which `None` is the latest."""

    level: str = "privileged"
    minor: int | None = None

    def __str__(self) -> str:
        return f"{self.level}:{'latest' if self.minor is None else f'v1.{self.minor}'}"

    @property
    def strictness(self) -> int:
        """The larger, the less is allowed."""
        return _LEVELS.index(self.level)


class Policy(NamedTuple):
    """What is refused, of what a client is warned, and what is noted in the audit trail."""

    enforce: Standard = Standard()
    warn: Standard = Standard()
    audit: Standard = Standard()


def policy_of(labels: Mapping[str, str]) -> tuple[Policy, list[Fault]]:
    """The policy of a namespace, and what is wrong with its labels.

    What cannot be read is refused as strictly as can be, and neither warned of nor noted. Whoever enforces
    something and says nothing of warnings is also warned by it: of pods that a workload would try to create.
    """
    faults: list[Fault] = []
    enforce = _standard(labels, "enforce", "restricted", faults)
    audit = _standard(labels, "audit", "privileged", faults)
    warn = _standard(labels, "warn", "privileged", faults)
    if f"{_LABELS}warn" not in labels and labels.get(f"{_LABELS}enforce") in _LEVELS:
        minor = warn.minor if f"{_LABELS}warn-version" in labels else enforce.minor
        warn = Standard(enforce.level, minor) if enforce.strictness else warn
    return Policy(enforce, warn, audit), faults


def _standard(labels: Mapping[str, str], mode: str, otherwise: str, faults: list[Fault]) -> Standard:
    level = labels.get(f"{_LABELS}{mode}", "privileged")
    version = labels.get(f"{_LABELS}{mode}-version", "latest")
    if level not in _LEVELS:
        faults.append(_fault(mode, level, f"must be one of {', '.join(_LEVELS)}"))
        level = otherwise
    found = _VERSION.fullmatch(version)
    if version != "latest" and not found:
        faults.append(_fault(f"{mode}-version", version, 'must be "latest" or "v1.x"'))
    return Standard(level, int(found[1]) if found else None)


def _fault(label: str, value: str, detail: str) -> Fault:
    return Fault.invalid(_PATH.key(_LABELS + label), value, detail)
