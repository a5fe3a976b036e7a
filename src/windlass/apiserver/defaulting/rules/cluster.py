"""Namespaces, nodes, limits, secrets and service accounts."""

from __future__ import annotations

from typing import Any, Final

_CORE: Final = "io.k8s.api.core.v1"
_NAME_LABEL: Final = "kubernetes.io/metadata.name"


def name_label(namespace: dict[str, Any]) -> None:
    """A namespace can be selected by its name."""
    meta = namespace.setdefault("metadata", {})
    if meta.get("name"):
        meta.setdefault("labels", {})[_NAME_LABEL] = meta["name"]


def allocatable(status: dict[str, Any]) -> None:
    """A node that does not say what it has to give has all of its capacity to give."""
    if "allocatable" not in status and status.get("capacity"):
        status["allocatable"] = dict(status["capacity"])


def pod_ranges(spec: dict[str, Any]) -> None:
    """The old field has the first of the ranges; where they differ, the old one is right."""
    one, many = spec.get("podCIDR"), spec.get("podCIDRs")
    if one and (not many or many[0] != one):
        spec["podCIDRs"] = [one]
    elif many:
        spec["podCIDR"] = many[0]


def limits_of_containers(item: dict[str, Any]) -> None:
    """Of a container, the limit is at most the maximum, and the request the limit, or else the minimum."""
    if item.get("type") != "Container":
        return
    limits = {**item.get("max", {}), **item.get("default", {})}
    requests = {**item.get("min", {}), **limits, **item.get("defaultRequest", {})}
    if limits:
        item["default"] = limits
    if requests:
        item["defaultRequest"] = requests


def plain_text(secret: dict[str, Any]) -> None:
    """Text that is given as such becomes data, and is not shown again."""
    given = secret.pop("stringData", None)
    if given:
        from base64 import b64encode  # rarely needed

        data = secret.setdefault("data", {})
        for key, text in given.items():
            data[key] = b64encode(text.encode()).decode()


def bare_references(account: dict[str, Any]) -> None:
    """The secrets of a service account are of its namespace: of a reference, the name is kept."""
    if account.get("secrets"):
        account["secrets"] = [
            {"name": each["name"]} if each.get("name") else {} for each in account["secrets"]
        ]


RULES: Final = {
    f"{_CORE}.LimitRangeItem": (limits_of_containers,),
    f"{_CORE}.Namespace": (name_label,),
    f"{_CORE}.NodeSpec": (pod_ranges,),
    f"{_CORE}.NodeStatus": (allocatable,),
    f"{_CORE}.Secret": (plain_text,),
    f"{_CORE}.ServiceAccount": (bare_references,),
}
