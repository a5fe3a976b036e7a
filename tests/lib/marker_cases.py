"""What an API server takes and refuses where a marker stands: for each row of the page that says so.

The type of a case is the Python of its row (`marker_page.probe`), so that the page cannot say one thing and the
tests prove another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_VALIDATION = "kubebuilder:validation:"

VALIDATION = (
    *(
        _VALIDATION + name
        for name in (
            "Maximum", "Minimum", "ExclusiveMaximum", "ExclusiveMinimum", "MultipleOf", "MaxLength", "MinLength",
            "Pattern", "MaxItems", "MinItems", "UniqueItems", "MaxProperties", "MinProperties", "Enum", "Format",
            "Type", "XPreserveUnknownFields", "XEmbeddedResource", "EmbeddedResource", "XIntOrString",
            "XValidation (rule, message)", "XValidation (messageExpression)", "XValidation (reason)",
            "XValidation (fieldPath)", "XValidation (optionalOldSelf)", "AtMostOneOf", "ExactlyOneOf",
            "AtLeastOneOf", "Schemaless", "Required (field)", "Optional (field)", "Required (package)",
            "Optional (package)", "items:…",
        )
    ),
    "k8s:enum",
    "kubebuilder:pruning:PreserveUnknownFields",
    "required", "optional", "k8s:required", "k8s:optional",
    "nullable", "kubebuilder:default", "default",
    "kubebuilder:example", "kubebuilder:title", "kubebuilder:externalDocs",
    "k8s:immutable",
)  # fmt: skip
TOPOLOGY = (
    "listType (map)", "listType (set)", "listType (atomic)", "listMapKey", "mapType (atomic)",
    "mapType (granular)", "structType (atomic)", "structType (granular)", "k8s:listType", "k8s:listMapKey",
)  # fmt: skip
DEFINITION = (
    "groupName", "versionName", "kubebuilder:resource (path)", "kubebuilder:resource (singular)",
    "kubebuilder:resource (shortName)", "kubebuilder:resource (categories)", "kubebuilder:resource (scope)",
    "kubebuilder:subresource:status", "kubebuilder:subresource:scale", "kubebuilder:printcolumn",
    "kubebuilder:storageversion", "kubebuilder:unservedversion", "kubebuilder:skipversion", "kubebuilder:skip",
    "kubebuilder:deprecatedversion", "kubebuilder:metadata", "kubebuilder:selectablefield",
)  # fmt: skip
ROLES = tuple(
    f"kubebuilder:rbac ({argument})"
    for argument in ("groups, resources, verbs", "resourceNames", "urls", "namespace", "roleName")
)
TYPES = (
    "bool", "string", "int", "int32", "int64", "float64", "[]byte", "metav1.Time", "metav1.MicroTime",
    "metav1.Duration", "resource.Quantity", "intstr.IntOrString", "metav1.ObjectMeta", "metav1.LabelSelector",
    "runtime.RawExtension", "apiextensionsv1.JSON", "map[string]T", "[]T", "date",
)  # fmt: skip
WEBHOOKS = (
    *(
        f"kubebuilder:webhook ({argument})"
        for argument in (
            "mutating",
            "failurePolicy",
            "matchPolicy",
            "sideEffects",
            "timeoutSeconds",
            "groups, resources, versions",
            "verbs",
            "name",
            "path",
            "url",
            "serviceName, serviceNamespace, servicePort",
            "reinvocationPolicy",
            "patch, namespaceSelector",
            "patch, objectSelector",
            "patch, matchConditions",
            "webhookVersions",
            "admissionReviewVersions",
        )
    ),
    "kubebuilder:webhookconfiguration (mutating, name)",
)
NOT_NEEDED = (
    "kubebuilder:object:root", "kubebuilder:object:generate", "k8s:deepcopy-gen", "k8s:deepcopy-gen:interfaces",
    "kubebuilder:ac:generate", "kubebuilder:ac:output:package", "genclient",
)  # fmt: skip
OPTIONS = (
    "allowDangerousTypes", "maxDescLen", "generateEmbeddedObjectMeta", "crdVersions", "ignoreUnexportedFields",
    "headerFile, year", "deprecatedV1beta1CompatibilityPreserveUnknownFields",
)  # fmt: skip
SECTIONS = {
    "Validation": VALIDATION,
    "Lists, maps and objects": TOPOLOGY,
    "The definition": DEFINITION,
    "Roles": ROLES,
    "Webhooks": WEBHOOKS,
    "Types": TYPES,
    "Options of controller-gen's `crd`": OPTIONS,
    "Markers that Python does not need": NOT_NEEDED,
}
"""Every marker of controller-gen, by the section of the page that has its row."""


@dataclass(frozen=True)
class Refused:
    """A value that the server refuses: the field that it blames, below the value, and part of its message.

    Where the server names no field it says `<nil>`.
    """

    value: Any
    message: str
    field: str = ""

    def blamed(self, place: str) -> str:
        """The field that the server blames when the value stands at a place."""
        return self.field if self.field == "<nil>" else place + self.field


@dataclass(frozen=True)
class Case:
    """What the server takes and refuses.

    The values are those of the row's field, or of the whole spec where the row marks the spec's class; `fields`
    are lines that the spec has beside the row. `rewritten` are values that the server takes as they are, and
    Python reads, but writes in its own form; `unreadable` are values that it takes, and Python does not.
    """

    accepted: tuple[Any, ...]
    refused: tuple[Refused, ...] = ()
    fields: str = ""
    rewritten: tuple[Any, ...] = ()
    unreadable: tuple[Any, ...] = ()

    @property
    def taken(self) -> tuple[Any, ...]:
        """Every value that the server takes."""
        return (*self.accepted, *self.rewritten, *self.unreadable)

    def reading(self, value: Any) -> str:
        """What becomes of one of these when it goes to Python and back."""
        if value in self.unreadable:
            return "unreadable"
        return "rewritten" if value in self.rewritten else "kept"


_MEMBERS = "host: str | None = None\nsocket: str | None = None"


def _typed(name: str, *refused: tuple[Any, str]) -> tuple[Refused, ...]:
    """Values of other types: each with the name that the server has for its type."""
    return tuple(Refused(value, f'must be of type {name}: "{kind}"') for value, kind in refused)


CASES: dict[str, Case] = {
    f"{_VALIDATION}Maximum": Case((10, -1), (Refused(11, "should be less than or equal to 10"),)),
    f"{_VALIDATION}Minimum": Case((1, 99), (Refused(0, "should be greater than or equal to 1"),)),
    f"{_VALIDATION}ExclusiveMaximum": Case((9,), (Refused(10, "should be less than 10"),)),
    f"{_VALIDATION}ExclusiveMinimum": Case((1,), (Refused(0, "should be greater than 0"),)),
    f"{_VALIDATION}MultipleOf": Case((5, 0, -10), (Refused(7, "should be a multiple of 5"),)),
    f"{_VALIDATION}MaxLength": Case(("abc", "", "äöü"), (Refused("abcd", "may not be more than 3 bytes"),)),
    f"{_VALIDATION}MinLength": Case(("abc",), (Refused("ab", "should be at least 3 chars long"),)),
    f"{_VALIDATION}Pattern": Case(
        ("abc",), (Refused("Abc", "should match '^[a-z]+$'"), Refused("", "should match"))
    ),
    f"{_VALIDATION}MaxItems": Case(
        (["a", "b"], []), (Refused(["a", "b", "c"], "must have at most 2 items"),)
    ),
    f"{_VALIDATION}MinItems": Case((["a"],), (Refused([], "should have at least 1 items"),)),
    f"{_VALIDATION}UniqueItems": Case(
        (["a", "b"], []), (Refused(["a", "b", "a"], 'Duplicate value: "a"', "[2]"),)
    ),
    f"{_VALIDATION}MaxProperties": Case(
        ({"a": "1"}, {}), (Refused({"a": "1", "b": "2"}, "must have at most 1 item"),)
    ),
    f"{_VALIDATION}MinProperties": Case(({"a": "1"},), (Refused({}, "should have at least 1 properties"),)),
    f"{_VALIDATION}Enum": Case(("Fast", "Safe"), (Refused("fast", 'supported values: "Fast", "Safe"'),)),
    "k8s:enum": Case(("Fast", "Safe"), (Refused("Slow", 'supported values: "Fast", "Safe"'),)),
    f"{_VALIDATION}Format": Case(("192.0.2.1",), (Refused("192.0.2", "must be of type ipv4"),)),
    f"{_VALIDATION}Type": Case(("text",), _typed("string", (1, "integer"), ([], "array"))),
    f"{_VALIDATION}XIntOrString": Case(
        (80, "http"), _typed("integer,string", (1.5, "number"), ([], "array"))
    ),
    f"{_VALIDATION}XValidation (rule, message)": Case((2,), (Refused(3, "must be even"),)),
    f"{_VALIDATION}XValidation (messageExpression)": Case(("me",), (Refused("root", "root is taken"),)),
    f"{_VALIDATION}XValidation (fieldPath)": Case(
        ({"low": 1, "high": 1},),
        (Refused({"low": 2, "high": 1}, "low exceeds high", ".low"),),
        fields="low: int\nhigh: int",
    ),
    f"{_VALIDATION}AtMostOneOf": Case(
        ({}, {"host": "a"}, {"socket": "b"}),
        (Refused({"host": "a", "socket": "b"}, "at most one of host, socket may be set"),),
        fields=_MEMBERS,
    ),
    f"{_VALIDATION}ExactlyOneOf": Case(
        ({"host": "a"}, {"socket": "b"}),
        (
            Refused({"host": "a", "socket": "b"}, "exactly one of host, socket must be set"),
            Refused({}, "exactly one of host, socket must be set"),
        ),
        fields=_MEMBERS,
    ),
    f"{_VALIDATION}AtLeastOneOf": Case(
        ({"host": "a"}, {"host": "a", "socket": "b"}),
        (Refused({}, "at least one of host, socket must be set"),),
        fields=_MEMBERS,
    ),
    f"{_VALIDATION}items:…": Case(
        (["abc", ""],), (Refused(["abc", "abcd"], "may not be more than 3 bytes", "[1]"),)
    ),
    "bool": Case((True, False), _typed("boolean", ("true", "string"), (0, "integer"))),
    "string": Case(("", "text"), _typed("string", (1, "integer"), (True, "boolean"))),
    "int": Case((0, -1, 2**53), _typed("integer", ("1", "string"), (1.5, "number"))),
    "int32": Case(
        (2**31 - 1, -(2**31)), (Refused(2**31, "must be of type integer with format int32", "<nil>"),)
    ),
    "int64": Case((2**62,), _typed("integer", ("1", "string"))),
    "float64": Case((1.5, 2), _typed("number", ("1.5", "string"))),
    "[]byte": Case(
        ("aGVsbG8=",), (Refused("not base64!", "must be of type byte"), Refused("", "must be of type byte"))
    ),
    "metav1.Time": Case(
        ("2026-01-02T03:04:05Z",),
        (Refused("noon", "must be of type date-time"),),
        rewritten=("2026-01-02T03:04:05+02:00",),
    ),
    "metav1.MicroTime": Case(
        ("2026-01-02T03:04:05.000006Z",), (Refused("noon", "must be of type date-time"),)
    ),
    "metav1.Duration": Case(
        ("1h30m0s",), _typed("string", (90, "integer")), rewritten=("1h30m",), unreadable=("soon",)
    ),
    "resource.Quantity": Case(
        ("1Gi", "500m", ".5", "12e6"),
        (Refused("lots", "should match"), *_typed("integer,string", (1.5, "number"))),
        rewritten=(2,),
    ),
    "intstr.IntOrString": Case((80, "http"), _typed("integer,string", (True, "boolean"))),
    "metav1.ObjectMeta": Case(
        ({"name": "a", "labels": {"a": "b"}, "finalizers": ["example.com/x"]},),
        (Refused({"labels": {"a": 1}}, 'must be of type string: "integer"', ".labels.a"),),
    ),
    "metav1.LabelSelector": Case(
        (
            {"matchLabels": {"a": "b"}},
            {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]},
        ),
        (Refused({"matchExpressions": [{"key": "a"}]}, "Required value", ".matchExpressions[0].operator"),),
    ),
    "runtime.RawExtension": Case(({}, {"any": [{"thing": 1}]}), _typed("object", ("text", "string"))),
    "apiextensionsv1.JSON": Case((1, "text", True, [1, "a"], {"any": [{"thing": 1}]})),
    "map[string]T": Case(
        ({"a": {"port": 1, "protocol": "UDP"}}, {}), (Refused({"a": {}}, "Required value", ".a.port"),)
    ),
    "[]T": Case(([{"port": 1, "protocol": "UDP"}], []), (Refused([{}], "Required value", "[0].port"),)),
    "date": Case(("2026-01-02",), (Refused("2026-13-01", "must be of type date"),)),
}
"""For each row that is proven by `test_an_invalid_object_is_refused`, what the server says."""
