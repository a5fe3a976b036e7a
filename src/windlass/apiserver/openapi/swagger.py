"""The older form of the documents: everything at once, in OpenAPI v2, for clients that know no other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.openapi.schema import PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Json = dict[str, Any]

_METHODS: Final = ("get", "put", "post", "delete", "patch")
_NOT_IN_V2: Final = frozenset({"allOf", "anyOf", "default", "nullable", "not", "oneOf"})
_SIMPLE: Final[dict[str, Json]] = {
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": {"type": "string", "format": "int-or-string"},
    "io.k8s.apimachinery.pkg.api.resource.Quantity": {"type": "string"},
}
_PRESERVES: Final = "x-kubernetes-preserve-unknown-fields"


def swagger(documents: Iterable[Json]) -> Json:
    """One document in v2 of those in v3."""
    paths: Json = {}
    definitions: Json = {}
    info: Json = {}
    for document in documents:
        info = document["info"]
        paths.update({path: _path(item) for path, item in document["paths"].items()})
        for name, schema in document["components"]["schemas"].items():
            definitions[name] = _SIMPLE.get(name) or _merged(definitions.get(name), _schema(schema))
    return {
        "swagger": "2.0",
        "info": info,
        "paths": dict(sorted(paths.items())),
        "definitions": dict(sorted(definitions.items())),
    }


def _merged(known: Json | None, schema: Json) -> Json:
    """A definition that several documents have, with all kinds that it stands for."""
    served = "x-kubernetes-group-version-kind"
    if known is None or served not in schema:
        return schema
    more = [kind for kind in schema[served] if kind not in known[served]]
    return {**schema, served: [*known[served], *more]}


def _schema(schema: Mapping[str, Any]) -> Json:
    """A schema without what v2 cannot say; a reference is never wrapped there."""
    if schema.get(_PRESERVES) or schema.get("x-kubernetes-int-or-string"):
        kept = ("description", _PRESERVES, "x-kubernetes-group-version-kind", "x-kubernetes-int-or-string")
        return {key: schema[key] for key in kept if key in schema}
    found = {key: value for key, value in schema.items() if key not in _NOT_IN_V2}
    for reference in (*schema.get("allOf", ()), schema):
        if "$ref" in reference:
            found["$ref"] = _target(reference["$ref"])
            break
    if isinstance(schema.get("properties"), dict):
        found["properties"] = {name: _schema(inner) for name, inner in schema["properties"].items()}
    for name in ("items", "additionalProperties"):
        if isinstance(schema.get(name), dict):
            found[name] = _schema(schema[name])
    return found


def _path(item: Json) -> Json:
    found: Json = {method: _operation(item[method]) for method in _METHODS if method in item}
    parameters = [_parameter(each) for each in item.get("parameters", ())]
    return found | ({"parameters": parameters} if parameters else {})


def _operation(operation: Json) -> Json:
    found = {key: value for key, value in operation.items() if key not in ("parameters", "requestBody")}
    parameters = [_parameter(each) for each in operation.get("parameters", ())]
    body = operation.get("requestBody")
    if body:
        found["consumes"] = list(body["content"])
        schema = _schema(next(iter(body["content"].values()))["schema"])
        required = {"required": True} if body.get("required") else {}
        parameters.insert(0, {"name": "body", "in": "body", **required, "schema": schema})
    answers = operation["responses"]
    found["produces"] = list(answers["200"]["content"])
    found["responses"] = {code: _answer(answer) for code, answer in answers.items()}
    return found | ({"parameters": parameters} if parameters else {})


def _parameter(parameter: Json) -> Json:
    kept = {key: value for key, value in parameter.items() if key != "schema"}
    return {**kept, **parameter["schema"]}


def _answer(answer: Json) -> Json:
    content = answer.get("content")
    described = {"description": answer["description"]}
    return described | ({"schema": _schema(next(iter(content.values()))["schema"])} if content else {})


def _target(reference: str) -> str:
    return f"#/definitions/{reference.removeprefix(PREFIX)}"
