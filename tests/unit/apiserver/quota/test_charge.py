"""Charging a quota for writes that somebody else has to be asked about first."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from contract import Api, config_map, pod
from contract_quota import Quotas
from windlass.apiserver.outside import Answer
from windlass.cluster import Cluster, ClusterOptions

SPACE = "/api/v1/namespaces/default"
WEBHOOKS = "/apis/admissionregistration.k8s.io/v1"
RULE = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["*/*"]}


class Judge:
    """A webhook that allows things or does not, and remembers what it was asked about."""

    def __init__(self) -> None:
        self.allows = True
        self.asked: list[dict[str, Any]] = []

    async def __call__(self, _path: str, body: bytes) -> Answer:
        request = orjson.loads(body)["request"]
        self.asked.append(request)
        response = {"uid": request["uid"], "allowed": self.allows}
        review = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response}
        return Answer(200, orjson.dumps(review))


@pytest.fixture
def judge() -> Judge:
    return Judge()


@pytest.fixture
async def api(judge: Judge) -> Api:
    """A server that counts nothing anew, and asks the judge about everything, twice."""
    cluster = Cluster(ClusterOptions(recount=False, service_accounts=True))
    cluster.lead("judge.default.svc:443", judge)
    found = Api(cluster.transport())
    (await found.create(f"{SPACE}/serviceaccounts", {"metadata": {"name": "default"}})).ok()
    await Quotas(found, "default").limit({"configmaps": "3", "pods": "3"})
    webhook = {
        "name": "judge.example.com",
        "clientConfig": {"service": {"name": "judge", "namespace": "default"}},
        "admissionReviewVersions": ["v1"],
        "sideEffects": "None",
        "rules": [RULE],
    }
    for kind in ("mutating", "validating"):
        body = {"metadata": {"name": "judge"}, "webhooks": [webhook]}
        (await found.create(f"{WEBHOOKS}/{kind}webhookconfigurations", body)).ok()
    return found


async def used(api: Api) -> dict[str, str]:
    return dict(await Quotas(api, "default").used())


async def test_a_write_is_charged_once_however_often_it_is_begun(api: Api, judge: Judge) -> None:
    (await api.create(f"{SPACE}/configmaps", config_map("a"))).ok()

    assert len(judge.asked) == 2
    assert await used(api) == {"configmaps": "1", "pods": "0"}


async def test_what_others_do_not_allow_is_not_charged(api: Api, judge: Judge) -> None:
    judge.allows = False

    assert (await api.create(f"{SPACE}/configmaps", config_map("a"))).status == 400

    assert await used(api) == {"configmaps": "0", "pods": "0"}


async def test_the_pod_that_others_judge_is_the_one_that_is_stored(api: Api, judge: Judge) -> None:
    plain = pod("a")
    del plain["spec"]["automountServiceAccountToken"]

    stored = (await api.create(f"{SPACE}/pods", plain)).ok()

    judged = judge.asked[-1]["object"]
    assert judged["spec"]["volumes"] == stored["spec"]["volumes"]
    assert judged["metadata"]["uid"] == stored["metadata"]["uid"]
    assert await used(api) == {"configmaps": "0", "pods": "1"}
