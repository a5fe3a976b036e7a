"""Cluster roles that are made of others, as a controller of a real cluster makes them, but at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.access.rbac import GROUP
from windlass.apiserver.validation.label import matches

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.apiserver.resource import Catalog, Resource
    from windlass.apiserver.world import World

Object = dict[str, Any]

PLURAL: Final = "clusterroles"
_CONTROLLER: Final = "clusterrole-aggregation-controller"


def aggregate(world: World, catalog: Catalog) -> None:
    """Give every role that is made of others their rules. What it is made of may be made of others itself."""
    resource = catalog.find(GROUP, "v1", PLURAL)
    assert resource is not None  # noqa: S101 - every server has them
    roles = {
        record.key: resource.object(record)
        for record in resource.collection.page().records
        if record.mentions("labels") or record.mentions("aggregationRule")
    }
    made = [role for role in roles.values() if role.get("aggregationRule")]
    changed: dict[str, Object] = {}
    for _ in made:
        fresh = [
            (role, rules) for role in made if (rules := _rules(role, roles)) != (role.get("rules") or [])
        ]
        for role, rules in fresh:
            role["rules"] = rules
            changed[role["metadata"]["name"]] = role
        if not fresh:
            break
    for name, role in changed.items():
        _write(resource, name, role["rules"], world)


def _rules(role: Object, roles: Mapping[str, Object]) -> list[Object]:
    """The rules of all roles that a role is made of, each once: by selector, then by name."""
    found: list[Object] = []
    for selector in role["aggregationRule"].get("clusterRoleSelectors") or ():
        for other in roles.values():
            if other is not role and matches(selector, other["metadata"].get("labels") or {}):
                found += [rule for rule in other.get("rules") or () if rule not in found]
    return found


def _write(resource: Resource, name: str, rules: list[Object], world: World) -> None:
    """Give a role its rules, and the controller the rules: what an apply by force would come to."""
    record = resource.collection.get(name)
    assert record is not None  # noqa: S101 - it was just listed
    role = record.object()
    role["rules"] = rules
    entries = [each for each in role["metadata"].get("managedFields") or () if each["manager"] != _CONTROLLER]
    for each in entries:
        each.get("fieldsV1", {}).pop("f:rules", None)
    own = {
        "manager": _CONTROLLER,
        "operation": "Apply",
        "apiVersion": resource.kind.api_version,
        "time": world.now(),
        "fieldsType": "FieldsV1",
        "fieldsV1": {"f:rules": {}},
    }
    role["metadata"]["managedFields"] = [own, *(each for each in entries if each.get("fieldsV1"))]
    resource.collection.put(name, role, record)
