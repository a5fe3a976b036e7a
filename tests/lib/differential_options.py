"""What may stand beside the body of a request: parameters, forms, and the options of a deletion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypothesis import strategies as st

from contract import JSON
from differential_step import Open

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

UID: Final = ("metadata", "uid")
MANAGERS: Final = ("one", "two", "three")

_ABSENT: Final = None
_VALIDATIONS: Final = ("Strict", "Warn", "Ignore") * 3
_TABLE: Final = "application/json;as=Table;v=v1;g=meta.k8s.io"
_PARTIAL: Final = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"
_PARTIAL_LIST: Final = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"
_LABELS: Final = (
    "app=a",
    "app!=a",
    "app in (a,b)",
    "!app",
    "app",
    "app=a,app=b",
    "x y",
    "app in ()",
    "a b=c",
    "app>1",
    "",
)
_FIELDS: Final = ("metadata.name=a", "metadata.name!=a", "metadata.namespace=x", "status.phase=Pending")
_ODD_FIELDS: Final = (
    "spec.colour=red",
    "spec.unknown=x",
    "metadata.name",
    "a=b=c",
    "type=Opaque",
    "spec.nodeName=",
    "",
)
_POLICIES: Final = ("Background", "Foreground", "Orphan", "Unknown")


def _rarely(values: tuple[Any, ...], times: int = 3) -> SearchStrategy[Any]:
    """One of the values, or more often none at all."""
    return st.sampled_from((*((_ABSENT,) * (times * len(values))), *values))


def _given(parameters: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in parameters.items() if value is not _ABSENT}


@st.composite
def write_options(draw: DrawFn, *, manager: bool = True) -> dict[str, Any]:
    """The parameters of a create, an update or a patch."""
    return _given(
        {
            "dryRun": draw(_rarely(("All", "All", "All", "Some"))),
            "fieldValidation": draw(_rarely((*_VALIDATIONS, "Other"), 1)),
            "fieldManager": draw(_rarely((*MANAGERS * 3, "x" * 129), 1)) if manager else _ABSENT,
        }
    )


@st.composite
def apply_options(draw: DrawFn) -> dict[str, Any]:
    """The parameters of an apply."""
    options: dict[str, Any] = draw(write_options(manager=False))
    options["fieldManager"] = draw(st.sampled_from(MANAGERS))
    options["force"] = draw(st.sampled_from((_ABSENT, True, False)))
    return _given(options)


def forms(*, collection: bool) -> SearchStrategy[str]:
    """What an answer may be asked to be."""
    return _rarely((_TABLE, _PARTIAL_LIST if collection else _PARTIAL), 2).map(lambda form: form or JSON)


@st.composite
def selection(draw: DrawFn) -> dict[str, Any]:
    """The parameters that choose among the objects of a collection."""
    return _given(
        {
            "labelSelector": draw(_rarely(_LABELS, 1)),
            "fieldSelector": draw(_rarely((*_FIELDS, *_ODD_FIELDS), 1)),
        }
    )


@st.composite
def list_options(draw: DrawFn, path: str, objects: list[str]) -> dict[str, Any]:
    """The parameters of a list; `objects` are paths whose versions may be asked for."""
    options: dict[str, Any] = draw(selection())
    options["limit"] = draw(_rarely((1, 2, 0, -1, "x"), 1))
    if options["limit"] and draw(st.booleans()):
        options["continue"] = draw(st.sampled_from((Open("continue", path), Open("continue", path), "x")))
    elif objects:
        options["resourceVersion"] = draw(_rarely((Open("version", objects[0]), "x", "-1"), 2))
        options["resourceVersionMatch"] = draw(_rarely(("Exact", "NotOlderThan", "Other"), 1))
    return _given(options)


@st.composite
def deletion(draw: DrawFn, path: str) -> tuple[dict[str, Any], Any]:
    """The parameters of a deletion and its body, of which one, both or none says how."""
    parameters = {
        "propagationPolicy": draw(_rarely(_POLICIES, 1)),
        "gracePeriodSeconds": draw(_rarely((0, 1, 30, -1, "x"), 1)),
        "orphanDependents": draw(_rarely((True, False))),
        "dryRun": draw(_rarely(("All", "Some"))),
    }
    if draw(st.booleans()):
        return _given(parameters), None
    preconditions = _given(
        {
            "uid": draw(_rarely((Open("value", path, UID), Open("value", path, UID), "other"), 1)),
            "resourceVersion": draw(_rarely((Open("version", path), Open("stale", path), "1"), 1)),
        }
    )
    body = {
        "apiVersion": draw(st.sampled_from(("v1", "v1", "meta.k8s.io/v1", _ABSENT))),
        "kind": draw(st.sampled_from(("DeleteOptions", "DeleteOptions", "DeleteOptions", _ABSENT, "Other"))),
        "preconditions": preconditions or _ABSENT,
        "propagationPolicy": parameters["propagationPolicy"],
        "gracePeriodSeconds": parameters["gracePeriodSeconds"],
        "dryRun": ["All"] if parameters["dryRun"] == "All" else _ABSENT,
    }
    return {}, _given(body)
