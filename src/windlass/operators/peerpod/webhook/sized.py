from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from windlass.kinds.core.v1 import ResourceRequirements
from windlass.operators.peerpod.webhook.record import NOTE, Taken, UnsizableError
from windlass.operators.peerpod.webhook.size import ANNOTATIONS, MACHINE_TYPE, size_of
from windlass.operators.peerpod.webhook.taking import all_containers, asked_of, names_of, take

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.kinds.core.v1 import Pod, PodSpec
    from windlass.operators.peerpod.webhook.settings import SizingSettings


class Sizing(NamedTuple):
    """What became of a pod, and what its author should know."""

    pod: Pod
    warnings: tuple[str, ...] = ()


def sized(pod: Pod, settings: SizingSettings) -> Sizing:
    """The pod, with the size of its machine in annotations and one machine to be counted; others as they are.

    Doing it twice is doing it once, also when somebody has changed the pod in between. The pod that was given
    is left alone.

    Raises:
        UnsizableError: no machine can be made for it.
    """
    if (pod.spec.runtime_class_name or "") not in settings.runtime_classes:
        return Sizing(pod)
    if not pod.spec.containers:
        raise UnsizableError("the pod has no containers")
    pod = pod.model_copy(deep=True)
    before = Taken.of(pod)
    taken = take(pod.spec, before, settings)
    wanted = size_of(asked_of(pod.spec, taken), settings)
    taken.annotations = _annotate(pod, before, wanted)
    _count_one(pod.spec, settings.vm_resource)
    note = taken.text()
    if note == before.text():
        return Sizing(pod)
    pod.metadata.annotations[NOTE] = note
    return Sizing(pod, tuple(_warnings(pod, taken, wanted)))


def _annotate(pod: Pod, before: Taken, wanted: Mapping[str, str]) -> dict[str, str]:
    """Write what is wanted where the author wrote nothing; returns what is ours.

    A size that the author wrote goes before our type of machine, which would make it void.
    """
    annotations = pod.metadata.annotations
    authors = {
        name
        for name in ANNOTATIONS
        if name in annotations and annotations[name] != before.annotations.get(name)
    }
    ours = {name: value for name, value in wanted.items() if name not in authors}
    if authors:
        ours.pop(MACHINE_TYPE, None)
    annotations.update(ours)
    return ours


def _count_one(spec: PodSpec, resource: str) -> None:
    """Let the first container that asks for a machine, or else the first one, ask for one, and no other."""
    asking = [each for each in spec.containers if resource in names_of(each.resources)]
    holder = (asking or spec.containers)[0]
    for each in all_containers(spec):
        wire = each.resources.to_wire() if each.resources else {}
        for field in ("limits", "requests"):
            amounts = {name: amount for name, amount in wire.pop(field, {}).items() if name != resource}
            if each is holder:
                amounts[resource] = "1"
            if amounts:
                wire[field] = amounts
        if each is holder or resource in names_of(each.resources):
            each.resources = ResourceRequirements.from_wire(wire) if wire else None


def _warnings(pod: Pod, taken: Taken, wanted: Mapping[str, str]) -> Iterator[str]:
    """What the author may not expect."""
    names = sorted({name for each in (*taken.containers.values(), taken.whole) for name in names_of(each)})
    if names:
        size = ", ".join(f"{_short(name)}={value}" for name, value in taken.annotations.items())
        yield f"{', '.join(names)}: asked of the pod's machine ({size or 'as annotated'}), not of its node"
    for name, value in wanted.items():
        written = pod.metadata.annotations.get(name)
        if written not in (None, value):
            yield f"{_short(name)}={written} was there and stays, in the place of {value}"


def _short(annotation: str) -> str:
    """Its last part: an API server cuts long warnings off."""
    return annotation.rpartition(".")[2]
