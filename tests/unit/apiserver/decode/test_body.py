"""Bodies as objects of built-in kinds. What the real server says to each body is recorded in `bodies.json`."""

from typing import Any

import orjson
import pytest

from bodies import Body, bodies
from windlass.api import Kind
from windlass.apiserver.builtin import kinds
from windlass.apiserver.decode import DecodeError, builtin_types, complete, decode, read, read_metadata
from windlass.apiserver.refusal import Refusal

CONFIG_MAP = Kind("", "v1", "ConfigMap", "configmaps")
POD = Kind("", "v1", "Pod", "pods")
DEPLOYMENT = Kind("apps", "v1", "Deployment", "deployments")
EVENT = Kind("", "v1", "Event", "events")
DEFINITION = Kind("apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions")
KINDS = {each.kind.plural: each.kind for each in kinds()}
JSON = "application/json"


def decoded(kind: Kind, body: Any, validation: str = "Strict") -> dict[str, Any]:
    text = body if isinstance(body, bytes) else orjson.dumps(body)
    return decode(text, JSON, kind, builtin_types(), validation).object


def container(**fields: Any) -> dict[str, Any]:
    found = decoded(POD, {"spec": {"containers": [fields]}})
    return dict(found["spec"]["containers"][0])


@pytest.mark.parametrize("body", bodies(), ids=lambda body: repr(body.text)[:60])
def test_a_body_is_refused_or_warned_of_in_the_words_of_the_real_server(body: Body) -> None:
    kind = KINDS[body.plural]

    def message(validation: str) -> tuple[str, tuple[str, ...]]:
        try:
            return "", decode(body.text, body.media, kind, builtin_types(), validation).warnings
        except Refusal as refusal:
            return refusal.message if refusal.code == 400 else str(refusal.code), ()

    assert message("Strict") == (body.message, ())
    assert message("Warn") == (("", body.warnings) if body.warnings else (body.message, ()))
    assert message("Ignore") == ("" if body.warnings else body.message, ())


def test_an_object_has_the_kind_of_its_path() -> None:
    assert decoded(CONFIG_MAP, {"metadata": {"name": "a"}}) == {
        "kind": "ConfigMap",
        "apiVersion": "v1",
        "metadata": {"name": "a"},
    }


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"data": {}}, {}),
        ({"data": None}, {}),
        ({"data": {"a": ""}}, {"data": {"a": ""}}),
        ({"data": {"a": None}}, {"data": {"a": ""}}),
        ({"immutable": False}, {"immutable": False}),
        ({"immutable": None}, {}),
        ({"metadata": {"labels": {}, "name": "", "finalizers": []}}, {}),
        ({"metadata": {"finalizers": [None, "a"]}}, {"metadata": {"finalizers": ["", "a"]}}),
        ({"metadata": {"generation": 0, "deletionGracePeriodSeconds": 0}}, {"metadata": {"deletionGracePeriodSeconds": 0}}),
        ({"binaryData": {"a": None, "b": [1, 2], "c": "YW\nJj"}}, {"binaryData": {"a": None, "b": "AQI=", "c": "YWJj"}}),
    ],
    ids=repr,
)  # fmt: skip
def test_what_is_nothing_to_go_is_left_out(given: dict[str, Any], kept: dict[str, Any]) -> None:
    found = decoded(CONFIG_MAP, given)

    assert {name: value for name, value in found.items() if name not in ("kind", "apiVersion")} == kept


def test_quantities_times_and_ports_come_in_the_form_of_the_server() -> None:
    limits = container(resources={"limits": {"cpu": "1000m", "memory": 1024, "a/b": 1.50, "c/d": None}})
    probe = container(livenessProbe={"httpGet": {"port": "http"}, "periodSeconds": 0})
    event = decoded(
        EVENT, {"firstTimestamp": "2020-01-01T01:00:00.5+01:00", "eventTime": "2020-01-01T00:00:00.123456Z"}
    )

    assert limits["resources"]["limits"] == {"cpu": "1", "memory": "1024", "a/b": "1500m", "c/d": "0"}
    assert probe["livenessProbe"] == {"httpGet": {"port": "http"}}
    assert event["firstTimestamp"] == "2020-01-01T00:00:00Z"
    assert event["eventTime"] == "2020-01-01T00:00:00.123456Z"


