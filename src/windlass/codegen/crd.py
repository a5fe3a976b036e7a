from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from windlass.api import Definition, Untyped
from windlass.errors import SchemaError
from windlass.schema import structural

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windlass.api import Json, Resource


_SCHEMA = re.compile(r"^spec\.(validation|versions\[\d+\]\.schema)\.openAPIV3Schema")


def definition_of(kind: type[Resource]) -> Definition:
    """What a kind says about its definition, or the defaults."""
    return kind.__definition__ or Definition()


def has_status(kind: type[Resource]) -> bool:
    """Whether a kind has the status subresource."""
    if issubclass(kind, Untyped):
        return "status" in kind.__kind__.subresources
    return definition_of(kind).status and "status" in kind.model_fields


def custom_resource_definitions(kinds: Iterable[type[Resource]]) -> list[Json]:
    """One CustomResourceDefinition for each group and kind; classes of several versions make one.

    Raises:
        SchemaError: a type has no structural schema, the versions contradict each other, or a server would
            not take what comes of it: a rule, a default that breaks it, the path of a column.
    """
    versions: dict[tuple[str, str], list[type[Resource]]] = defaultdict(list)
    for kind in kinds:
        versions[kind.__kind__.group, kind.__kind__.name].append(kind)
    made = [_definition(versions[key]) for key in sorted(versions)]
    for definition in made:
        check_definition(definition)
    return made


def crd_file(definition: Json) -> str:
    """The name of a definition's file, as kubebuilder names it: `demo.example.com_webapps.yaml`."""
    spec = definition["spec"]
    return f"{spec['group']}_{spec['names']['plural']}.yaml"


def _definition(versions: Sequence[type[Resource]]) -> Json:
    versions = sorted(versions, key=lambda kind: kind.__kind__.version)
    _check(versions)
    storage = _storage(versions)
    known = storage.__kind__
    metadata: Json = {"name": f"{known.plural}.{known.group}"}
    for key in ("labels", "annotations"):
        if stated := _agreed(versions, key):
            metadata[key] = dict(stated)
    names: Json = {"kind": known.name, "listKind": f"{known.name}List", "plural": known.plural}
    names["singular"] = _agreed(versions, "singular") or known.name.lower()
    for key, field in (("shortNames", "short_names"), ("categories", "categories")):
        if stated := _agreed(versions, field):
            names[key] = list(stated)
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": metadata,
        "spec": {
            "group": known.group,
            "names": names,
            "scope": "Namespaced" if known.namespaced else "Cluster",
            "versions": [_version(kind, storage=kind is storage) for kind in versions],
        },
    }


def _agreed(versions: Sequence[type[Resource]], field: str) -> Any:
    """What the versions say about something that they share; those that say nothing agree."""
    stated = [value for kind in versions if (value := getattr(definition_of(kind), field))]
    if any(value != stated[0] for value in stated):
        raise SchemaError(f"{versions[0].__kind__.name}: the versions disagree about {field}")
    return stated[0] if stated else None


def _version(kind: type[Resource], *, storage: bool) -> Json:
    said = definition_of(kind)
    version: Json = {"name": kind.__kind__.version, "served": said.served, "storage": storage}
    if said.deprecated:
        version["deprecated"] = True
        if isinstance(said.deprecated, str):
            version["deprecationWarning"] = said.deprecated
    version["schema"] = {"openAPIV3Schema": structural(kind)}
    subresources: Json = {"status": {}} if has_status(kind) else {}
    if said.scale:
        subresources["scale"] = {
            "specReplicasPath": said.scale.spec_path,
            "statusReplicasPath": said.scale.status_path,
            **({"labelSelectorPath": said.scale.selector_path} if said.scale.selector_path else {}),
        }
    if subresources:
        version["subresources"] = subresources
    if said.columns:
        version["additionalPrinterColumns"] = [_column(column) for column in said.columns]
    if said.selectable_fields:
        version["selectableFields"] = [{"jsonPath": path} for path in said.selectable_fields]
    return version


def check_definition(definition: Json) -> None:
    """Refuse what a server would refuse, in its words; a fault in the schema starts with the kind.

    Raises:
        SchemaError: it has all faults.
    """
    from windlass.apiserver.crd.check import definition_faults  # for who generates, not for who imports

    versions = definition["spec"]["versions"]
    stored = [version["name"] for version in versions if version["storage"]]
    faults = map(str, definition_faults(definition | {"status": {"storedVersions": stored}}, None))
    name = definition["spec"]["names"]["kind"]
    told = [_SCHEMA.sub(name, fault) if _SCHEMA.match(fault) else f"{name}: {fault}" for fault in faults]
    if told:
        raise SchemaError("\n".join(told))


def check_conversion(definition: Json) -> None:
    """Refuse a definition whose served versions differ, and that no webhook converts.

    The API server would serve what is stored under each version's name, without its fields.

    Raises:
        SchemaError: it is one; the message names the versions.
    """
    spec = definition["spec"]
    if "conversion" in spec:
        return
    served = {each["name"]: each["schema"] for each in spec["versions"] if each["served"]}
    (storage,) = (each for each in spec["versions"] if each["storage"])
    stored = _bare(storage["schema"])
    others = [name for name, schema in served.items() if _bare(schema) != stored]
    if others:
        kind, listed = spec["names"]["kind"], " and ".join(others)
        raise SchemaError(
            f"{kind}: {listed} is served without a conversion, and its schema differs from that of "
            f"{storage['name']}, which is stored. Add a Spoke for it to a Conversion, serve that by "
            "WebhookServer([…]).add_to(manager), or state Definition(served=False)"
        )


def _bare(schema: Any) -> Any:
    """A schema without its descriptions and examples."""
    if isinstance(schema, dict):
        shown = {key: value for key, value in schema.items() if not _is_note(key, value)}
        return {key: _bare(value) for key, value in shown.items()}
    return [_bare(each) for each in schema] if isinstance(schema, list) else schema


def _is_note(key: str, value: Any) -> bool:
    return key == "example" or (key == "description" and isinstance(value, str))


def _column(column: Any) -> Json:
    optional = {"description": column.description, "format": column.format, "priority": column.priority}
    said = {"name": column.name, "type": column.type, "jsonPath": column.path}
    return said | {key: value for key, value in optional.items() if value}


def _check(versions: Sequence[type[Resource]]) -> None:
    first = versions[0].__kind__
    if not first.group:
        raise SchemaError(f"{first.name} needs a group: class {first.name}(Resource, group=…, version=…)")
    for kind in versions:
        known = kind.__kind__
        if (known.plural, known.namespaced) != (first.plural, first.namespaced):
            raise SchemaError(f"{known.name}: the versions disagree about plural or scope")
    names = [kind.__kind__.version for kind in versions]
    if len(set(names)) < len(names):
        raise SchemaError(f"{first.name}: two classes claim one version ({', '.join(names)})")
    if not any(definition_of(kind).served for kind in versions):
        raise SchemaError(f"{first.name}: no version is served")


def _storage(versions: Sequence[type[Resource]]) -> type[Resource]:
    marked = [kind for kind in versions if definition_of(kind).storage]
    if len(versions) == 1:
        return versions[0]
    if len(marked) != 1:
        listed = ", ".join(kind.__kind__.version for kind in versions)
        raise SchemaError(
            f"{versions[0].__kind__.name} has the versions {listed}; mark exactly one of them with "
            f"definition=Definition(storage=True), now there are {len(marked)}"
        )
    return marked[0]
