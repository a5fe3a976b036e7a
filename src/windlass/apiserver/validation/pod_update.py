"""What may change in the spec of a pod: images, a nearer deadline, more tolerations, fewer gates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.affinity import REQUIRED
from windlass.apiserver.validation.label import shown_labels
from windlass.apiserver.validation.number import LARGEST_INT32, between
from windlass.apiserver.validation.pod_toleration import validate_added_tolerations
from windlass.apiserver.validation.same import same
from windlass.schema import Fault, Path, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Fields = Mapping[str, Any]

_DEADLINE: Final = "activeDeadlineSeconds"
_GRACE: Final = "terminationGracePeriodSeconds"
_FREE: Final = frozenset({_DEADLINE, "tolerations", "schedulingGates"})
_UPDATABLE: Final = (
    "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
    "`spec.tolerations` (only additions to existing tolerations),"
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"
)


def validate_spec_update(new: Fields, old: Fields, path: Path) -> Iterator[Fault]:
    """A new spec beside the old one; that it is valid by itself has been checked."""
    for kind in ("containers", "initContainers"):
        if len(new.get(kind) or ()) != len(old.get(kind) or ()):
            yield Fault.forbidden(path.child(kind), "pod updates may not add or remove containers")
            return
    deadline = _deadline_fault(new, old, path.child(_DEADLINE))
    if deadline is not None:
        yield deadline
        if _DEADLINE in new:
            return
    yield from validate_added_tolerations(
        new.get("tolerations", ()), old.get("tolerations", ()), path.child("tolerations")
    )
    yield from _validate_gates(new.get("schedulingGates", ()), old, path.child("schedulingGates"))
    allowed = dict(new)
    if old.get("schedulingGates"):
        yield from _validate_gated(allowed, old, path)
    yield from _validate_rest(allowed, old, path)


def _deadline_fault(new: Fields, old: Fields, path: Path) -> Fault | None:
    now, before = new.get(_DEADLINE), old.get(_DEADLINE)
    if now is None:
        detail = "must not update from a positive integer to nil value"
        return None if before is None else Fault.invalid(path, None, detail)
    for problem in between(now, 0, LARGEST_INT32):
        return Fault.invalid(path, now, problem)
    if before is not None and before < now:
        return Fault.invalid(path, now, "must be less than or equal to previous value")
    return None


def _validate_gates(gates: Sequence[Fields], old: Fields, path: Path) -> Iterator[Fault]:
    before = {gate.get("name", "") for gate in old.get("schedulingGates", ())}
    for index, gate in enumerate(gates):
        name = gate.get("name", "")
        if name not in before:
            detail = f"only deletion is allowed, but found new scheduling gate '{name}'"
            yield Fault.forbidden(path.index(index).child("name"), detail)


def _validate_gated(allowed: dict[str, Any], old: Fields, path: Path) -> Iterator[Fault]:
    """A pod that is not scheduled yet may narrow down its nodes; in `allowed` that is taken back."""
    now, before = allowed.get("nodeSelector", {}), old.get("nodeSelector", {})
    if any(now.get(key) != value for key, value in before.items()):
        detail = "only additions to spec.nodeSelector are allowed (no mutations or deletions)"
        yield Fault.invalid(path.child("nodeSelector"), shown_labels(now), detail)
    _take_back(allowed, old, "nodeSelector")
    affinity, kept = allowed.get("affinity", {}), old.get("affinity", {})
    now, before = affinity.get("nodeAffinity"), kept.get("nodeAffinity")
    if same(now, before):
        return
    yield from _validate_narrowed(now or {}, before or {}, path.child("affinity", "nodeAffinity", REQUIRED))
    others = {name: value for name, value in affinity.items() if name != "nodeAffinity"}
    allowed["affinity"] = others if before is None else others | {"nodeAffinity": before}
    if not allowed["affinity"] and "affinity" not in old:
        del allowed["affinity"]


def _validate_narrowed(new: Fields, old: Fields, path: Path) -> Iterator[Fault]:
    before = old.get(REQUIRED, {}).get("nodeSelectorTerms") or []
    now = new.get(REQUIRED, {}).get("nodeSelectorTerms") or []
    if before and len(before) != len(now):
        detail = "no additions/deletions to non-empty NodeSelectorTerms list are allowed"
        yield Fault.invalid(path.child("nodeSelectorTerms"), now or None, detail)
        return
    for index, (term, kept) in enumerate(zip(now, before, strict=False)):
        if not _only_adds(term, kept):
            detail = "only additions are allowed (no mutations or deletions)"
            yield Fault.invalid(path.child("nodeSelectorTerms").index(index), term, detail)


def _only_adds(new: Fields, old: Fields) -> bool:
    lists = [(new.get(name, []), old.get(name, [])) for name in ("matchExpressions", "matchFields")]
    if not any(before for _, before in lists):
        return not any(now for now, _ in lists)
    return all(now[: len(before)] == before for now, before in lists)


def _validate_rest(allowed: dict[str, Any], old: Fields, path: Path) -> Iterator[Fault]:
    for name in _FREE:
        _take_back(allowed, old, name)
    for kind in ("containers", "initContainers"):
        if old.get(kind):
            pairs = zip(allowed[kind], old[kind], strict=True)
            allowed[kind] = [{**new, "image": before.get("image", "")} for new, before in pairs]
    if old.get(_GRACE, 0) < 0 and allowed.get(_GRACE) == 1:
        allowed[_GRACE] = old[_GRACE]
    if not same(allowed, old):
        yield Fault.forbidden(
            path, f"pod updates may not change fields other than {_UPDATABLE}\n{_difference(allowed, old)}"
        )


def _take_back(allowed: dict[str, Any], old: Fields, name: str) -> None:
    if name in old:
        allowed[name] = old[name]
    else:
        allowed.pop(name, None)


def _difference(new: Fields, old: Fields) -> str:
    """The fields that differ, the old value after a minus, the new one after a plus."""
    lines = []
    for name in sorted(new.keys() | old.keys()):
        if not same(new.get(name), old.get(name)):
            lines += [f"-\t{name}: {shown(old[name])}"] if name in old else []
            lines += [f"+\t{name}: {shown(new[name])}"] if name in new else []
    return "".join(f"{line}\n" for line in lines)