def test_the_time_that_is_none_is_left_out() -> None:
    found = decoded(CONFIG_MAP, {"metadata": {"creationTimestamp": "0001-01-01T00:00:00Z", "name": "a"}})

    assert found["metadata"] == {"name": "a"}


def test_pointers_to_nothing_are_kept() -> None:
    found = decoded(DEPLOYMENT, {"spec": {"replicas": 0, "paused": False, "selector": {}, "strategy": {}}})

    assert found["spec"] == {"replicas": 0, "selector": {}}


def test_schemas_in_a_definition_are_read_to_their_depth_without_complaint() -> None:
    schema = {
        "properties": {
            "a": {"items": {"type": "integer", "colour": "blue", "maximum": 1.0}, "default": {"b": [1.5]}},
            "b": {"additionalProperties": True, "enum": [None, 1, "a"]},
            "c": {"additionalProperties": {"minimum": 0.5}, "x-kubernetes-preserve-unknown-fields": False},
        }
    }
    version = {"name": "v1", "served": False, "schema": {"openAPIV3Schema": schema}}

    found = decoded(DEFINITION, {"spec": {"versions": [version]}})

    assert found["spec"]["versions"][0]["schema"]["openAPIV3Schema"] == {
        "properties": {
            "a": {"items": {"type": "integer", "maximum": 1}, "default": {"b": [1.5]}},
            "b": {"additionalProperties": True, "enum": [None, 1, "a"]},
            "c": {"additionalProperties": {"minimum": 0.5}, "x-kubernetes-preserve-unknown-fields": False},
        }
    }


def test_a_schema_in_the_wrong_form_is_refused() -> None:
    version = {"schema": {"openAPIV3Schema": {"additionalProperties": "yes"}}}

    with pytest.raises(Refusal, match="boolean or JSON schema expected"):
        decoded(DEFINITION, {"spec": {"versions": [version]}})


@pytest.mark.parametrize("validation", ["Ignore", "Warn"])
def test_a_later_object_of_the_same_name_is_merged_into_an_earlier_one(validation: str) -> None:
    body = b'{"spec":{"replicas":2,"paused":true},"spec":{"replicas":3}}'

    assert decoded(DEPLOYMENT, body, validation)["spec"] == {"replicas": 3, "paused": True}


@pytest.mark.parametrize("media", ["text/plain", "application/merge-patch+json"])
def test_another_form_is_an_unsupported_media_type(media: str) -> None:
    with pytest.raises(Refusal, match="in an unknown format - accepted media types include: ") as refused:
        decode(b"{}", media, CONFIG_MAP, builtin_types())

    assert (refused.value.code, refused.value.reason) == (415, "UnsupportedMediaType")


def test_three_mebibytes_are_read_and_a_byte_more_is_too_much() -> None:
    limit = 3 * 2**20

    assert decoded(CONFIG_MAP, b"{}".ljust(limit))
    with pytest.raises(Refusal, match="Request entity too large: limit is 3145728"):
        decoded(CONFIG_MAP, b"{}".ljust(limit + 1))


def test_a_body_of_another_version_of_the_kind_is_told_the_expected_one() -> None:
    v1, v2 = (Kind("autoscaling", each, "HorizontalPodAutoscaler", "") for each in ("v1", "v2"))

    with pytest.raises(Refusal) as refused:
        decoded(v1, {"kind": v2.name, "apiVersion": v2.api_version})

    assert refused.value.message == (
        "the API version in the data (autoscaling/v2) does not match the expected API version (autoscaling/v1)"
    )


