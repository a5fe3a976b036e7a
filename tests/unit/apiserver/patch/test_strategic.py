import copy
from typing import Any

import orjson
import pytest

from windlass.apiserver.builtin import library
from windlass.apiserver.patch import strategic_patched
from windlass.apiserver.refusal import Refusal
from windlass.schema import Shape


@pytest.fixture
def shape() -> Shape:
    return library().shape("io.k8s.api.apps.v1.Deployment")


def container(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "image": "x", **more}


def deployment(**pod: Any) -> dict[str, Any]:
    pod.setdefault("containers", [container("a"), container("b"), container("c")])
    return {
        "kind": "Deployment",
        "metadata": {"name": "d", "labels": {"x": "1", "y": "2"}, "finalizers": ["f/1", "f/2", "f/3"]},
        "spec": {"replicas": 1, "strategy": {"type": "RollingUpdate"}, "template": {"spec": pod}},
    }


def in_pod(**pod: Any) -> dict[str, Any]:
    return {"spec": {"template": {"spec": pod}}}


def in_metadata(**metadata: Any) -> dict[str, Any]:
    return {"metadata": metadata}


def pod_after(shape: Shape, document: dict[str, Any], patch: dict[str, Any]) -> Any:
    return after(shape, document, patch)["spec"]["template"]["spec"]


def after(shape: Shape, document: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    before = copy.deepcopy(document)
    result = strategic_patched(document, orjson.dumps(patch), shape).document
    assert document == before
    return result


def names(items: list[dict[str, Any]]) -> str:
    return "".join(item["name"] for item in items)


def refused(shape: Shape, patch: Any, document: dict[str, Any] | None = None) -> Refusal:
    body = patch if isinstance(patch, bytes) else orjson.dumps(patch)
    with pytest.raises(Refusal) as caught:
        strategic_patched(document or deployment(), body, shape)
    return caught.value


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ([container("b", image="y")], "abc"),
        ([container("d")], "dabc"),
        ([container("c"), container("d")], "abcd"),
        ([container("d"), container("b")], "dabc"),
        ([container("c"), container("a")], "bca"),
        ([{"name": "b", "$patch": "delete"}], "ac"),
        ([{"name": "absent", "$patch": "delete"}], "abc"),
        ([{"$patch": "replace"}, container("z"), container("y")], "zy"),
        ([{"$patch": "replace"}], ""),
        ([], "abc"),
    ],
    ids=str,
)
def test_items_merge_by_key_and_stand_where_the_patch_has_them(
    shape: Shape, patch: Any, expected: str
) -> None:
    assert names(pod_after(shape, deployment(), in_pod(containers=patch))["containers"]) == expected


@pytest.mark.parametrize(
    ("order", "patch", "expected"),
    [
        ("cba", None, "cba"),
        ("ca", None, "bca"),
        ("dcba", [container("d")], "dcba"),
        ("", [container("d")], "abcd"),
        ("dca", [container("d"), {"name": "b", "$patch": "delete"}], "dca"),
        ("ed", [container("e"), container("d"), {"name": "c", "$patch": "delete"}], "abed"),
        ("ed", [container("e"), container("d")], "edabc"),
    ],
    ids=str,
)
def test_an_element_order_sorts_the_items_that_it_names(
    shape: Shape, order: str, patch: Any, expected: str
) -> None:
    pod = {"$setElementOrder/containers": [{"name": name} for name in order]}
    if patch is not None:
        pod["containers"] = patch

    assert names(pod_after(shape, deployment(), in_pod(**pod))["containers"]) == expected


def test_an_element_order_sorts_a_list_that_the_object_does_not_have(shape: Shape) -> None:
    pod = {
        "$setElementOrder/volumes": [{"name": "w"}, {"name": "v"}],
        "volumes": [{"name": "w"}, {"name": "v"}],
    }

    assert names(pod_after(shape, deployment(), in_pod(**pod))["volumes"]) == "wv"


