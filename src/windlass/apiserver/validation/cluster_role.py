"""ClusterRole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.access import validate_access_meta, validate_rules
from windlass.apiserver.validation.label import has_odd_value, validate_selector
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Object = Mapping[str, Any]

_SELECTORS: Final = Path("aggregationRule").child("clusterRoleSelectors")


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A ClusterRole: its rules, and the roles that it aggregates."""
    yield from validate_access_meta(obj, old, namespaced=False)
    yield from validate_rules(obj.get("rules"), namespaced=False)
    if obj.get("aggregationRule") is None:
        return
    if not _selectors(obj):
        detail = "at least one clusterRoleSelector required if aggregationRule is non-nil"
        yield Fault.required(_SELECTORS, detail)
    any_values = any(has_odd_value(selector) for selector in _selectors(old or {}))
    for index, selector in enumerate(_selectors(obj)):
        path = _SELECTORS.index(index)
        yield from validate_selector(selector, path, any_values=any_values)
        if any(validate_selector(selector, path)):  # the selector is also compiled, which is less patient
            yield Fault.invalid(path, None, "invalid label selector.")


def _selectors(obj: Object) -> Sequence[Mapping[str, Any]]:
    return (obj.get("aggregationRule") or {}).get("clusterRoleSelectors") or ()
