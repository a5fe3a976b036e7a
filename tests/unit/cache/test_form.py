"""What is kept of an object."""

from __future__ import annotations

import sys
from typing import Any

import orjson
import pytest

from windlass.api import Key, Selection
from windlass.cache.form import Form
from windlass.cache.redact import Redactor
from windlass.kinds.core.v1 import ConfigMap, Pod, Secret

REDACTOR = Redactor(b"key")


def form(**selection: Any) -> Form:
    return Form.of(Pod, Selection(**selection), REDACTOR)


def pod() -> dict[str, Any]:
    return {
        "kind": "Pod",
        "apiVersion": "v1",
        "metadata": {"name": "a", "uid": "u", "managedFields": [{"manager": "m"}, {"manager": "n"}]},
        "spec": {"nodeName": "node", "containers": [{"name": "c", "image": "i"}]},
        "status": {"phase": "Running"},
    }


def test_kind_name_and_managed_fields_are_not_kept() -> None:
    kept = orjson.loads(form().pack(pod()))

    assert kept == {"metadata": {"uid": "u"}, "spec": pod()["spec"], "status": pod()["status"]}


def test_a_snapshot_knows_the_name_that_its_text_does_not_have() -> None:
    given = pod()
    given["metadata"]["namespace"] = "default"
    found = form().snapshot(Pod, given)

    assert b"default" not in found.raw
    assert (found.metadata["namespace"], found.metadata["name"]) == ("default", "a")
    assert found.decode().metadata.namespace == "default"
    assert given["metadata"]["name"] == "a"


def test_the_text_has_its_exact_size() -> None:
    raw = form().pack(pod())

    assert sys.getsizeof(raw) == sys.getsizeof(b"") + len(raw)
    assert type(raw) is bytes


def test_entries_of_managers_that_are_asked_for_are_kept() -> None:
    kept = orjson.loads(form().keeping("n").keeping("o").pack(pod()))

    assert kept["metadata"]["managedFields"] == [{"manager": "n"}]


@pytest.mark.parametrize(
    ("keep", "expected"),
    [
        ((".spec.nodeName",), {"spec": {"nodeName": "node"}}),
        ((".spec.nodeName", ".status"), {"spec": {"nodeName": "node"}, "status": {"phase": "Running"}}),
        ((".spec", ".spec.nodeName"), {"spec": pod()["spec"]}),
        ((".spec.nodeName", ".spec"), {"spec": pod()["spec"]}),
        ((".spec.containers.name",), {"spec": {}}),
        ((".nothing.here",), {}),
        ((".status.phase.deeper",), {"status": {}}),
    ],
)
def test_paths_to_keep_are_kept(keep: tuple[str, ...], expected: dict[str, Any]) -> None:
    assert orjson.loads(form(keep=keep).pack(pod())) == {"metadata": {"uid": "u"}, **expected}


@pytest.mark.parametrize("path", ["spec", ".", "", ".a..b", ".spec.containers[0]"])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="cannot be kept"):
        form(keep=(path,))


def test_metadata_alone_is_asked_for_and_kept() -> None:
    small = form(metadata_only=True)

    assert orjson.loads(small.pack(pod())) == {"metadata": {"uid": "u"}}
    assert small.accept().startswith("application/json;as=PartialObjectMetadata;")
    assert small.accept(listing=True).startswith("application/json;as=PartialObjectMetadataList;")
    assert form().accept() == "application/json"


def test_a_reduced_form_may_receive_everything_for_the_sake_of_indexes() -> None:
    reduced = form().reduced(transfer_all=True)

    assert reduced.accept() == "application/json"
    assert orjson.loads(reduced.pack(pod())) == {"metadata": {"uid": "u"}}
    assert orjson.loads(form().reduced(transfer_all=False).repack(form().pack(pod()))) == {
        "metadata": {"uid": "u"}
    }


def test_only_secrets_are_redacted_and_only_unless_their_values_are_asked_for() -> None:
    where = Key("default", "s")
    assert Form.of(Secret, Selection(), REDACTOR).withholds(where, {})
    assert not Form.of(Secret, Selection(values=True), REDACTOR).withholds(where, {})
    assert not Form.of(ConfigMap, Selection(), REDACTOR).withholds(where, {})


def test_the_values_of_secrets_that_are_owned_or_referred_to_are_kept() -> None:
    kept = Form.of(Secret, Selection(), REDACTOR)
    assert kept.values is not None
    kept.values.owners.add(("demo.example.com", "Shop"))
    kept.values.referrers.append(lambda key: key.name == "token")
    owner = {"apiVersion": "demo.example.com/v2", "kind": "Shop", "name": "a", "uid": "u", "controller": True}

    assert not kept.withholds(Key("default", "s"), {"ownerReferences": [owner]})
    assert kept.withholds(Key("default", "s"), {"ownerReferences": [{**owner, "controller": False}]})
    assert kept.withholds(Key("default", "s"), {"ownerReferences": [{**owner, "kind": "Stall"}]})
    assert kept.withholds(Key("default", "s"), {"ownerReferences": [{**owner, "apiVersion": "v1"}]})
    assert not kept.withholds(Key("default", "token"), {})
