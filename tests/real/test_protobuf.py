"""Protobuf: of every kind, the real server and our messages read and write the same bytes."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING
from zlib import crc32

import pytest

from broken import OTHERS, WORKLOADS, created, edited, path_of
from contract import Api, Object
from contract_protobuf import received, sent
from contract_reads import PROTOBUF, raw
from contract_target import transport_to
from windlass.apiserver.protobuf import write_object

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from broken import Sample
    from windlass.testing import Access

SAMPLES: dict[str, Sample] = {
    sample.title: sample
    for table in (*OTHERS, *WORKLOADS)
    for sample in import_module(table).SAMPLES
    if "Review" not in sample.title  # reviews are answered, and not kept
}


@pytest.fixture
async def api(control_plane: Access) -> AsyncIterator[Api]:
    """Plain requests as an administrator."""
    transport = transport_to(control_plane)
    yield Api(transport)
    await transport.close()


@pytest.fixture
async def path(api: Api, namespace: str, request: pytest.FixtureRequest) -> AsyncIterator[str]:
    """The path of a sample, which exists; outside namespaces it has a name of its own."""
    sample = SAMPLES[request.param]
    name = sample.valid["metadata"]["name"] if sample.namespaced else _own_name(sample, namespace)
    own = replace(sample, valid=edited(sample.valid, {"/metadata/name": name}))
    collection = path_of(namespace, own)
    async with created(api, collection, own):
        yield f"{collection}/{name}"


@pytest.mark.parametrize("path", SAMPLES, indirect=True)
async def test_both_read_and_write_an_object_alike(api: Api, path: str) -> None:
    theirs = (await raw(api, path, Accept=PROTOBUF)).body
    found = (await api.get(path)).ok()

    assert received(theirs) == _without_kinds(found)
    assert write_object(found) == theirs


@pytest.mark.parametrize("path", SAMPLES, indirect=True)
async def test_the_real_server_reads_what_we_write(api: Api, path: str) -> None:
    found = (await api.get(path)).ok()

    reply = await api.update(path, sent(found), content_type=PROTOBUF, dryRun="All")

    assert reply.ok() == found


@pytest.mark.parametrize("path", SAMPLES, indirect=True)
async def test_both_write_a_list_alike(api: Api, path: str) -> None:
    theirs = (await raw(api, path.rpartition("/")[0], Accept=PROTOBUF)).body

    assert received(theirs)["items"]
    assert write_object(received(theirs)) == theirs


def _without_kinds(obj: Object) -> Object:
    """Only JSON repeats the kind of the claims of a stateful set."""
    claims = obj.get("spec", {}).get("volumeClaimTemplates", ())
    if obj["kind"] == "StatefulSet" and claims:
        bare = [{key: claim[key] for key in claim.keys() - {"kind", "apiVersion"}} for claim in claims]
        return obj | {"spec": obj["spec"] | {"volumeClaimTemplates": bare}}
    return obj


def _own_name(sample: Sample, namespace: str) -> str:
    """A name that no other test uses, of the form that the kind wants."""
    if sample.valid["kind"] != "IPAddress":
        return f"{namespace}-own"
    number = crc32(namespace.encode())
    return f"198.18.{number >> 8 & 255}.{number & 255}"
