"""Messages that OpenAPI does not define: mere metadata, and what discovery answers with.

They are written as the definitions of `windlass.apiserver.builtin` are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    Schema = Mapping[str, Any]

_META: Final = "io.k8s.apimachinery.pkg.apis.meta"
_TEXT: Final[Schema] = {"type": "string", "x-go": "string"}


def _member(name: str) -> Schema:
    return {"$ref": f"{_META}.v1.{name}", "x-go": f"v1.{name}"}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items, "x-go": f"[]{items['x-go']}"}


def _struct(name: str, *fields: tuple[str, Schema]) -> Schema:
    """The schema of a struct whose fields are numbered in their order."""
    numbered = {field: {**schema, "x-proto": number} for number, (field, schema) in enumerate(fields, 1)}
    return {"type": "object", "x-go-struct": name, "properties": numbered}


_ADDRESSES: Final = _list(_member("ServerAddressByClientCIDR"))
_METADATA: Final = _struct("PartialObjectMetadata", ("metadata", _member("ObjectMeta")))
_LIST: Final = "PartialObjectMetadataList"
_LIST_METADATA: Final = ("metadata", _member("ListMeta"))
_LIST_ITEMS: Final = ("items", _list(_member("PartialObjectMetadata")))

UNDEFINED: Final[Mapping[str, Schema]] = {
    f"{_META}.v1.PartialObjectMetadata": _METADATA,
    f"{_META}.v1.PartialObjectMetadataList": _struct(_LIST, _LIST_METADATA, _LIST_ITEMS),
    f"{_META}.v1beta1.PartialObjectMetadata": _METADATA,
    f"{_META}.v1beta1.PartialObjectMetadataList": _struct(_LIST, _LIST_ITEMS, _LIST_METADATA),
    f"{_META}.v1.APIVersions": _struct(
        "APIVersions", ("versions", _list(_TEXT)), ("serverAddressByClientCIDRs", _ADDRESSES)
    ),
    f"{_META}.v1.APIGroupList": _struct("APIGroupList", ("groups", _list(_member("APIGroup")))),
    f"{_META}.v1.APIGroup": _struct(
        "APIGroup",
        ("name", _TEXT),
        ("versions", _list(_member("GroupVersionForDiscovery"))),
        ("preferredVersion", _member("GroupVersionForDiscovery")),
        ("serverAddressByClientCIDRs", _ADDRESSES),
    ),
    f"{_META}.v1.GroupVersionForDiscovery": _struct(
        "GroupVersionForDiscovery", ("groupVersion", _TEXT), ("version", _TEXT)
    ),
    f"{_META}.v1.ServerAddressByClientCIDR": _struct(
        "ServerAddressByClientCIDR", ("clientCIDR", _TEXT), ("serverAddress", _TEXT)
    ),
}
"""The schemas by the names that their definitions would have."""
