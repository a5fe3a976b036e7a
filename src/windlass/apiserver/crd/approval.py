"""Groups of the Kubernetes community: a definition in one of them says by whom it was approved."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Literal

from windlass.apiserver.crd.condition import Condition
from windlass.schema import Fault, Path, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

Object = dict[str, Any]

_ANNOTATION: Final = "api-approved.kubernetes.io"
_PROTECTED: Final = ("k8s.io", "kubernetes.io")
_URL: Final = r"[a-zA-Z][a-zA-Z0-9+.-]*://[^/?\s]+(?:[/?](?:[^%\x00-\x1f\x7f]|%[0-9a-fA-F]{2})*)?"
_MISSING: Final = f'protected groups must have approval annotation "{_ANNOTATION}"'
_SEE: Final = "see https://github.com/kubernetes/enhancements/pull/1111"


def approval_condition(crd: Object) -> Condition | None:
    """The condition that says whether a definition was approved; `None` where nobody is asked."""
    if not _is_protected(crd):
        return None
    reason, message = _approval(crd)
    status: Literal["True", "False"] = "True" if reason == "ApprovedAnnotation" else "False"
    return Condition("KubernetesAPIApprovalPolicyConformant", status, reason, message)


def approval_faults(crd: Object, old: Object | None) -> Iterator[Fault]:
    """What is wrong with the approval; a change need not mend it."""
    if not _is_protected(crd):
        return
    reason, message = _approval(crd)
    if old is not None and _approval(old)[0] == reason:
        return
    path = Path("metadata").child("annotations").key(_ANNOTATION)
    if reason == "MissingAnnotation":
        yield Fault.required(path, message)
    elif reason == "InvalidAnnotation":
        yield Fault.invalid(path, _annotation(crd), message)


def _is_protected(crd: Object) -> bool:
    group = crd.get("spec", {}).get("group", "")
    return group in _PROTECTED or group.endswith(tuple(f".{name}" for name in _PROTECTED))


def _approval(crd: Object) -> tuple[str, str]:
    """In which way a definition is approved or not, and what is to be said of that."""
    value = _annotation(crd)
    if not value:
        return "MissingAnnotation", f"{_MISSING}, {_SEE}"
    if value.startswith("unapproved"):
        return "UnapprovedAnnotation", f"not approved: {quoted(value)}"
    if re.fullmatch(_URL, value):
        return "ApprovedAnnotation", f"approved in {value}"
    return (
        "InvalidAnnotation",
        f'{_MISSING} with either a URL or a reason starting with "unapproved", {_SEE}',
    )


def _annotation(crd: Object) -> str:
    return str((crd["metadata"].get("annotations") or {}).get(_ANNOTATION, ""))
