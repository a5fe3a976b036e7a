"""The annotations that mean something to a pod."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.noted import noted_list
from windlass.apiserver.validation.pod_options import CONTAINER_LISTS
from windlass.apiserver.validation.pod_toleration import validate_tolerations
from windlass.apiserver.validation.security_profile import is_app_armor, validate_profile_annotations
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.apiserver.validation.pod_options import PodOptions

    Fields = Mapping[str, Any]

MIRROR: Final = "kubernetes.io/config.mirror"

_DIGITS: Final = 10
_FIELDS: Final = {**dict.fromkeys(("Key", "Operator", "Value", "Effect"), str), "TolerationSeconds": int}
_TOLERATIONS: Final = "scheduler.alpha.kubernetes.io/tolerations"
_DELETION_COST: Final = "controller.kubernetes.io/pod-deletion-cost"
_LARGEST: Final = 2**31 - 1


def validate_pod_annotations(
    annotations: Mapping[str, str], spec: Fields, path: Path, options: PodOptions
) -> Iterator[Fault]:
    """Annotations beside the spec that they speak of."""
    if MIRROR in annotations and not spec.get("nodeName"):
        detail = "must set spec.nodeName if mirror pod annotation is set"
        yield Fault.invalid(path.key(MIRROR), annotations[MIRROR], detail)
    if annotations.get(_TOLERATIONS):
        yield from _validate_tolerations(annotations[_TOLERATIONS], path)
    if not options.any_deletion_cost and not is_deletion_cost(annotations):
        yield Fault.invalid(path.key(_DELETION_COST), annotations[_DELETION_COST], "must be a 32bit integer")
    names = {each.get("name", "") for kind in CONTAINER_LISTS for each in spec.get(kind) or ()}
    yield from validate_profile_annotations(annotations, names, path)


def validate_annotation_update(new: Mapping[str, str], old: Mapping[str, str], path: Path) -> Iterator[Fault]:
    """What can neither come nor go nor change: AppArmor profiles and the mark of a mirror pod."""
    for key, value in old.items():
        if new.get(key) == value:
            continue
        if is_app_armor(key):
            yield Fault.forbidden(path.key(key), "may not remove or update AppArmor annotations")
        elif key == MIRROR:
            yield Fault.forbidden(path.key(key), "may not remove or update mirror pod annotation")
    for key in new.keys() - old.keys():
        if is_app_armor(key):
            yield Fault.forbidden(path.key(key), "may not add AppArmor annotations")
        elif key == MIRROR:
            yield Fault.forbidden(path.key(key), "may not add mirror pod annotation")


def is_deletion_cost(annotations: Mapping[str, str]) -> bool:
    """Whether the cost of deleting a pod is a 32-bit integer, or not given."""
    text = annotations.get(_DELETION_COST)
    if text is None:
        return True
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdigit() or (text.startswith("0") and text != "0"):
        return False
    return len(digits) <= _DIGITS and -_LARGEST - 1 <= int(text) <= _LARGEST


def _validate_tolerations(text: str, path: Path) -> Iterator[Fault]:
    try:
        tolerations = noted_list(text, "Toleration", _FIELDS)
    except ValueError as error:
        yield Fault.invalid(path, _TOLERATIONS, str(error))
        return
    yield from validate_tolerations(tolerations, path.child(_TOLERATIONS))
