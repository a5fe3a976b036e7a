from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.admission.account_secret import uses_secrets

NAMED = {"name": "x"}


@pytest.mark.parametrize(
    "volume",
    [
        {"secret": {"secretName": "x"}},
        {"azureFile": {"secretName": "x", "shareName": "y"}},
        {"csi": {"driver": "y", "nodePublishSecretRef": NAMED}},
        {"projected": {"sources": [{"configMap": {"name": "y"}}, {"secret": NAMED}]}},
        *({kind: {"secretRef": NAMED}} for kind in ("cephfs", "cinder", "flexVolume", "rbd")),
        *({kind: {"secretRef": NAMED}} for kind in ("scaleIO", "iscsi", "storageos")),
    ],
    ids=lambda volume: next(iter(volume)),
)
def test_volumes_may_need_secrets(volume: dict[str, Any]) -> None:
    assert uses_secrets({"volumes": [{"name": "a", "emptyDir": {}}, {"name": "b", **volume}]})


@pytest.mark.parametrize("kind", ["containers", "initContainers", "ephemeralContainers"])
@pytest.mark.parametrize(
    "environment",
    [
        {"envFrom": [{"secretRef": NAMED}]},
        {"env": [{"name": "A", "valueFrom": {"secretKeyRef": {"name": "x", "key": "y"}}}]},
    ],
    ids=["whole", "one-key"],
)
def test_containers_may_need_secrets(kind: str, environment: dict[str, Any]) -> None:
    assert uses_secrets({kind: [{"name": "a", **environment}]})


def test_images_may_need_secrets() -> None:
    assert uses_secrets({"imagePullSecrets": [NAMED]})


@pytest.mark.parametrize(
    "spec",
    [
        {},
        {"imagePullSecrets": [{}]},
        {
            "volumes": [
                {"name": "a", "cephfs": {"monitors": ["x"]}},
                {"name": "b", "configMap": {"name": "y"}},
            ]
        },
        {
            "containers": [
                {"name": "a", "env": [{"name": "A", "value": "b"}], "envFrom": [{"configMapRef": NAMED}]}
            ]
        },
    ],
    ids=["nothing", "no-name", "volumes", "environment"],
)
def test_most_need_none(spec: dict[str, Any]) -> None:
    assert not uses_secrets(spec)
