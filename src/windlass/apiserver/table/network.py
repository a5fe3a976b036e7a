"""Rows of what traffic finds its way by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.table.layout import NONE, UNSET, KindLayout, columns
from windlass.apiserver.table.text import age, labels, name, part, selector, some

if TYPE_CHECKING:
    from datetime import datetime

    Object = dict[str, Any]

_MOST: Final = 3
_DEFAULT_CLASS: Final = "ingressclass.kubernetes.io/is-default-class"


def _service(obj: Object, now: datetime) -> list[Any]:
    spec = part(obj, "spec")
    addresses = spec.get("clusterIPs") or (NONE,)
    return [
        name(obj),
        spec.get("type", ""),
        addresses[0],
        _external(obj),
        ",".join(map(_port, spec.get("ports") or ())) or NONE,
        age(obj, now),
        labels(spec.get("selector")),
    ]


def _external(service: Object) -> str:
    spec = part(service, "spec")
    given = spec.get("externalIPs") or []
    match spec.get("type"):
        case "ClusterIP" | "NodePort":
            return ",".join(given) or NONE
        case "LoadBalancer":
            balanced = _balanced(service)
            return ",".join([*([balanced] if balanced else ()), *given]) or "<pending>"
        case "ExternalName":
            return str(spec.get("externalName", ""))
    return "<unknown>"


def _balanced(obj: Object) -> str:
    """The addresses of a load balancer, or its host names."""
    found = part(obj, "status", "loadBalancer").get("ingress") or ()
    addresses = {each.get("ip") or each.get("hostname") for each in found}
    return ",".join(sorted(each for each in addresses if each))


def _port(port: Object) -> str:
    numbers = f"{port['port']}:{port['nodePort']}" if port.get("nodePort") else str(port["port"])
    return f"{numbers}/{port.get('protocol', '')}"


def _endpoints(obj: Object, now: datetime) -> list[Any]:
    found: list[str] = []
    for subset in obj.get("subsets") or ():
        addresses = [each.get("ip", "") for each in subset.get("addresses") or ()]
        ports = subset.get("ports") or ()
        found += (
            [_host_port(each, port["port"]) for port in ports for each in addresses] if ports else addresses
        )
    return [name(obj), some(found, _MOST) if obj.get("subsets") else NONE, age(obj, now)]


def _host_port(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _endpoint_slice(obj: Object, now: datetime) -> list[Any]:
    ports = [_slice_port(port) for port in obj.get("ports") or ()]
    addresses = [each for endpoint in obj.get("endpoints") or () for each in endpoint.get("addresses") or ()]
    lists = [some(each, _MOST) or UNSET for each in (ports, addresses)]
    return [name(obj), obj.get("addressType", ""), *lists, age(obj, now)]


def _slice_port(port: Object) -> str:
    if port.get("port") is not None:
        return str(port["port"])
    return "*" if port.get("name") is None else str(port["name"])


def _ingress(obj: Object, now: datetime) -> list[Any]:
    spec = part(obj, "spec")
    return [
        name(obj),
        NONE if spec.get("ingressClassName") is None else spec["ingressClassName"],
        _hosts(spec.get("rules") or []),
        _balanced(obj),
        "80, 443" if spec.get("tls") else "80",
        age(obj, now),
    ]


def _hosts(rules: list[Object]) -> str:
    """The first hosts; the number of those beyond counts rules, also those without a host."""
    hosts: list[str] = []
    more = False
    for rule in rules:
        more = more or len(hosts) == _MOST
        if rule.get("host") and not more:
            hosts.append(rule["host"])
    shown = ",".join(hosts) or "*"
    return f"{shown} + {len(rules) - _MOST} more..." if more else shown


def _ingress_class(obj: Object, now: datetime) -> list[Any]:
    spec = part(obj, "spec")
    default = part(obj, "metadata", "annotations").get(_DEFAULT_CLASS) == "true"
    shown, found = NONE, spec.get("parameters")
    if found is not None:
        group = f".{found['apiGroup']}" if found.get("apiGroup") is not None else ""
        shown = f"{found.get('kind', '')}{group}/{found.get('name', '')}"
    return [
        f"{name(obj)} (default)" if default else name(obj),
        spec.get("controller", ""),
        shown,
        age(obj, now),
    ]


def _network_policy(obj: Object, now: datetime) -> list[Any]:
    return [name(obj), selector(part(obj, "spec").get("podSelector")) or NONE, age(obj, now)]


def _service_cidr(obj: Object, now: datetime) -> list[Any]:
    return [name(obj), ",".join(part(obj, "spec").get("cidrs") or ()), age(obj, now)]


def _ip_address(obj: Object, now: datetime) -> list[Any]:
    # The real server has one cell more than columns, the age.
    parent, shown = part(obj, "spec").get("parentRef"), NONE
    if parent is not None:
        resource = ".".join(filter(None, (parent.get("resource", ""), parent.get("group", "")))).lower()
        shown = "/".join((resource, *filter(None, (parent.get("namespace"),)), parent.get("name", "")))
    return [name(obj), shown, age(obj, now)]


SERVICE: Final = KindLayout(
    columns("Name", "Type", "Cluster-IP", "External-IP", "Port(s)", "Age", "+Selector"), _service
)
ENDPOINTS: Final = KindLayout(columns("Name", "Endpoints", "Age"), _endpoints)
ENDPOINT_SLICE: Final = KindLayout(
    columns("Name", "AddressType", "Ports", "Endpoints", "Age"), _endpoint_slice
)
INGRESS: Final = KindLayout(columns("Name", "Class", "Hosts", "Address", "Ports", "Age"), _ingress)
INGRESS_CLASS: Final = KindLayout(columns("Name", "Controller", "Parameters", "Age"), _ingress_class)
NETWORK_POLICY: Final = KindLayout(columns("Name", "Pod-Selector", "Age"), _network_policy)
SERVICE_CIDR: Final = KindLayout(columns("Name", "CIDRs", "Age"), _service_cidr)
IP_ADDRESS: Final = KindLayout(columns("Name", "ParentRef"), _ip_address)
