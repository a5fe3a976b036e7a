import subprocess
import sys
from random import Random

import orjson
import pytest

from contract_protobuf import kind_of, received, sent
from filled import filled, kinds_by_definition
from windlass.apiserver.decode import DecodeError, builtin_types, complete, read
from windlass.apiserver.protobuf import Envelope, read_message, write_event, write_object

CORE = "io.k8s.api.core.v1"
DEFINITION = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps"

CONFIG_MAP = {
    "kind": "ConfigMap",
    "apiVersion": "v1",
    "metadata": {
        "name": "a",
        "namespace": "b1",
        "uid": "119b5c57-6f9b-4ccc-8ba1-cb2705074c89",
        "resourceVersion": "45044",
        "creationTimestamp": "2026-11-15T08:11:29Z",
        "labels": {"b": "1", "a": "2"},
    },
    "data": {"x": "y"},
    "binaryData": {"e": ""},
}


@pytest.mark.parametrize("definition", kinds_by_definition())
def test_an_object_in_protobuf_is_read_as_the_same_in_json(definition: str) -> None:
    chance = Random(definition)
    for part in (0.0, 0.5, 1.0):
        obj = filled(definition, chance, part)
        kind = kind_of(obj["apiVersion"], obj["kind"])
        decoded, _ = read(orjson.loads(orjson.dumps(obj)), kind, builtin_types())
        complete(decoded, kind, builtin_types())

        assert received(sent(obj)) == decoded


def test_a_field_that_is_there_twice_is_merged() -> None:
    merged = read_message(f"{CORE}.ConfigMap", b"\n\3\n\1a\n\5\x1a\3two")

    assert merged == {"metadata": {"name": "a", "namespace": "two"}}


def test_the_fields_of_an_embedded_struct_stand_beside_the_others() -> None:
    volume = {"name": "tmp", "emptyDir": {"medium": "Memory"}}
    pod = {"kind": "Pod", "apiVersion": "v1", "spec": {"volumes": [volume]}}

    envelope = Envelope.open(write_object(pod))

    assert b"\n\3tmp\x12\n\x12\x08\n\6Memory" in envelope.message
    assert read_message(f"{CORE}.Pod", envelope.message)["spec"]["volumes"] == [volume]


def test_unknown_fields_are_passed_over() -> None:
    assert read_message(f"{CORE}.ConfigMap", b"\xfa\1\0\n\3\n\1a") == {"metadata": {"name": "a"}}


@pytest.mark.parametrize(
    ("definition", "message", "error"),
    [
        ("ConfigMap", b"\x08\1", "proto: wrong wireType = 0 for field ObjectMeta"),
        ("Volume", b"\x10\1", "proto: wrong wireType = 0 for field VolumeSource"),
        ("Volume", b"\x12\2\x10\1", "proto: wrong wireType = 0 for field EmptyDir"),
        ("Container", b"\n\0\0\1", "proto: Container: illegal tag 0 (wire type 0)"),
    ],
)
def test_a_malformed_message_is_refused_in_the_words_of_go(
    definition: str, message: bytes, error: str
) -> None:
    with pytest.raises(DecodeError) as caught:
        read_message(f"{CORE}.{definition}", message)

    assert str(caught.value) == error


def test_a_message_that_is_nested_without_end_is_refused() -> None:
    message = b""
    for _ in range(5_000):
        length = len(message)
        size = bytes([length & 127 | 128, length >> 7 & 127 | 128, length >> 14])
        message = b"\xe2\1" + size + message  # not: a schema within a schema

    with pytest.raises(DecodeError):
        read_message(DEFINITION, message)


def test_a_status_is_written_as_the_real_server_does_it() -> None:
    status = {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": "too old resource version: 1 (34936)",
        "reason": "Expired",
        "code": 410,
    }
    real = (
        b"\0\0\0e\n\x05ERROR\x12\\\nZk8s\0\n\x0c\n\x02v1\x12\x06Status\x12B\n\x06\n\0\x12\0\x1a\0"
        b'\x12\x07Failure\x1a#too old resource version: 1 (34936)"\x07Expired0\x9a\x03\x1a\0"\0'
    )

    assert write_event("ERROR", status) == real


def test_a_config_map_is_written_as_the_real_server_does_it() -> None:
    real = (
        b'k8s\0\n\x0f\n\2v1\x12\tConfigMap\x12e\nT\n\1a\x12\0\x1a\2b1"\0*$119b5c57-6f9b-4ccc-8ba1-cb2705074c89'
        b"2\x05450448\0B\x08\x08\xb1\xd2\xe5\xd7\6\x10\0Z\6\n\1a\x12\0012Z\6\n\1b\x12\0011"
        b'\x12\6\n\1x\x12\1y\x1a\5\n\1e\x12\0\x1a\0"\0'
    )

    assert write_object(CONFIG_MAP) == real


def test_the_older_list_of_metadata_has_its_items_first() -> None:
    items = [{"metadata": {"name": "a"}}]

    def message(version: str) -> bytes:
        kind, api_version = "PartialObjectMetadataList", f"meta.k8s.io/{version}"
        listed = {"kind": kind, "apiVersion": api_version, "metadata": {}, "items": items}
        return Envelope.open(write_object(listed)).message

    newer, older = message("v1"), message("v1beta1")

    assert newer.startswith(b"\n\6\n\0\x12\0\x1a\0\x12")
    assert older.endswith(b"\x12\6\n\0\x12\0\x1a\0")


def test_a_server_that_is_not_asked_for_protobuf_does_not_load_it() -> None:
    program = (
        "import sys, windlass.apiserver as server; server.ApiServer(); "
        "print([name for name in sys.modules if 'protobuf' in name])"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"
