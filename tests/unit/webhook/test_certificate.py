from __future__ import annotations

import asyncio
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from windlass.aio import ManualClock
from windlass.api import Key
from windlass.client import Client
from windlass.cluster import Cluster
from windlass.errors import ConfigError
from windlass.kinds.core.v1 import Secret
from windlass.manager import ManagerOptions, WebhookSettings
from windlass.pki import Lifespan, RotationPolicy
from windlass.webhook import WebhookOptions
from windlass.webhook.certificate import certificates

if TYPE_CHECKING:
    from pathlib import Path

SERVICE = Key("default", "hooks")
DAILY = RotationPolicy(authority_lifetime=timedelta(days=7), serving_lifetime=timedelta(days=1))


@pytest.mark.parametrize(("said", "days"), [({"rotation": DAILY}, 1), ({}, 90)], ids=["said", "usual"])
async def test_certificates_of_our_own_live_as_long_as_is_said(said: dict[str, Any], days: int) -> None:
    options = WebhookOptions(service=SERVICE, **said)
    made = certificates(options, (), ManualClock(), Random(1))
    async with Cluster() as cluster:
        client = Client(cluster.transport())
        running = asyncio.create_task(made.run(client))
        await made.ready()
        running.cancel()
        await asyncio.wait([running])
        secret = await client.get(Secret, "hooks-cert", "default")

    assert Lifespan.of(secret.data["tls.crt"].decode()).length == timedelta(days=days)


@pytest.mark.parametrize("elsewhere", [{}, {"url": "https://192.0.2.7:9443"}], ids=["here", "url"])
def test_a_rotation_of_what_does_not_rotate_is_refused(elsewhere: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="a rotation renews the certificate of webhooks behind a service"):
        WebhookOptions(rotation=DAILY, **elsewhere)


@pytest.mark.parametrize("by", ["certificate", "url"])
def test_flags_that_lead_elsewhere_make_a_rotation_pointless_not_wrong(by: str, tmp_path: Path) -> None:
    settings = {"certificate": tmp_path, "url": "https://127.0.0.1:9443"}
    said = ManagerOptions(webhooks=WebhookSettings(**{by: settings[by]}))  # type: ignore[arg-type]

    assert WebhookOptions(service=SERVICE, rotation=DAILY).under(said).rotation is None
