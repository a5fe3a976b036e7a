"""Which nodes a pod wants or needs, and which other pods beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.label import validate_selector
from windlass.apiserver.validation.names import dns_label, dns_subdomain, label_key, label_value
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from windlass.apiserver.validation.pod_options import PodOptions

    Fields = Mapping[str, Any]

REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"

_HEAVIEST: Final = 100


def validate_affinity(affinity: Fields, path: Path, options: PodOptions) -> Iterator[Fault]:
    """All three kinds of affinity."""
    if "nodeAffinity" in affinity:
        yield from _validate_node_affinity(affinity["nodeAffinity"], path.child("nodeAffinity"), options)
    for name in ("podAffinity", "podAntiAffinity"):
        if name in affinity:
            any_values = options.any_selector_values
            yield from _validate_pod_affinity(affinity[name], path.child(name), any_values=any_values)


def validate_node_selector(selector: Fields, path: Path, *, any_values: bool = False) -> Iterator[Fault]:
    """Terms of which a node must meet one; also a persistent volume has them."""
    terms = selector.get("nodeSelectorTerms") or ()
    if not terms:
        yield Fault.required(path.child("nodeSelectorTerms"), "must have at least one node selector term")
    for index, term in enumerate(terms):
        where = path.child("nodeSelectorTerms").index(index)
        yield from _validate_node_term(term, where, any_values=any_values)


def validate_label_keys(term: Fields, path: Path) -> Iterator[Fault]:
    """Labels of the new pod that a term looks for in others; its selector already has them merged in."""
    selector = term.get("labelSelector")
    wanted, unwanted = term.get("matchLabelKeys", ()), term.get("mismatchLabelKeys", ())
    for name, keys in (("matchLabelKeys", wanted), ("mismatchLabelKeys", unwanted)):
        if keys and selector is None:
            detail = "must not be specified when labelSelector is not set"
            yield Fault.forbidden(path.child(name), detail)
            continue
        for index, key in enumerate(keys):
            for problem in label_key(key):
                yield Fault.invalid(path.child(name).index(index), key, problem)
    if wanted and selector is not None:
        yield from _validate_repeated_keys(wanted, selector, path)
    for index, key in enumerate(wanted):
        if key in unwanted:
            detail = "exists in both matchLabelKeys and mismatchLabelKeys"
            yield Fault.invalid(path.child("matchLabelKeys").index(index), key, detail)


def _validate_repeated_keys(wanted: Sequence[str], selector: Fields, path: Path) -> Iterator[Fault]:
    positions = {key: index for index, key in enumerate(wanted)}
    seen = set(selector.get("matchLabels") or {})
    for expression in selector.get("matchExpressions", ()):
        key = expression.get("key", "")
        if key in positions and key in seen:
            detail = "exists in both matchLabelKeys and labelSelector"
            yield Fault.invalid(path.index(positions[key]), key, detail)
        seen.add(key)


def _validate_node_affinity(affinity: Fields, path: Path, options: PodOptions) -> Iterator[Fault]:
    if REQUIRED in affinity:
        any_values = options.any_node_values
        yield from validate_node_selector(affinity[REQUIRED], path.child(REQUIRED), any_values=any_values)
    for index, term in enumerate(affinity.get(PREFERRED, ())):
        where = path.child(PREFERRED).index(index)
        yield from _validate_weight(term, where)
        # what is only preferred may ask for values that no label can have
        yield from _validate_node_term(term.get("preference", {}), where.child("preference"), any_values=True)


def _validate_pod_affinity(affinity: Fields, path: Path, *, any_values: bool) -> Iterator[Fault]:
    for index, term in enumerate(affinity.get(REQUIRED, ())):
        yield from _validate_pod_term(term, path.child(REQUIRED).index(index), any_values=any_values)
    for index, weighted in enumerate(affinity.get(PREFERRED, ())):
        where = path.child(PREFERRED).index(index)
        yield from _validate_weight(weighted, where)
        term = weighted.get("podAffinityTerm", {})
        yield from _validate_pod_term(term, where.child("podAffinityTerm"), any_values=any_values)


def _validate_weight(term: Fields, path: Path) -> Iterator[Fault]:
    weight = term.get("weight", 0)
    if not 1 <= weight <= _HEAVIEST:
        yield Fault.invalid(path.child("weight"), weight, "must be in the range 1-100")


def _validate_pod_term(term: Fields, path: Path, *, any_values: bool) -> Iterator[Fault]:
    for name in ("labelSelector", "namespaceSelector"):
        yield from validate_selector(term.get(name), path.child(name), any_values=any_values)
    for namespace in term.get("namespaces", ()):
        for problem in dns_label(namespace):
            yield Fault.invalid(path.child("namespace"), namespace, problem)
    yield from validate_label_keys(term, path)
    key = term.get("topologyKey", "")
    if not key:
        yield Fault.required(path.child("topologyKey"), "can not be empty")
    for problem in label_key(key):
        yield Fault.invalid(path.child("topologyKey"), key, problem)


def _validate_node_term(term: Fields, path: Path, *, any_values: bool) -> Iterator[Fault]:
    for index, requirement in enumerate(term.get("matchExpressions", ())):
        where = path.child("matchExpressions").index(index)
        yield from _validate_node_label(requirement, where, any_values=any_values)
    for index, requirement in enumerate(term.get("matchFields", ())):
        yield from _validate_node_field(requirement, path.child("matchFields").index(index))


def _validate_node_label(requirement: Fields, path: Path, *, any_values: bool) -> Iterator[Fault]:
    operator, values = requirement.get("operator", ""), requirement.get("values", ())
    yield from _validate_operator(operator, values, path)
    for problem in label_key(requirement.get("key", "")):
        yield Fault.invalid(path.child("key"), requirement.get("key", ""), problem)
    for index, value in enumerate(() if any_values else values):
        for problem in label_value(value):
            yield Fault.invalid(path.child("values").index(index), value, problem)


def _validate_operator(operator: str, values: Sequence[str], path: Path) -> Iterator[Fault]:
    match operator:
        case "In" | "NotIn":
            if not values:
                detail = "must be specified when `operator` is 'In' or 'NotIn'"
                yield Fault.required(path.child("values"), detail)
        case "Exists" | "DoesNotExist":
            if values:
                detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
                yield Fault.forbidden(path.child("values"), detail)
        case "Gt" | "Lt":
            if len(values) != 1:
                detail = "must be specified single value when `operator` is 'Lt' or 'Gt'"
                yield Fault.required(path.child("values"), detail)
        case _:
            yield Fault.invalid(path.child("operator"), operator, "not a valid selector operator")


def _validate_node_field(requirement: Fields, path: Path) -> Iterator[Fault]:
    operator, values = requirement.get("operator", ""), requirement.get("values", ())
    if operator not in ("In", "NotIn"):
        yield Fault.invalid(path.child("operator"), operator, "not a valid selector operator")
    elif len(values) != 1:
        detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
        yield Fault.required(path.child("values"), detail)
    key = requirement.get("key", "")
    if key != "metadata.name":
        yield Fault.invalid(path.child("key"), key, "not a valid field selector key")
        return
    for index, value in enumerate(values):
        for problem in dns_subdomain(value):
            yield Fault.invalid(path.child("values").index(index), value, problem)
