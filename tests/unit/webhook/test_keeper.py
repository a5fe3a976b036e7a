from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from caching import eventually, turns
from keeping import HOST, POLICY, Site, bundles, configuration
from logged import logged
from windlass.api import ObjectMeta
from windlass.cluster import Cluster
from windlass.errors import ConfigError
from windlass.kinds.admissionregistration.v1 import ValidatingWebhookConfiguration
from windlass.kinds.core.v1 import Secret
from windlass.pki import Lifespan, RotationPolicy
from windlass.pki.lifespan import hosts_of
from windlass.testing.privilege import least_privilege
from windlass.webhook import CertificateKeeper, KeeperOptions, Targets

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

MINUTE = timedelta(minutes=1)
THEIRS = {"tls.crt": b"theirs", "tls.key": b"theirs"}
TARGETS = Targets(validating=("shop",))


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with Cluster() as cluster:
        site = Site(cluster)
        yield site
        await site.stop()


async def until_renewed(site: Site, revision: int = 2) -> None:
    """Move to the moment at which something was done."""
    while site.replicas[0].revision < revision:
        await site.elapse(MINUTE, MINUTE)
    await site.agreed(revision)


async def test_replicas_that_start_together_share_one_keyring(site: Site) -> None:
    for _ in range(5):
        site.start()
    await site.agreed()

    stored = await site.stored()
    assert stored.revision == 1
    assert all(replica.keeper.keyring == stored for replica in site.replicas)
    assert all(replica.is_trusted_by(stored.bundle) for replica in site.replicas)
    assert hosts_of(stored.serving.certificate) == {HOST}
    assert (await site.secret()).type == "kubernetes.io/tls"


async def test_whoever_is_first_renews_and_the_others_take_it_up(site: Site) -> None:
    for _ in range(3):
        site.start()
    await site.agreed()

    await until_renewed(site)

    stored = await site.stored()
    assert stored.revision == 2
    assert [replica.keeper.keyring for replica in site.replicas] == [stored] * 3


async def test_while_nothing_is_due_the_secret_is_read_once_an_hour(site: Site) -> None:
    replica = await site.started(policy=RotationPolicy())
    replica.way.requests.clear()

    await site.elapse(200 * MINUTE, MINUTE)

    asked = [request for request in replica.way.requests if request.path.endswith("/secrets/hooks")]
    assert [request.method for request in asked] == ["GET"] * 3


async def test_a_secret_that_is_deleted_by_hand_is_put_back_as_it_was(site: Site) -> None:
    first, second = await site.started(), await site.started()
    before = await site.stored()

    await site.client.delete(Secret, "hooks", "default")
    await turns(600)

    assert await site.stored() == before == first.keeper.keyring == second.keeper.keyring


@pytest.mark.parametrize("damage", [{}, {"tls.crt": b"nonsense"}, {"ca.key": b"", "revision": b"7"}])
async def test_a_secret_that_is_damaged_is_put_back_as_it_was(site: Site, damage: dict[str, bytes]) -> None:
    replica = await site.started()
    before = await site.stored()
    secret = await site.secret()
    secret.data = {"tls.crt": b"", "tls.key": b"", **damage} if not damage else {**secret.data, **damage}

    await site.client.update(secret)
    await turns(600)

    assert await site.stored() == before == replica.keeper.keyring


async def test_a_secret_that_is_restored_from_old_does_not_bring_old_certificates_back(site: Site) -> None:
    await site.started()
    old = await site.secret()
    await until_renewed(site)
    before = await site.stored()

    old.metadata.resource_version = ""
    await site.client.update(old)
    await turns(600)

    assert await site.stored() == before


