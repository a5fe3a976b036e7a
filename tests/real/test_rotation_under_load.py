"""Certificates that live for 20 seconds are replaced again and again, and no client notices."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from keeping import configuration
from polling import until
from real import administrator
from rotation_load import Load, replica
from windlass.kinds.admissionregistration.v1 import ValidatingWebhookConfiguration
from windlass.pki import RotationPolicy
from windlass.webhook import CertificateKeeper, KeeperOptions, Targets

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from windlass.client import Client
    from windlass.testing import Access

AUTHORITIES = 4


def policy(propagation: float) -> RotationPolicy:
    return RotationPolicy(
        authority_lifetime=timedelta(seconds=40),
        serving_lifetime=timedelta(seconds=20),
        propagation=timedelta(seconds=propagation),
        leeway=timedelta(seconds=1),
    )


def keeper(namespace: str, propagation: float) -> CertificateKeeper:
    options = KeeperOptions(
        secret="hooks",
        namespace=namespace,
        hosts=("127.0.0.1",),
        targets=Targets(validating=(namespace,)),
        policy=policy(propagation),
    )
    return CertificateKeeper(options)


@asynccontextmanager
async def loaded(client: Client, namespace: str, *, propagation: float, lag: float) -> AsyncIterator[Load]:
    """Two replicas that share certificates, an API server that calls one, and clients that call both."""
    keepers = [keeper(namespace, propagation) for _ in range(2)]
    async with replica(client, keepers[0]) as first, replica(client, keepers[1]) as second:
        hook = configuration(namespace).to_wire()
        hook["webhooks"][0] |= {
            "clientConfig": {"url": f"https://127.0.0.1:{first}/"},
            "rules": [
                {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["configmaps"]}
            ],
            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": namespace}},
        }
        await client.create(ValidatingWebhookConfiguration.from_wire(hook))
        load = Load(client, namespace, lag)
        work = [load.follow(), load.write(namespace), load.connect(first), load.connect(second)]
        tasks = [asyncio.create_task(each) for each in work]
        try:
            yield load
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            await client.delete(ValidatingWebhookConfiguration, namespace)
    assert all(task.cancelled() for task in tasks), "a client gave up"


async def happens(condition: Callable[[], bool]) -> None:
    async def ask() -> bool:
        return condition()

    await until(ask, every=0.1, patience=120)


@pytest.mark.timeout(180)
async def test_no_connection_is_dropped_or_distrusted_over_several_rotations(
    control_plane: Access, namespace: str, record_property: Callable[[str, object], None]
) -> None:
    async with (
        administrator(control_plane, namespace) as client,
        loaded(client, namespace, propagation=2, lag=1) as load,
    ):
        await happens(lambda: bool(load.failed) or len(load.signers) == AUTHORITIES)

    assert load.failed == []
    assert min(load.done["connections"], load.done["reviews"]) > 100
    for name, value in (
        *load.done.items(),
        ("certificates", len(load.shown)),
        ("bundles", len(load.published)),
    ):
        record_property(name, value)


@pytest.mark.timeout(180)
async def test_a_client_that_lags_for_longer_than_the_policy_says_is_what_fails(
    control_plane: Access, namespace: str
) -> None:
    async with (
        administrator(control_plane, namespace) as client,
        loaded(client, namespace, propagation=0, lag=4) as load,
    ):
        await happens(lambda: any("CERTIFICATE_VERIFY_FAILED" in each for each in load.failed))

    assert load.done["connections"] > 0
