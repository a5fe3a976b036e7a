from __future__ import annotations

import asyncio
import ssl
from contextlib import asynccontextmanager
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING

import pytest

from caching import turns
from keeping import Way, bundles, configuration
from windlass.aio import ManualClock
from windlass.api import Key
from windlass.client import Client
from windlass.cluster import Cluster
from windlass.errors import ConfigError
from windlass.kinds.admissionregistration.v1 import ValidatingWebhookConfiguration
from windlass.manager import ManagerOptions, WebhookSettings
from windlass.pki import authority, serving_certificate
from windlass.webhook import MountedCertificates, Targets, WebhookOptions, inject_ca_from
from windlass.webhook.certificate import certificates

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

OLD, NEW = authority("old"), authority("new")


class Mounted:
    """A folder that somebody else fills, and an API server."""

    def __init__(self, cluster: Cluster, folder: Path) -> None:
        self.client = Client(cluster.transport())
        self.way = Way(cluster.transport())
        self.clock = ManualClock()
        self.folder = folder

    @asynccontextmanager
    async def running(self, targets: Targets | None = None) -> AsyncIterator[MountedCertificates]:
        mounted = MountedCertificates(self.folder, targets, clock=self.clock, random=Random(1))
        task = asyncio.create_task(mounted.run(Client(self.way)))
        await turns(300)
        try:
            yield mounted
        finally:
            task.cancel()
            await asyncio.wait((task,))

    async def pause(self) -> None:
        await self.clock.advance(timedelta(seconds=20))
        await turns(300)

    async def trusted(self) -> list[str]:
        return bundles(await self.client.get(ValidatingWebhookConfiguration, "shop"))


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Mounted]:
    async with Cluster() as cluster:
        yield Mounted(cluster, tmp_path)


async def test_a_bundle_that_is_mounted_is_injected_and_so_is_the_next_one(site: Mounted) -> None:
    await site.client.create(configuration("shop"))
    (site.folder / "ca.crt").write_text(OLD.certificate)
    async with site.running(Targets(validating=("shop",))):
        assert await site.trusted() == [OLD.certificate]

        (site.folder / "ca.crt").write_text(OLD.certificate + NEW.certificate)
        await site.pause()

        assert await site.trusted() == [OLD.certificate + NEW.certificate]


async def test_a_bundle_that_comes_late_is_waited_for(site: Mounted) -> None:
    await site.client.create(configuration("shop"))
    async with site.running(Targets(validating=("shop",))):
        assert await site.trusted() == [""]

        (site.folder / "ca.crt").write_text(OLD.certificate)
        await site.pause()

        assert await site.trusted() == [OLD.certificate]


async def test_where_cert_manager_injects_nothing_is_asked_and_nothing_written(site: Mounted) -> None:
    await site.client.create(configuration("shop"))
    (site.folder / "ca.crt").write_text(OLD.certificate)
    async with site.running() as mounted:
        await site.pause()

    assert mounted.rules == []
    assert site.way.requests == []
    assert inject_ca_from("shop", "serving-cert") == {"cert-manager.io/inject-ca-from": "shop/serving-cert"}


async def test_it_serves_by_the_files(site: Mounted) -> None:
    mounted = MountedCertificates(site.folder)
    with pytest.raises(ConfigError, match="webhooks cannot be secured"):
        _ = mounted.context

    pair = serving_certificate(OLD, ["localhost"])
    (site.folder / "tls.crt").write_text(pair.certificate)
    (site.folder / "tls.key").write_text(pair.key)
    assert mounted.context is mounted.context


def test_a_folder_that_the_flags_name_takes_the_place_of_a_secret_of_our_own(tmp_path: Path) -> None:
    pair = serving_certificate(OLD, ["hooks.shop.svc"])
    for name, text in (("tls.crt", pair.certificate), ("tls.key", pair.key), ("ca.crt", OLD.certificate)):
        (tmp_path / name).write_text(text)
    said = ManagerOptions(webhooks=WebhookSettings(certificate=tmp_path))
    own = WebhookOptions(service=Key("shop", "hooks"), secret="kept")

    made = certificates(own.under(said), (), ManualClock(), Random(1))

    assert isinstance(made, MountedCertificates)
    assert isinstance(made.context, ssl.SSLContext)  # it raises where there is no pair
    assert (made.bundle, list(made.rules)) == (OLD.certificate, [])
