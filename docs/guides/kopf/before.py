"""Budgets with kopf: each is a ResourceQuota in its namespace. Run with `kopf run before.py`."""

from typing import Any

import kopf
from lightkube import Client
from lightkube.resources.core_v1 import ResourceQuota

BUDGETS = ("demo.example.com", "v1", "budgets")


@kopf.on.startup()
def connect(memo: kopf.Memo, **_: Any) -> None:
    memo.client = Client()


@kopf.on.create(*BUDGETS)
@kopf.on.resume(*BUDGETS)
@kopf.on.update(*BUDGETS, field="spec.cpu")
def limit(name: str, namespace: str, spec: kopf.Spec, memo: kopf.Memo, **_: Any) -> None:
    quota = {
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"hard": {"requests.cpu": spec["cpu"]}},
    }
    kopf.adopt(quota)
    memo.client.apply(ResourceQuota.from_dict(quota), field_manager="budgets", force=True)


@kopf.timer(*BUDGETS, interval=1.0, backoff=1.0)
def report(name: str, namespace: str, memo: kopf.Memo, patch: kopf.Patch, **_: Any) -> None:
    quota = memo.client.get(ResourceQuota, name, namespace=namespace)
    patch.status["cpu"] = quota.spec.hard["requests.cpu"]


@kopf.on.delete(*BUDGETS)
def farewell(body: kopf.Body, logger: kopf.Logger, **_: Any) -> None:
    logger.info("the budget of %s is gone", body["metadata"]["namespace"])
