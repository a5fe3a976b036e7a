"""The environment of a container: what it says, what it refers to, and where the services are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from windlass.cluster.node.downward import field, resource
from windlass.cluster.node.reference import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from windlass.cluster.node.downward import Place
    from windlass.cluster.node.reference import Known
    from windlass.kinds.core.v1 import Pod, Service
    from windlass.kinds.core.v1.pod_spec import Container, EnvVar, EnvVarSource

_REFERENCE: Final = re.compile(r"\$\$|\$\(([^)]+)\)")
_NAME: Final = re.compile(r"[-._a-zA-Z][-._a-zA-Z0-9]*")


def sources(container: Container) -> Iterator[Source]:
    """The ConfigMaps and Secrets that the environment of a container is made of."""
    for whole in container.env_from:
        if whole.config_map_ref:
            yield Source("configmap", whole.config_map_ref.name or "")
        if whole.secret_ref:
            yield Source("secret", whole.secret_ref.name or "")
    for each in container.env:
        origin = each.value_from
        if origin and origin.config_map_key_ref:
            yield Source("configmap", origin.config_map_key_ref.name or "")
        if origin and origin.secret_key_ref:
            yield Source("secret", origin.secret_key_ref.name or "")


def environment(
    pod: Pod, container: Container, place: Place, known: Known, outside: Mapping[str, str]
) -> dict[str, str]:
    """The variables of a container, on top of those that come from outside, such as the services'."""
    made: dict[str, str] = {}
    for whole in container.env_from:
        for source in (whole.config_map_ref, whole.secret_ref):
            if source is None:
                continue
            kind = "configmap" if source is whole.config_map_ref else "secret"
            content = known.get(Source(kind, source.name or "")) or {}
            made |= {
                f"{whole.prefix or ''}{key}": text(value)
                for key, value in content.items()
                if _NAME.fullmatch(key)
            }
    for each in container.env:
        value = _value(pod, container, each, place, known)
        if value is not None:
            made[each.name] = expand(value, {**outside, **made}) if each.value_from is None else value
    return {**outside, **made}


def expand(value: str, variables: Mapping[str, str]) -> str:
    """A text with `$(NAME)` replaced by its value; of an unknown name it stays, and `$$` is a dollar."""

    def replaced(found: re.Match[str]) -> str:
        if found[0] == "$$":
            return "$"
        return variables.get(found[1], found[0])

    return _REFERENCE.sub(replaced, value)


def text(value: object) -> str:
    """What a ConfigMap or a Secret has under a key, as text."""
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _value(pod: Pod, container: Container, variable: EnvVar, place: Place, known: Known) -> str | None:
    origin = variable.value_from
    if origin is None:
        return variable.value or ""
    if origin.field_ref:
        return field(pod, origin.field_ref.field_path, place)
    if origin.resource_field_ref:
        return resource(_named(pod, origin, container), origin.resource_field_ref, place)
    if origin.config_map_key_ref:
        source, key = Source("configmap", origin.config_map_key_ref.name or ""), origin.config_map_key_ref.key
    elif origin.secret_key_ref:
        source, key = Source("secret", origin.secret_key_ref.name or ""), origin.secret_key_ref.key
    else:
        return None
    content = known.get(source) or {}
    return text(content[key]) if key in content else None


def _named(pod: Pod, origin: EnvVarSource, container: Container) -> Container:
    name = origin.resource_field_ref.container_name if origin.resource_field_ref else None
    return next((each for each in pod.spec.containers if each.name == name), container)


def service_variables(services: Iterable[Service]) -> dict[str, str]:
    """Where the services of a namespace are, as every container is told."""
    made: dict[str, str] = {}
    for service in services:
        address = service.spec.cluster_ip
        if not address or address == "None" or not service.spec.ports:
            continue
        prefix = service.metadata.name.upper().replace("-", "_")
        made[f"{prefix}_SERVICE_HOST"] = address
        made[f"{prefix}_SERVICE_PORT"] = str(service.spec.ports[0].port)
        for number, port in enumerate(service.spec.ports):
            protocol = port.protocol or "TCP"
            if port.name:
                made[f"{prefix}_SERVICE_PORT_{port.name.upper().replace('-', '_')}"] = str(port.port)
            url = f"{protocol.lower()}://{address}:{port.port}"
            one = f"{prefix}_PORT_{port.port}_{protocol}"
            if number == 0:
                made[f"{prefix}_PORT"] = url
            made |= {
                one: url,
                f"{one}_PROTO": protocol.lower(),
                f"{one}_PORT": str(port.port),
                f"{one}_ADDR": address,
            }
    return made
