"""The environment variables of a container."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.names import config_key, dns_label, dns_subdomain, environment_name
from windlass.apiserver.validation.pod_reference import (
    VARIABLE_FIELDS,
    validate_field_reference,
    validate_resource_reference,
)
from windlass.apiserver.validation.volume_path import validate_no_backsteps
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    Fields = Mapping[str, Any]

_ONE_OF: Final = "`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"


def validate_variables(variables: Sequence[Fields], path: Path) -> Iterator[Fault]:
    """Variables one by one; that two may have one name is intended."""
    for index, variable in enumerate(variables):
        name = variable.get("name", "")
        if not name:
            yield Fault.required(path.index(index).child("name"))
        else:
            for problem in environment_name(name):
                yield Fault.invalid(path.index(index).child("name"), name, problem)
        if "valueFrom" in variable:
            yield from _validate_source(variable, path.index(index).child("valueFrom"))


def validate_imports(imports: Sequence[Fields], path: Path) -> Iterator[Fault]:
    """Whole ConfigMaps and Secrets that become variables; some faults stand at the list, not at its item."""
    for index, item in enumerate(imports):
        where = path.index(index)
        prefix = item.get("prefix", "")
        for problem in environment_name(prefix) if prefix else ():
            yield Fault.invalid(where.child("prefix"), prefix, problem)
        sources = [source for source in ("configMapRef", "secretRef") if source in item]
        for source in sources:
            yield from _validate_imported(item[source].get("name", ""), where.child(source, "name"))
        if not sources:
            yield Fault.invalid(path, "", "must specify one of: `configMapRef` or `secretRef`")
        elif len(sources) > 1:
            yield Fault.invalid(path, "", "may not have more than one field specified at a time")


def _validate_imported(name: str, path: Path) -> Iterator[Fault]:
    if not name:
        yield Fault.required(path)
        return
    masked = f"{name[:-2]}a" if len(name) > 1 and name.endswith("-") else name
    for problem in dns_subdomain(masked):
        yield Fault.invalid(path, name, problem)


def _validate_source(variable: Fields, path: Path) -> Iterator[Fault]:
    source = variable["valueFrom"]
    count = 0
    for name, check in _SOURCES.items():
        if name in source:
            count += 1
            yield from check(source[name], path.child(name))
    if not count:
        yield Fault.invalid(path, "", f"must specify one of: {_ONE_OF}")
    elif variable.get("value"):
        yield Fault.invalid(path, "", "may not be specified when `value` is not empty")
    elif count > 1:
        yield Fault.invalid(path, "", "may not have more than one field specified at a time")


def _validate_field(source: Fields, path: Path) -> Iterator[Fault]:
    return validate_field_reference(source, path, VARIABLE_FIELDS)


def _validate_resource(source: Fields, path: Path) -> Iterator[Fault]:
    return validate_resource_reference(source, path, needs_container=False)


def _validate_key(source: Fields, path: Path) -> Iterator[Fault]:
    name, key = source.get("name", ""), source.get("key", "")
    for problem in dns_subdomain(name):
        yield Fault.invalid(path.child("name"), name, problem)
    if not key:
        yield Fault.required(path.child("key"))
        return
    for problem in config_key(key):
        yield Fault.invalid(path.child("key"), key, problem)


def _validate_file_key(source: Fields, path: Path) -> Iterator[Fault]:
    for name, rule in (("key", environment_name), ("volumeName", dns_label)):
        value = source.get(name, "")
        if not value:
            yield Fault.required(path.child(name))
        for problem in rule(value) if value else ():
            yield Fault.invalid(path.child(name), value, problem)
    if not source.get("path"):
        yield Fault.required(path.child("path"))
    else:
        yield from validate_no_backsteps(source["path"], path.child("path"))


_SOURCES: Final[dict[str, Callable[[Fields, Path], Iterator[Fault]]]] = {
    "fieldRef": _validate_field,
    "resourceFieldRef": _validate_resource,
    "configMapKeyRef": _validate_key,
    "secretKeyRef": _validate_key,
    "fileKeyRef": _validate_file_key,
}
