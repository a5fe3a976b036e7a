"""protobuf: bodies of requests in that form."""

import pytest

from contract import Api, config_map, deployment, pod
from contract_crd import Definitions
from contract_protobuf import envelope, exchanged, field, sent
from contract_reads import PROTOBUF

NAMED = field(1, field(1, b"a"))
"""A message whose metadata has a name."""

UNRECOGNIZED = "the object provided is unrecognized (must be of type ConfigMap): "
UNHANDLED = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: '
NO_MESSAGE = "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] "
SCHEME = 'in scheme "pkg/runtime/scheme.go:111"'


def of_config_map(message: bytes) -> bytes:
    return envelope("ConfigMap", "v1", message)


MALFORMED = {
    "no data": (b"", UNRECOGNIZED + "empty data (<empty>)"),
    "JSON": (b"{}", UNRECOGNIZED + NO_MESSAGE + "({})"),
    "half a prefix": (b"k8", UNRECOGNIZED + NO_MESSAGE + "(6b38)"),
    "nothing but the prefix": (b"k8s\0", UNRECOGNIZED + "empty body (6b387300)"),
    "an envelope of half a tag": (b"k8s\0\xff", UNRECOGNIZED + "unexpected EOF (6b387300ff)"),
    "an envelope cut off": (b"k8s\0\x0a\x20ab", UNRECOGNIZED + "unexpected EOF (6b3873000a206162)"),
    "an envelope of a number": (
        b"k8s\0\x08\1",
        UNRECOGNIZED + "proto: wrong wireType = 0 for field TypeMeta (6b3873000801)",
    ),
    "no length": (of_config_map(b"\x0a"), UNHANDLED + "unexpected EOF"),
    "a field cut off": (of_config_map(b"\x0a\x20\x0a\1a"), UNHANDLED + "unexpected EOF"),
    "a group without end": (of_config_map(b"\xfb\1"), UNHANDLED + "unexpected EOF"),
    "a number for metadata": (
        of_config_map(b"\x08\1"),
        UNHANDLED + "proto: wrong wireType = 0 for field ObjectMeta",
    ),
    "a number for a name": (
        of_config_map(field(1, b"\x08\1")),
        UNHANDLED + "proto: wrong wireType = 0 for field Name",
    ),
    "the field 0": (of_config_map(b"\0\1"), UNHANDLED + "proto: ConfigMap: illegal tag 0 (wire type 0)"),
    "too many bits": (of_config_map(b"\xff" * 12), UNHANDLED + "proto: integer overflow"),
    "an unknown type": (of_config_map(b"\xff\1"), UNHANDLED + "proto: illegal wireType 7"),
    "the end of a group": (
        of_config_map(b"\x0c"),
        UNHANDLED + "proto: ConfigMap: wiretype end group for non-group",
    ),
    "a negative length": (
        of_config_map(b"\x0a" + b"\xff" * 9 + b"\1"),
        UNHANDLED + "proto: negative length found during unmarshaling",
    ),
    "another kind": (
        envelope("Secret", "v1", NAMED),
        UNHANDLED.replace("ConfigMap", "Secret", 1)
        + "converting (v1.Secret) to (core.ConfigMap): unknown conversion",
    ),
    "an unknown kind": (
        envelope("Nothing", "v1", NAMED),
        UNHANDLED.replace("ConfigMap", "Nothing", 1)
        + f'no kind "Nothing" is registered for version "v1" {SCHEME}',
    ),
}


@pytest.mark.parametrize(("body", "message"), MALFORMED.values(), ids=MALFORMED.keys())
async def test_a_malformed_body_is_a_bad_request(
    api: Api, config_maps: str, body: bytes, message: str
) -> None:
    reply = await api.create(config_maps, body, content_type=PROTOBUF, dryRun="All")

    assert reply.refused(400, "BadRequest")["message"] == message


async def test_a_quantity_that_is_none_is_a_bad_request(api: Api, pods: str) -> None:
    resources = field(8, field(1, field(1, b"cpu") + field(2, field(1, b"much"))))
    body = envelope("Pod", "v1", NAMED + field(2, field(2, resources)))

    refused = (await api.create(pods, body, content_type=PROTOBUF)).refused(400, "BadRequest")

    assert refused["message"] == (
        'Pod in version "v1" cannot be handled as a Pod: quantities must match the regular expression '
        "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
    )


@pytest.mark.parametrize(
    "body",
    [
        of_config_map(NAMED),
        envelope("", "", NAMED),
        envelope("ConfigMap", "", NAMED),
        envelope("ConfigMap", "a/b/c", NAMED),
        of_config_map(NAMED + b"\xfa\1\0"),
        of_config_map(NAMED + b"\xfb\1\x08\1\xfc\1"),
        of_config_map(field(1, field(1, b"b")) + NAMED),
    ],
    ids=["whole", "no kind", "no version", "odd version", "unknown field", "unknown group", "two metadata"],
)
async def test_a_body_may_say_less_or_more_than_is_needed(api: Api, config_maps: str, body: bytes) -> None:
    reply = await api.create(config_maps, body, content_type=PROTOBUF, fieldValidation="Strict")

    assert (reply.ok()["kind"], reply.ok()["apiVersion"], reply.ok()["metadata"]["name"]) == (
        "ConfigMap",
        "v1",
        "a",
    )