def test_values_that_nest_without_end_are_refused() -> None:
    with pytest.raises(Refusal, match="exceeded max depth"):
        decoded(CONFIG_MAP, b'{"a":' * 5000 + b"1" + b"}" * 5000)


def test_many_brackets_side_by_side_are_not_deep() -> None:
    assert decoded(CONFIG_MAP, {"a": [[]] * 5000}, "Ignore") == {"kind": "ConfigMap", "apiVersion": "v1"}


def test_a_parsed_object_is_read_as_its_text_would_be() -> None:
    found, unknown = read(
        {"spec": {"replicas": 0, "colour": "blue", "template": {}}}, DEPLOYMENT, builtin_types()
    )

    assert found["spec"] == {"replicas": 0}
    assert unknown == ('unknown field "spec.colour"',)
    with pytest.raises(
        DecodeError, match=r"cannot unmarshal string into Go struct field DeploymentSpec\.spec\.replicas"
    ):
        read({"spec": {"replicas": "2"}}, DEPLOYMENT, builtin_types())


def test_a_quantity_given_as_a_fraction_is_read_from_a_parsed_object_too() -> None:
    pod = {"spec": {"containers": [{"resources": {"limits": {"cpu": 0.5}}}]}}

    found, _ = read(pod, POD, builtin_types())

    assert found["spec"]["containers"][0]["resources"]["limits"] == {"cpu": "500m"}


def test_metadata_is_read_alone_for_objects_of_any_kind() -> None:
    given = {"name": "a", "colour": 1, "labels": None, "ownerReferences": [{"name": "b", "size": 1}]}

    found, unknown = read_metadata(given, builtin_types())

    owner = {"name": "b", "apiVersion": "", "kind": "", "uid": ""}
    assert found == {"name": "a", "ownerReferences": [owner]}
    assert unknown == ("colour", "ownerReferences[0].size")
    assert read_metadata(None, builtin_types()) == ({}, ())
    with pytest.raises(
        DecodeError, match=r"^json: cannot unmarshal array into Go value of type v1.ObjectMeta$"
    ):
        read_metadata([], builtin_types())


@pytest.mark.parametrize(
    ("kind", "given", "written"),
    [
        ("roles", {}, {"metadata": {}, "rules": None}),
        ("configmaps", {}, {"metadata": {}}),
        ("services", {"spec": {"ports": [{}]}}, {"metadata": {}, "spec": {"ports": [{"port": 0, "targetPort": 0}]}, "status": {"loadBalancer": {}}}),
        ("poddisruptionbudgets", {}, {"metadata": {}, "spec": {}, "status": {"disruptionsAllowed": 0, "currentHealthy": 0, "desiredHealthy": 0, "expectedPods": 0}}),
        ("pods", {"status": {"conditions": [{"type": "Ready"}]}}, {"metadata": {}, "spec": {"containers": None}, "status": {"conditions": [{"type": "Ready", "status": "", "lastProbeTime": None, "lastTransitionTime": None}]}}),
    ],
    ids=str,
)  # fmt: skip
def test_what_go_always_writes_is_added(kind: str, given: dict[str, Any], written: dict[str, Any]) -> None:
    complete(given, KINDS[kind], builtin_types())

    assert given == written


def test_nothing_that_is_there_is_overwritten() -> None:
    given = {"metadata": {"name": "a"}, "rules": [{"verbs": ["get"]}]}

    complete(given, KINDS["roles"], builtin_types())

    assert given == {"metadata": {"name": "a"}, "rules": [{"verbs": ["get"]}]}


def test_what_is_added_is_new_each_time() -> None:
    first: dict[str, Any] = {}
    second: dict[str, Any] = {}
    complete(first, DEPLOYMENT, builtin_types())

    first["spec"]["strategy"]["type"] = "Recreate"
    complete(second, DEPLOYMENT, builtin_types())

    assert second["spec"]["strategy"] == {}
