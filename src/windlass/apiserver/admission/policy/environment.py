"""What expressions about a request may speak of, and of which type it is."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from windlass.schema.cel import BOOL, DYN, INT, STRING, TIMESTAMP, Environment, list_of, map_of, object_type
from windlass.schema.cel.library import (
    AUTHORIZER,
    JSON_PATCH,
    JSON_PATCH_OBJECTS,
    KUBERNETES,
    RESOURCE_CHECK,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.schema.cel import Type

VARIABLES: Final = "kubernetes.variables"
REQUEST_RESOURCE: Final = "authorizer.requestResource"

_KIND: Final = object_type("kubernetes.GroupVersionKind")
_RESOURCE: Final = object_type("kubernetes.GroupVersionResource")
_USER: Final = object_type("kubernetes.UserInfo")
_CONDITION: Final = object_type("kubernetes.NamespaceCondition")
_TEXTS: Final = list_of(STRING)
_LABELS: Final = map_of(STRING, STRING)

_OBJECTS: Final[Mapping[str, Mapping[str, Type]]] = {
    _KIND.name: {"group": STRING, "version": STRING, "kind": STRING},
    _RESOURCE.name: {"group": STRING, "version": STRING, "resource": STRING},
    _USER.name: {"username": STRING, "uid": STRING, "groups": _TEXTS, "extra": map_of(STRING, _TEXTS)},
    "kubernetes.AdmissionRequest": {
        "kind": _KIND,
        "resource": _RESOURCE,
        "subResource": STRING,
        "requestKind": _KIND,
        "requestResource": _RESOURCE,
        "requestSubResource": STRING,
        "name": STRING,
        "namespace": STRING,
        "operation": STRING,
        "userInfo": _USER,
        "dryRun": BOOL,
        "options": DYN,
    },
    "kubernetes.NamespaceSpec": {"finalizers": _TEXTS},
    _CONDITION.name: {
        "status": STRING,
        "type": STRING,
        "lastTransitionTime": TIMESTAMP,
        "message": STRING,
        "reason": STRING,
    },
    "kubernetes.NamespaceStatus": {"conditions": list_of(_CONDITION), "phase": STRING},
    "kubernetes.NamespaceMetadata": {
        "name": STRING,
        "generateName": STRING,
        "namespace": STRING,
        "labels": _LABELS,
        "annotations": _LABELS,
        "UID": STRING,
        "creationTimestamp": TIMESTAMP,
        "deletionGracePeriodSeconds": INT,
        "deletionTimestamp": TIMESTAMP,
        "generation": INT,
        "resourceVersion": STRING,
        "finalizers": _TEXTS,
    },
    "kubernetes.Namespace": {
        "metadata": object_type("kubernetes.NamespaceMetadata"),
        "spec": object_type("kubernetes.NamespaceSpec"),
        "status": object_type("kubernetes.NamespaceStatus"),
    },
}


@cache
def environment(*, params: bool, authorizer: bool, patching: bool = False) -> Environment:
    """What an expression about a request knows, with parameters and the authorizer where it may.

    With `patching`, it can make the objects by which a mutating policy says what is to change.
    """
    found = _patching() if patching else _base()
    if params:
        found = found.extended({"params": DYN})
    if authorizer:
        found = found.extended({"authorizer": AUTHORIZER, REQUEST_RESOURCE: RESOURCE_CHECK})
    return found


@cache
def _base() -> Environment:
    return _extended(Environment(libraries=KUBERNETES))


@cache
def _patching() -> Environment:
    libraries = (*KUBERNETES, JSON_PATCH)
    made = JSON_PATCH_OBJECTS
    return _extended(Environment(libraries=libraries, objects=made, constructible=made))


def _extended(known: Environment) -> Environment:
    return known.extended(
        {
            "object": DYN,
            "oldObject": DYN,
            "namespaceObject": object_type("kubernetes.Namespace"),
            "request": object_type("kubernetes.AdmissionRequest"),
        },
        _OBJECTS,
    )
