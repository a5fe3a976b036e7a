"""Keepers whose requests fail, whose watches break, and whose Secret people meddle with; by seeds."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING

import pytest

from keeping import Site, bundles, configuration
from windlass.apiserver.fault import Faults
from windlass.cluster import Cluster
from windlass.errors import NotFound
from windlass.kinds.admissionregistration.v1 import ValidatingWebhookConfiguration
from windlass.kinds.core.v1 import Secret
from windlass.pki import Lifespan
from windlass.testing import FaultyTransport
from windlass.webhook import Targets

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

MINUTE = timedelta(minutes=1)
STORM = Faults(
    conflict=0.05, busy=0.05, failed=0.05, abandoned=0.05, dropped=0.05, lost=0.1, timed_out=0.05, cut=0.2
)


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with Cluster() as cluster:
        site = Site(cluster)
        yield site
        await site.stop()


async def meddle(site: Site, random: Random, backup: Secret) -> None:
    """Do something to the Secret that people do."""
    deed = random.choice(("delete", "damage", "restore"))
    try:
        if deed == "delete":
            await site.client.delete(Secret, "hooks", "default")
            return
        secret = await site.secret()
    except NotFound:  # nobody has put it back yet
        return
    secret.data = {**secret.data, "tls.crt": b"nonsense"} if deed == "damage" else backup.data
    await site.client.update(secret)


@pytest.mark.parametrize("seed", range(4))
async def test_whatever_befalls_them_replicas_serve_what_the_configuration_trusts(
    site: Site, seed: int
) -> None:
    random = Random(seed)
    await site.client.create(configuration("shop"))
    for _ in range(3):
        await site.started(targets=Targets(validating=("shop",)))
    backup = await site.secret()
    for replica in site.replicas:
        storm = FaultyTransport(site.cluster.transport(), STORM, clock=site.clock, random=random)
        replica.way.use(storm)
        replica.way.cut()
    signed, accepted = set(), set()
    for minute in range(5 * 60):
        await site.elapse(MINUTE, MINUTE)
        if minute % 20 == 19:
            await meddle(site, random, backup)
        trusted = bundles(await site.client.get(ValidatingWebhookConfiguration, "shop"))[0]
        for replica in site.replicas:
            keyring = replica.keeper.keyring
            assert keyring is not None
            signed.add(keyring.authority.certificate)
            pair = (keyring.serving.certificate, trusted)
            assert pair in accepted or replica.is_trusted_by(trusted), f"after {minute} minutes"
            accepted.add(pair)
            assert Lifespan.of(keyring.serving.certificate).holds(site.clock.now()), f"after {minute} minutes"

    for replica in site.replicas:
        replica.way.use(site.cluster.transport())
        replica.way.cut()
    await site.elapse(5 * MINUTE, MINUTE)
    await site.agreed()
    assert await site.stored() == site.replicas[0].keeper.keyring
    assert len(signed) >= 3
