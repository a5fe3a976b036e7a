"""What an object of a built-in kind holds before anything is set."""

from __future__ import annotations

from ownership_samples import INTEGER, TEXT, array, obj
from windlass.schema.ownership import structure
from windlass.schema.shape import Library

KEEP = {"x-keep-zero": True}
TIME = "io.k8s.apimachinery.pkg.apis.meta.v1.Time"
QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity"


def test_structures_are_there_from_the_start_with_their_zeros() -> None:
    spec = obj(
        port={**INTEGER, **KEEP, "x-go": "int32"},
        host={**TEXT, **KEEP, "x-go": "string"},
        ready={"type": "boolean", **KEEP, "x-go": "bool"},
        list={**array(TEXT), **KEEP, "x-go": "[]string"},
        bytes={**TEXT, "format": "byte", **KEEP, "x-go": "[]byte"},
        map={"type": "object", "additionalProperties": TEXT, **KEEP, "x-go": "map[string]string"},
        pointer={"$ref": "spec", **KEEP, "x-go": "*v1.Spec"},
        time={"$ref": TIME, **KEEP, "x-go": "v1.Time"},
        size={"$ref": QUANTITY, **KEEP, "x-go": "resource.Quantity"},
        optional={**TEXT, "x-go": "string"},
    )
    library = Library(
        {
            "spec": spec,
            "status": obj(phase=TEXT),
            TIME: {"type": "string", "format": "date-time"},
            QUANTITY: {"type": "string"},
            "kind": obj(
                spec={"$ref": "spec", **KEEP, "x-go": "v1.Spec"},
                status={"$ref": "status", **KEEP, "x-go": "v1.Status"},
                data={"type": "object", "x-go": "map[string]string"},
            ),
        }
    )

    assert structure(library.shape("kind")) == {
        "spec": {
            "port": 0,
            "host": "",
            "ready": False,
            "list": None,
            "bytes": None,
            "map": None,
            "pointer": None,
            "time": None,
            "size": "0",
        },
        "status": {},
    }
