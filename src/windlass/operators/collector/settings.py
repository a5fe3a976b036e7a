"""The operator's configuration file: YAML in, `CollectorOptions` out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from windlass.api import Key, Quantity, parse_duration, read_yaml
from windlass.errors import ConfigError
from windlass.helm.source import CacheLimits, SourcePolicy
from windlass.operators.collector.options import ClusterSource, CollectorOptions
from windlass.operators.collector.tenancy import SYSTEM_NAMESPACES, Tenancy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import timedelta

    Read = Callable[[Any, str], Any]


def options_from(environment: Mapping[str, str]) -> CollectorOptions:
    """Read the file that `COLLECTOR_CONFIG` names; without one, the defaults hold.

    `POD_NAMESPACE`, the operator's own namespace, is protected from Collectors.

    Raises:
        ConfigError: the file cannot be read, or has a setting that is unknown or cannot be used.
    """
    path = environment.get("COLLECTOR_CONFIG", "")
    options = read_options(Path(path)) if path else CollectorOptions()
    own = environment.get("POD_NAMESPACE", "")
    if not own:
        return options
    protected = (*SYSTEM_NAMESPACES, own)
    return replace(options, tenancy=replace(options.tenancy, protected=protected))


def read_options(path: Path) -> CollectorOptions:
    """Read a configuration file.

    Raises:
        ConfigError: it cannot be read, or has a setting that is unknown or cannot be used.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror or error}") from error
    documents = read_yaml(text, str(path))
    if len(documents) > 1:
        raise ConfigError(f"{path} has {len(documents)} documents; write one")
    try:
        return CollectorOptions(**_fields(documents[0] if documents else {}, "", _OPTIONS))
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error


def _fields(value: Any, where: str, known: Mapping[str, tuple[str, Read]]) -> dict[str, Any]:
    """The arguments that a map in the file stands for.

    Raises:
        ConfigError: it is no map, or has a key that is unknown.
    """
    found: dict[str, Any] = {}
    for key, each in _map(value, where or "the configuration").items():
        at = f"{where}.{key}" if where else str(key)
        if key not in known:
            raise ConfigError(f"{at}: there is no such setting; there are {', '.join(known)}")
        name, read = known[key]
        found[name] = read(each, at)
    return found


def _map(value: Any, where: str) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise ConfigError(f"{where}: write a map, not {value!r}")
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"{where}: write a text, not {value!r}")
    return value


def _flag(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise ConfigError(f"{where}: write true or false, not {value!r}")
    return value


def _number(value: Any, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ConfigError(f"{where}: write a number, not {value!r}")
    return value


def _texts(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ConfigError(f"{where}: write a list, not {value!r}")
    return tuple(_text(each, f"{where}[{index}]") for index, each in enumerate(value))


def _duration(value: Any, where: str) -> timedelta:
    try:
        return parse_duration(_text(value, where))
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from error


def _wait(value: Any, where: str) -> timedelta | None:
    return None if value is None else _duration(value, where)


def _bytes(value: Any, where: str) -> int:
    try:
        return int(Quantity(_text(value, where)))
    except ValueError as error:
        raise ConfigError(f"{where}: write a size such as 128Mi, not {value!r}") from error


def _secret(value: Any, where: str) -> Key:
    namespace, slash, name = _text(value, where).partition("/")
    if not namespace or not slash or not name or "/" in name:
        raise ConfigError(f"{where}: {value!r} names no Secret; write namespace/name")
    return Key(namespace, name)


def _policy(value: Any, where: str) -> SourcePolicy:
    try:
        return SourcePolicy(**_fields(value, where, _POLICY))
    except ConfigError as error:
        raise error if str(error).startswith(where) else ConfigError(f"{where}: {error}") from error


def _cache(value: Any, where: str) -> CacheLimits:
    try:
        return CacheLimits(**_fields(value, where, _CACHE))
    except ConfigError as error:
        raise error if str(error).startswith(where) else ConfigError(f"{where}: {error}") from error


def _source(value: Any, where: str) -> ClusterSource:
    return ClusterSource(**_fields(value, where, _SOURCE))


def _sources(value: Any, where: str) -> dict[str, ClusterSource]:
    return {_text(name, where): _source(each, f"{where}.{name}") for name, each in _map(value, where).items()}


def _targets(value: Any, where: str) -> dict[str, tuple[str, ...]]:
    return {_text(name, where): _texts(each, f"{where}.{name}") for name, each in _map(value, where).items()}


def _tenancy(value: Any, where: str) -> Tenancy:
    return Tenancy(**_fields(value, where, _TENANCY))


_POLICY: Final[Mapping[str, tuple[str, Read]]] = {
    "allowHttp": ("allow_http", _flag),
    "allowWithoutDigest": ("allow_without_digest", _flag),
    "allowedAddresses": ("allowed_addresses", _texts),
    "deniedAddresses": ("denied_addresses", _texts),
    "tokenHosts": ("token_hosts", _texts),
}
_CACHE: Final[Mapping[str, tuple[str, Read]]] = {
    "total": ("total", _bytes),
    "namespace": ("of_tenant", _bytes),
}
_SOURCE: Final[Mapping[str, tuple[str, Read]]] = {
    "url": ("url", _text),
    "version": ("version", _text),
    "credentials": ("credentials", _secret),
    "images": ("images", _text),
    "values": ("values", _map),
    "sources": ("sources", _policy),
}
_TENANCY: Final[Mapping[str, tuple[str, Read]]] = {
    "namespaces": ("namespaces", _targets),
    "repositories": ("repositories", _texts),
    "sources": ("sources", _policy),
    "namespaceRole": ("namespace_role", _text),
}
_OPTIONS: Final[Mapping[str, tuple[str, Read]]] = {
    "clusters": ("clusters", _sources),
    "otherwise": ("otherwise", _source),
    "charts": ("charts", lambda value, where: Path(_text(value, where))),
    "period": ("period", _duration),
    "deleteNamespaces": ("delete_namespaces", _flag),
    "wait": ("wait", _wait),
    "history": ("history", _number),
    "timeout": ("timeout", _duration),
    "selector": ("selector", _text),
    "defaultServiceAccount": ("default_service_account", _text),
    "tenancy": ("tenancy", _tenancy),
    "chartCache": ("chart_cache", _cache),
}