def test_an_element_order_for_a_list_that_nobody_has_does_nothing(shape: Shape) -> None:
    assert after(shape, deployment(), in_pod(**{"$setElementOrder/volumes": [{"name": "w"}]})) == deployment()


def test_an_element_order_sorts_a_list_that_is_replaced(shape: Shape) -> None:
    document = deployment(containers=[container("a", args=["1"])])
    patch = {"name": "a", "$setElementOrder/args": ["2", "3"], "args": ["2", "3"]}

    assert pod_after(shape, document, in_pod(containers=[patch]))["containers"][0]["args"] == ["2", "3"]


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({"finalizers": ["f/9", "f/1"]}, ["f/9", "f/1", "f/2", "f/3"]),
        ({"finalizers": ["f/3"]}, ["f/1", "f/2", "f/3"]),
        ({"$deleteFromPrimitiveList/finalizers": ["f/2", "f/7"]}, ["f/1", "f/3"]),
        ({"$setElementOrder/finalizers": ["f/3", "f/1"]}, ["f/2", "f/3", "f/1"]),
        ({"$deleteFromPrimitiveList/finalizers": "text"}, ["f/1", "f/2", "f/3"]),
        ({"finalizers": "text"}, "text"),
    ],
    ids=str,
)
def test_a_list_of_texts_merges_as_a_set(shape: Shape, patch: Any, expected: Any) -> None:
    assert after(shape, deployment(), in_metadata(**patch))["metadata"]["finalizers"] == expected


@pytest.mark.parametrize(
    "patch", [{"finalizers": None}, {"$deleteFromPrimitiveList/finalizers": None}], ids=str
)
def test_null_removes_a_list(shape: Shape, patch: Any) -> None:
    assert "finalizers" not in after(shape, deployment(), in_metadata(**patch))["metadata"]


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({"z": "3", "x": None}, {"y": "2", "z": "3"}),
        ({"$patch": "replace", "z": "3"}, {"z": "3"}),
        ({"$patch": "delete", "z": "3"}, {}),
        ({"$retainKeys": ["x", "z"], "z": "3"}, {"x": "1", "z": "3"}),
        ({"$retainKeys": ["x"], "y": None}, {"x": "1"}),
    ],
    ids=str,
)
def test_a_map_merges_unless_a_directive_says_otherwise(shape: Shape, patch: Any, expected: Any) -> None:
    assert after(shape, deployment(), in_metadata(labels=patch))["metadata"]["labels"] == expected


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({"a": {"b": None, "c": [None, {"d": None}]}}, {"a": {"c": [None, {}]}}),
        ({"a": {"$patch": "delete"}, "b": {"c": {"$patch": "replace"}}, "d": [{"$patch": "delete"}, 1]}, {"b": {}, "d": [1]}),
    ],
    ids=["nulls", "directives"],
)  # fmt: skip
def test_what_merges_with_nothing_is_taken_without_nulls_and_directives(
    shape: Shape, patch: Any, expected: Any
) -> None:
    assert after(shape, {"kind": "Deployment"}, {"spec": patch})["spec"] == expected


def test_an_object_in_the_place_of_another_value_that_is_only_a_directive_removes_it(shape: Shape) -> None:
    assert "replicas" not in after(shape, deployment(), {"spec": {"replicas": {"$patch": "delete"}}})["spec"]


@pytest.mark.parametrize("body", [b"null", b"{}"])
def test_an_empty_patch_changes_nothing(shape: Shape, body: bytes) -> None:
    assert strategic_patched(deployment(), body, shape).document == deployment()


def test_a_key_is_only_equal_to_a_key_of_the_same_type(shape: Shape) -> None:
    document = deployment(containers=[container("a", ports=[{"containerPort": 1}])])
    ports = [{"containerPort": True}, {"containerPort": 1.0}]

    [found] = pod_after(shape, document, in_pod(containers=[{"name": "a", "ports": ports}]))["containers"]

    assert len(found["ports"]) == 3


