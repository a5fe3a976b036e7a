"""Where the configuration of a kubelet comes from: fields that nothing reads any more, yet are checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.validation.names import config_key, dns_label, dns_subdomain
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Object = Mapping[str, Any]


def validate_config_source(source: Object, path: Path) -> Iterator[Fault]:
    """The source that is asked for: a ConfigMap by its name, whatever identity it has."""
    config = source.get("configMap")
    if config is not None:
        for name in ("uid", "resourceVersion"):
            if config.get(name):
                yield Fault.forbidden(path.child("configMap", name), f"{name} must not be set in spec")
        yield from _validate_names(config, path.child("configMap"))
    yield from _validate_one(source, path)


def validate_config_status(status: Object, path: Path) -> Iterator[Fault]:
    """The sources that are in use: ConfigMaps of a certain identity."""
    for use in ("assigned", "active", "lastKnownGood"):
        source = status.get(use)
        if source is None:
            continue
        config, where = source.get("configMap"), path.child(use)
        if config is not None:
            for name in ("uid", "resourceVersion"):
                if not config.get(name):
                    yield Fault.required(where.child("configMap", name))
            yield from _validate_names(config, where.child("configMap"))
        yield from _validate_one(source, where)


def _validate_one(source: Object, path: Path) -> Iterator[Fault]:
    if source.get("configMap") is None:
        detail = "exactly one reference subfield must be non-nil"
        yield Fault.invalid(path, {"ConfigMap": None}, detail)


def _validate_names(config: Object, path: Path) -> Iterator[Fault]:
    rules = {"namespace": dns_label, "name": dns_subdomain, "kubeletConfigKey": config_key}
    for name, rule in rules.items():
        value = config.get(name, "")
        if not value:
            yield Fault.required(path.child(name))
        for problem in rule(value) if value else ():
            yield Fault.invalid(path.child(name), value, problem)