async def test_what_is_no_utf_8_in_a_string_is_replaced(api: Api, config_maps: str) -> None:
    body = of_config_map(NAMED + field(2, field(1, b"k") + field(2, b"\xff\xfe")))

    assert (await api.create(config_maps, body, content_type=PROTOBUF)).ok()["data"] == {"k": "\ufffd\ufffd"}


async def test_an_object_is_the_same_whether_created_by_json_or_by_protobuf(
    api: Api, deployments: str
) -> None:
    manifest = deployment("a", 2, labels={"b": "1", "a": "2"})

    by_json = (await api.create(deployments, manifest, dryRun="All")).ok()
    by_protobuf = (await api.create(deployments, sent(manifest), content_type=PROTOBUF, dryRun="All")).ok()

    assert by_protobuf["spec"] == by_json["spec"]
    assert by_protobuf["metadata"].keys() == by_json["metadata"].keys()
    assert by_protobuf["metadata"]["labels"] == by_json["metadata"]["labels"]


async def test_an_object_is_updated_by_what_was_read_of_it(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a", {"k": "v"}))).ok()

    _, found = await exchanged(api, "GET", f"{config_maps}/a")
    status, updated = await exchanged(api, "PUT", f"{config_maps}/a", sent(found | {"data": {"k": "w"}}))

    assert (status, updated["data"]) == (200, {"k": "w"})
    assert (await api.get(f"{config_maps}/a")).ok() == updated


async def test_a_scale_is_updated(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()

    _, scale = await exchanged(api, "GET", f"{deployments}/a/scale")
    scale["spec"]["replicas"] = 3
    _, updated = await exchanged(api, "PUT", f"{deployments}/a/scale", sent(scale))

    assert (updated["kind"], updated["spec"]) == ("Scale", {"replicas": 3})
    assert (await api.get(f"{deployments}/a")).ok()["spec"]["replicas"] == 3


async def test_a_pod_is_bound_and_evicted(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a"))).ok()
    target = {"kind": "Node", "name": "far"}
    binding = {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "a"}, "target": target}
    options = {"gracePeriodSeconds": 0}
    eviction = {
        "apiVersion": "policy/v1",
        "kind": "Eviction",
        "metadata": {"name": "a"},
        "deleteOptions": options,
    }

    bound = await exchanged(api, "POST", f"{pods}/a/binding", sent(binding))
    node = (await api.get(f"{pods}/a")).ok()["spec"]["nodeName"]
    evicted = await exchanged(api, "POST", f"{pods}/a/eviction", sent(eviction))

    assert (bound[0], bound[1]["status"], node) == (201, "Success", "far")
    assert (evicted[0], evicted[1]["status"]) == (201, "Success")
    assert (await api.get(f"{pods}/a")).status == 404


async def test_a_token_is_requested(api: Api, namespace: str) -> None:
    accounts = f"/api/v1/namespaces/{namespace}/serviceaccounts"
    (await api.create(accounts, {"metadata": {"name": "a"}})).ok()
    request = {
        "apiVersion": "authentication.k8s.io/v1",
        "kind": "TokenRequest",
        "spec": {"audiences": ["x"], "expirationSeconds": 600},
    }

    status, answer = await exchanged(api, "POST", f"{accounts}/a/token", sent(request))

    assert (status, answer["spec"]["expirationSeconds"]) == (201, 600)
    assert answer["status"]["token"]


async def test_a_deletion_has_its_options_from_the_body(api: Api, config_maps: str) -> None:
    uid = (await api.create(config_maps, config_map("a"))).ok()["metadata"]["uid"]

    def options(uid: str) -> bytes:
        return envelope("DeleteOptions", "v1", field(2, field(1, uid.encode())))

    other = await api.delete(f"{config_maps}/a", options("other"), content_type=PROTOBUF)
    own = await api.delete(f"{config_maps}/a", options(uid), content_type=PROTOBUF)

    other.refused(409, "Conflict")
    assert own.ok()["status"] == "Success"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"k8s\0", "empty body"),
        (b"{}", NO_MESSAGE.rstrip()),
        (envelope("DeleteOptions", "v1", b"\x08"), "unexpected EOF"),
        (envelope("ConfigMap", "v1", b""), f'no kind "ConfigMap" is registered for version "v1" {SCHEME}'),
    ],
)
async def test_malformed_options_of_a_deletion_are_a_bad_request(
    api: Api, config_maps: str, body: bytes, message: str
) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    reply = await api.delete(f"{config_maps}/a", body, content_type=PROTOBUF)

    assert reply.refused(400, "BadRequest")["message"] == message
    assert (await api.get(f"{config_maps}/a")).status == 200


async def test_a_custom_resource_is_deleted_with_options_of_its_group(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()
    (await widgets.create("a")).ok()
    body = envelope("DeleteOptions", "example.com/v1", field(5, b"All"))

    tried = await api.delete(f"{widgets.path}/a", body, content_type=PROTOBUF)

    assert tried.ok()["status"] == "Success"
    assert (await api.get(f"{widgets.path}/a")).status == 200


async def test_a_patch_is_never_protobuf(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    refused = (await api.patch(f"{config_maps}/a", of_config_map(NAMED), PROTOBUF)).refused(
        415, "UnsupportedMediaType"
    )

    assert refused["message"] == "415: Unsupported Media Type"