@pytest.mark.parametrize(
    ("patch", "code", "message"),
    [
        (b"[]", 400, "json: cannot unmarshal array into Go value of type map[string]interface {}"),
        (b"{", 400, "unexpected end of JSON input"),
        (in_pod(**{"$retainKeys": "x"}), 400, "invalid patch format of retainKeys"),
        (in_pod(**{"$retainKeys": ["volumes"], "containers": []}), 400, "invalid patch format of retainKeys"),
        (in_pod(**{"$setElementOrdervolumes": []}), 400, "invalid patch format of setElementOrder list"),
        (in_pod(**{"$deleteFromPrimitiveList": []}), 400, "invalid patch format of primitive list"),
        (
            in_pod(**{"$setElementOrder/containers": 5}),
            500,
            "expected a []interface {}, but received a int64",
        ),
        (
            in_pod(**{"$setElementOrder/containers": [], "containers": "x"}),
            500,
            "expected a []interface {}, but received a string",
        ),
        (
            in_metadata(**{"$setElementOrder/nope": []}),
            500,
            'unable to find api field in struct ObjectMeta for the json field "nope"',
        ),
        (
            in_pod(containers=[{"image": "y"}]),
            500,
            "map: map[image:y] does not contain declared merge key: name",
        ),
        (
            in_pod(containers=[{"$patch": "delete"}]),
            500,
            "map: map[$patch:delete] does not contain declared merge key: name",
        ),
        (in_pod(containers=[{"$patch": "merge"}]), 500, "merging lists cannot yet be specified in the patch"),
        (in_pod(**{"$patch": "merge"}), 500, "unknown patch type: merge in map: map[$patch:merge]"),
        (in_pod(**{"$patch": 5}), 500, "unknown patch type: %!s(int64=5) in map: map[$patch:5]"),
        (
            in_metadata(finalizers=[5]),
            500,
            "list element types are not identical: [[f/1 f/2 f/3] [5]]",
        ),
        (
            in_pod(
                **{
                    "$setElementOrder/containers": [{"name": "a"}, {"name": "b"}],
                    "containers": [{"name": "b"}, {"name": "a"}],
                }
            ),
            500,
            "The order in patch list:\n[map[name:b] map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:a] map[name:b]]\n",
        ),
    ],
    ids=str,
)
def test_a_patch_that_makes_no_sense_is_refused(shape: Shape, patch: Any, code: int, message: str) -> None:
    refusal = refused(shape, patch)

    assert (refusal.code, refusal.message) == (code, message)
    assert refusal.reason == ("BadRequest" if code == 400 else "")


def test_lists_of_lists_are_not_merged(shape: Shape) -> None:
    document = deployment(containers=[[1]])

    assert refused(shape, in_pod(containers=[[2]]), document).code == 422


def test_an_object_below_a_field_of_any_form_cannot_be_merged() -> None:
    shape = library().shape("io.k8s.api.apps.v1.ControllerRevision")

    assert refused(shape, {"data": {"a": {"c": 2}}}, {"data": {"a": {"b": 1}}}).message == (
        'unable to find api field in struct RawExtension for the json field "a"'
    )


def test_a_map_of_objects_cannot_be_merged() -> None:
    name = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps"
    document = {"properties": {"a": {"type": "string"}}}

    assert refused(library().shape(name), {"properties": {"a": {"type": "x"}}}, document).message == (
        "merging an object in json but data type is not struct, instead is: map"
    )


def test_strict_validation_finds_fields_that_are_given_twice(shape: Shape) -> None:
    body = b'{"spec": {"replicas": 1, "replicas": 2}}'

    assert strategic_patched(deployment(), body, shape).problems == ('duplicate field "spec.replicas"',)
    assert strategic_patched(deployment(), body, shape, checked=False).problems == ()


def test_a_result_that_cannot_be_decoded_shows_the_patch(shape: Shape) -> None:
    found = strategic_patched(deployment(), b'{"spec": {"replicas": "many"}}', shape)

    assert found.refusal("unrecognized type: int32").message == (
        ' "" is invalid: patch: Invalid value: "map[spec:map[replicas:many]]": unrecognized type: int32'
    )