async def test_who_knows_nothing_better_replaces_what_is_damaged_and_says_why(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    await (await site.started()).stop()
    site.replicas.clear()
    secret = await site.secret()
    del secret.data["ca.key"]
    await site.client.update(secret)

    with caplog.at_level(logging.WARNING, "windlass.webhook"):
        replica = await site.started()

    assert replica.is_trusted_by((await site.stored()).bundle)
    warnings = [each.getMessage() for each in logged(caplog) if each.levelno >= logging.WARNING]
    assert warnings == ["The Secret default/hooks holds no certificates that can be used: there is no ca.key"]


@pytest.mark.parametrize(
    ("sort", "data", "described"),
    [
        ("Opaque", {"user": b"a", "password": b"b"}, "type Opaque and with keys password, user"),
        ("kubernetes.io/tls", THEIRS, "type kubernetes.io/tls and with keys tls.crt, tls.key"),
        ("example.com/empty", {}, "type example.com/empty and with no data"),
    ],
    ids=["password", "certificate", "empty"],
)
async def test_a_secret_that_somebody_else_made_is_left_alone_until_it_is_gone(
    site: Site, sort: str, data: dict[str, bytes], described: str
) -> None:
    metadata = ObjectMeta(name="hooks", namespace="default")
    theirs = await site.client.create(Secret(metadata=metadata, type=sort, data=data))
    replica = site.start()
    await eventually(lambda: "somebody else's" in (replica.keeper.problem() or ""))

    said, found = replica.keeper.problem() or "", await site.secret()
    await site.client.delete(Secret, "hooks", "default")
    await eventually(lambda: replica.keeper.problem() is None)

    assert found == theirs
    assert said == (
        f"the Secret default/hooks is somebody else's, of {described}, and is left as it is; "
        "name another one for the certificates of webhooks (WebhookOptions.secret), or delete it"
    )


async def test_a_secret_that_somebody_has_made_theirs_is_left_alone_and_we_go_on_serving(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    replica = await site.started()
    bundle = replica.keeper.bundle
    secret = await site.secret()
    secret.metadata.labels, secret.data = {}, THEIRS
    theirs = await site.client.update(secret)
    await eventually(lambda: any("somebody else's" in each for each in caplog.messages))

    assert await site.secret() == theirs
    assert replica.is_trusted_by(bundle)
    assert replica.keeper.problem() is None


async def test_a_keyring_of_before_there_was_a_label_is_ours_and_gets_it(site: Site) -> None:
    await (await site.started()).stop()
    site.replicas.clear()
    secret = await site.secret()
    secret.metadata.labels = {}
    await site.client.update(secret)

    await site.started()
    await until_renewed(site)

    assert (await site.secret()).metadata.labels == {"app.kubernetes.io/managed-by": "windlass"}


async def test_a_replica_that_is_cut_off_goes_on_serving_and_catches_up(site: Site) -> None:
    first, second = await site.started(), await site.started()
    second.way.partition()

    while first.revision < 2:
        await site.elapse(MINUTE, MINUTE)
    assert second.revision == 1
    assert second.keeper.problem() is None
    assert second.is_trusted_by((await site.stored()).bundle)

    second.way.heal()
    await site.elapse(5 * MINUTE, MINUTE)
    assert second.keeper.keyring == first.keeper.keyring


async def test_it_is_not_ready_without_a_certificate_or_with_one_that_has_expired(site: Site) -> None:
    lost = site.start()
    lost.way.lost = ("GET",)
    await eventually(lambda: "lost" in (lost.keeper.problem() or ""))

    lost.way.lost = ()
    await site.elapse(MINUTE, MINUTE)
    assert lost.keeper.problem() is None

    lost.way.lost = ("GET", "PUT")
    site.clock.jump(POLICY.serving_lifetime)
    assert "the certificate has expired" in (lost.keeper.problem() or "")


async def test_over_many_rotations_every_certificate_is_trusted_by_the_bundle_of_its_time(site: Site) -> None:
    await site.client.create(configuration("shop"))
    for _ in range(2):
        await site.started(targets=TARGETS)
    authorities = set()
    for _ in range(9 * 60):
        now = site.clock.now()
        trusted = bundles(await site.client.get(ValidatingWebhookConfiguration, "shop"))[0]
        for replica in site.replicas:
            keyring = replica.keeper.keyring
            assert keyring is not None
            authorities.add(keyring.authority.certificate)
            assert replica.is_trusted_by(trusted)
            assert Lifespan.of(keyring.serving.certificate).holds(now)
        await site.elapse(MINUTE, MINUTE)

    assert len(authorities) >= 4


async def test_an_authority_does_not_sign_before_its_certificate_is_where_clients_read_it(site: Site) -> None:
    await site.client.create(configuration("shop"))
    replica = await site.started(targets=TARGETS)
    first = replica.keeper.keyring
    assert first is not None
    replica.way.lost = ("PATCH",)
    await site.elapse(POLICY.authority_lifetime * 2 / 3 + 10 * MINUTE, MINUTE)

    held = await site.stored()
    assert held.coming is not None
    assert held.authority == first.authority

    replica.way.lost = ()
    await site.elapse(POLICY.propagation, MINUTE)
    assert (await site.stored()).authority == first.authority
    await site.elapse(4 * POLICY.propagation, MINUTE)
    assert (await site.stored()).authority == held.coming


async def test_it_needs_exactly_what_its_rules_say(site: Site) -> None:
    await site.client.create(configuration("shop"))
    options = KeeperOptions(secret="hooks", namespace="default", hosts=(HOST,), targets=TARGETS)
    async with least_privilege(site.cluster, CertificateKeeper(options).rules) as granted:
        replica = site.start(targets=TARGETS)
        replica.way.use(granted.client.transport)
        await until_renewed(site)
        await site.stop()

        granted.check()


def test_options_that_lead_nowhere_are_refused() -> None:
    with pytest.raises(ConfigError, match="name it, and its namespace"):
        KeeperOptions(secret="hooks", namespace="", hosts=(HOST,))
    with pytest.raises(ConfigError, match="at least one host"):
        KeeperOptions(secret="hooks", namespace="default", hosts=())
