"""Patches of webhooks, of every sort."""

from __future__ import annotations

import base64
from random import Random
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from contract import MERGE, Api, config_map, pod
from contract_crd import Definitions, definition, obj, string, version
from logged import logged
from windlass.apiserver.outside import Answer
from windlass.cluster import Cluster

if TYPE_CHECKING:
    from contract import Object

FIELDS = ("", "/kind", "/apiVersion", "/data", "/spec", "/spec/containers", "/spec/containers/0", "/status")
METADATA = ("", "/name", "/namespace", "/uid", "/labels", "/finalizers", "/managedFields", "/ownerReferences")
PATHS = (*FIELDS, *(f"/metadata{each}" for each in METADATA), "/spec/containers/-", "/metadata/labels/a")
VALUES: tuple[Any, ...] = (
    None,
    True,
    1,
    "",
    "x",
    [],
    [1],
    [None],
    [[]],
    [{}],
    {},
    {"a": "b"},
    {"a": 1},
    {"metadata": 5},
)
OPERATIONS = ("add", "add", "remove", "replace", "test", "copy", "move")
RULE = {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*/*"]}
WEBHOOK = {
    "name": "patch.example.com",
    "clientConfig": {"service": {"name": "patcher", "namespace": "default"}},
    "rules": [RULE],
    "admissionReviewVersions": ["v1"],
    "sideEffects": "None",
}
CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations"
PLACE = "/api/v1/namespaces/default"


class Patcher:
    """A webhook that patches at random."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)
        self.last: list[Object] = []

    async def __call__(self, _path: str, body: bytes) -> Answer:
        review = orjson.loads(body)
        self.last = [self._operation() for _ in range(self._chance.randint(1, 3))]
        review["response"] = {
            "uid": review["request"]["uid"],
            "allowed": True,
            "patchType": "JSONPatch",
            "patch": base64.b64encode(orjson.dumps(self.last)).decode(),
        }
        return Answer(200, orjson.dumps(review))

    def _operation(self) -> Object:
        choose = self._chance.choice
        return {
            "op": choose(OPERATIONS),
            "path": choose(PATHS),
            "from": choose(PATHS),
            "value": choose(VALUES),
        }


async def requests(api: Api, widgets: str, number: int) -> list[Any]:
    """One request of each sort, of which the writes that exist already are changes."""
    binding = {"metadata": {"name": "p"}, "target": {"kind": "Node", "name": "n"}}
    label = {"metadata": {"labels": {"is": str(number)}}}
    widget = {"metadata": {"name": f"w{number}"}, "spec": {}}
    return [
        await api.create(f"{PLACE}/configmaps", config_map(f"c{number}", {"a": "b"})),
        await api.create(f"{PLACE}/pods", pod(f"p{number}")),
        await api.patch(f"{PLACE}/configmaps/c", label),
        await api.apply(f"{PLACE}/configmaps/c", config_map("c", {"a": str(number)}), force=True),
        await api.patch(f"{PLACE}/pods/p/status", {"status": {"message": str(number)}}, MERGE),
        await api.create(f"{PLACE}/pods/p/binding", binding, dryRun="All"),
        await api.get(f"{PLACE}/pods/p/attach"),
        await api.create(widgets, {"apiVersion": "example.com/v2", "kind": "Widget", **widget}),
        await api.patch(f"{widgets}/w", label),
        await api.delete(f"{PLACE}/configmaps/c", dryRun="All"),
    ]


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_a_patch_leaves_is_no_fault_of_the_server(
    seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    cluster, patcher = Cluster(), Patcher(seed)
    cluster.lead("patcher.default.svc:443", patcher)
    api = Api(cluster.transport())
    schema = obj(spec=obj(containers={"type": "array", "items": obj(name=string(default="d"))}))
    crd = definition("example.com", version("v1", schema), version("v2", schema, storage=False))
    kind = (await Definitions(api, "default").serve_definition(crd)).through("v2")
    (await kind.create("w", spec={})).ok()
    (await api.create(f"{PLACE}/configmaps", config_map("c", {"a": "b"}))).ok()
    (await api.create(f"{PLACE}/pods", pod("p"))).ok()
    (await api.create(CONFIGURATIONS, {"metadata": {"name": "patcher"}, "webhooks": [WEBHOOK]})).ok()

    seen: set[int] = set()
    for number in range(30):
        seen |= {each.status for each in await requests(api, kind.path, number)}
        assert not logged(caplog), patcher.last

    assert {200, 201, 422, 500} <= seen
