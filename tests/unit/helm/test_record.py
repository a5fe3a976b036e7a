"""Records of releases, in the form that Helm gives them."""

from __future__ import annotations

import gzip
import tracemalloc
from base64 import b64encode
from typing import Any

import orjson
import pytest

from windlass.api import Key, ObjectMeta
from windlass.errors import UndecodableError
from windlass.helm.record import ReleaseRecord, read_record, unpacked, with_state

RELEASE: dict[str, Any] = {
    "name": "web",
    "namespace": "shop",
    "version": 3,
    "info": {"status": "pending-upgrade", "notes": "Hello", "description": "Preparing upgrade"},
    "chart": {"metadata": {"name": "shop", "version": "1.2.3", "appVersion": "9"}, "templates": []},
    "manifest": "---\nkind: ConfigMap\n",
    "hooks": [{"name": "migrate"}],
}


def record(release: dict[str, Any] = RELEASE) -> ReleaseRecord:
    packed = b64encode(b64encode(gzip.compress(orjson.dumps(release)))).decode()
    metadata = ObjectMeta(name="sh.helm.release.v1.web.v3", namespace="shop", labels={"name": "web"})
    return ReleaseRecord(metadata=metadata, type="helm.sh/release.v1", data={"release": packed})


def test_a_record_is_read() -> None:
    revision = read_record(record())

    assert revision.release == Key("shop", "web")
    assert (revision.number, revision.state) == (3, "pending-upgrade")
    assert (revision.chart, revision.chart_version, revision.app_version) == ("shop", "1.2.3", "9")
    assert revision.manifest == RELEASE["manifest"]
    assert revision.notes == "Hello"
    assert revision.hooks == ({"name": "migrate"},)
    assert revision.labels == {"name": "web"}


def test_a_record_of_another_release_is_undecodable() -> None:
    with pytest.raises(UndecodableError, match="it is about release shop/other"):
        read_record(record({**RELEASE, "name": "other"}))


def test_a_record_can_be_given_another_end_and_loses_nothing() -> None:
    before = record()
    patch = with_state(before, "failed", "given up")

    after = ReleaseRecord(metadata=before.metadata, data=patch["data"])
    revision = read_record(after)

    assert patch["metadata"] == {"labels": {"status": "failed"}}
    assert (revision.state, revision.description) == ("failed", "given up")
    assert (revision.manifest, revision.notes, revision.number) == (RELEASE["manifest"], "Hello", 3)


@pytest.mark.parametrize(
    "data", [{}, {"release": "!"}, {"release": "YWJj"}, {"release": b64encode(b"YWJj").decode()}]
)
def test_a_damaged_record_is_named(data: dict[str, str]) -> None:
    with pytest.raises(UndecodableError, match=r"Secret shop/sh\.helm\.release\.v1\.web\.v3 is no record"):
        read_record(ReleaseRecord(metadata=record().metadata, data=data))


def test_a_record_that_unpacks_to_too_much_is_refused_within_bounded_memory() -> None:
    large = gzip.compress(b'{"manifest": "' + bytes(200 * 2**20) + b'"}', 1)
    data = {"release": b64encode(b64encode(large)).decode()}
    tracemalloc.start()
    try:
        with pytest.raises(UndecodableError, match="is larger than 32 MiB"):
            unpacked(ReleaseRecord(metadata=record().metadata, data=data))
        assert tracemalloc.get_traced_memory()[1] < 100 * 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (gzip.compress(b"[" + b"[]," * 600_000 + b"[]]"), "more than 1000000 values"),
        (gzip.compress(orjson.dumps(RELEASE))[:-12], "its end is missing"),
        (gzip.compress(b"{}")[:-8] + bytes(8), "incorrect data check"),
        (gzip.compress(b"[]"), "is not an object"),
        (gzip.compress(b"{}"), "a field is missing"),
        *(
            (gzip.compress(orjson.dumps({**RELEASE, **change})), "of another type")
            for change in (
                {"info": [1]},
                {"info": "text"},
                {"chart": [1]},
                {"version": "three"},
                {"manifest": {"a": 1}},
                {"hooks": 1},
                {"name": 7},
            )
        ),
    ],
    ids=range(12),
)
def test_a_record_that_is_not_what_helm_writes_is_undecodable(content: bytes, why: str) -> None:
    data = {"release": b64encode(b64encode(content)).decode()}

    with pytest.raises(UndecodableError, match=why):
        read_record(ReleaseRecord(metadata=record().metadata, data=data))
