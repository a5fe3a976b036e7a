"""What workloads share: a selector, a template that it selects, and counts of pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.label import matches, shown_labels, shown_selector, validate_selector
from windlass.apiserver.validation.meta import IMMUTABLE
from windlass.apiserver.validation.pod_template import validate_template
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Fields = Mapping[str, Any]

SPEC: Final = Path("spec")
STATUS: Final = Path("status")
MISMATCH: Final = "`selector` does not match template `labels`"


def check_selector(spec: Fields, path: Path, kind: str) -> tuple[bool, list[Fault]]:
    """Whether a required selector can be used, and what is wrong with it."""
    selector = spec.get("selector")
    if selector is None:
        return True, [Fault.required(path)]
    faults = list(validate_selector(selector, path))
    usable = not faults
    if not selector.get("matchLabels") and not selector.get("matchExpressions"):
        faults.append(Fault.invalid(path, {}, f"empty selector is invalid for {kind}"))
    return usable, faults


def validate_labels_match(spec: Fields, template: Fields, path: Path) -> Iterator[Fault]:
    """A template whose pods the workload would find again; an absent selector finds none."""
    labels = template.get("metadata", {}).get("labels")
    if not matches(spec.get("selector"), labels or {}):
        yield Fault.invalid(path.child("metadata", "labels"), shown_labels(labels), MISMATCH)


def validate_forever(template: Fields, path: Path, kind: str) -> Iterator[Fault]:
    """A template of pods that are meant to run on and on."""
    spec = template.get("spec", {})
    policy = spec.get("restartPolicy", "")
    if policy != "Always":
        yield Fault.not_supported(path.child("spec", "restartPolicy"), policy, ("Always",))
    if "activeDeadlineSeconds" in spec:
        detail = f"activeDeadlineSeconds in {kind} is not Supported"
        yield Fault.forbidden(path.child("spec", "activeDeadlineSeconds"), detail)


def validate_replicated(spec: Fields, old: Fields | None, path: Path) -> Iterator[Fault]:
    """The selector and the template of a ReplicaSet, also when a Deployment makes it."""
    usable, faults = check_selector(spec, path.child("selector"), "deployment")
    yield from faults
    if not usable:
        shown = shown_selector(spec["selector"])
        yield Fault.invalid(path.child("selector"), shown, "invalid label selector")
        return
    template, where = spec.get("template", {}), path.child("template")
    yield from validate_labels_match(spec, template, where)
    yield from validate_template(template, old.get("template", {}) if old else None, where)
    yield from validate_forever(template, where, "ReplicaSet")


def validate_same_selector(new: Fields, old: Fields, path: Path) -> Iterator[Fault]:
    """A selector that stays as it is."""
    if new.get("selector") != old.get("selector"):
        yield Fault.invalid(path.child("selector"), shown_selector(new.get("selector")), IMMUTABLE)


def validate_at_most(status: Fields, names: tuple[str, ...], whole: str) -> Iterator[Fault]:
    """Counts that cannot exceed another one, in a status."""
    limit = status.get(whole, 0)
    for name in names:
        if status.get(name, 0) > limit:
            yield Fault.invalid(
                STATUS.child(name), status.get(name, 0), f"cannot be greater than status.{whole}"
            )


def validate_collisions(new: Fields, old: Fields) -> Iterator[Fault]:
    """The count of collisions only grows."""
    now, before = new.get("collisionCount"), old.get("collisionCount")
    if before is not None and (now is None or now < before):
        yield Fault.invalid(STATUS.child("collisionCount"), now or 0, "cannot be decremented")
