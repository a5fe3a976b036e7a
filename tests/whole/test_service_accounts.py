"""Each namespace has the account and the certificate that its pods need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from family import PATIENCE, gone
from polling import until
from windlass.client import MergePatch
from windlass.errors import NotFound
from windlass.kinds.authentication.v1 import TokenReview, TokenReviewSpec
from windlass.kinds.core.v1 import ConfigMap, Secret, ServiceAccount

if TYPE_CHECKING:
    from windlass.client import Client
    from windlass.testing import Access

TOKEN = "kubernetes.io/service-account-token"
BUNDLE = "kube-root-ca.crt"
DESCRIPTION = "kubernetes.io/description"


async def test_the_default_account_is_put_back_and_others_are_not(client: Client) -> None:
    account = await client.get(ServiceAccount, "default")
    other = await client.create(ServiceAccount.from_wire({"metadata": {"name": "other"}}))
    for each in (account, other):
        await client.delete(ServiceAccount, each.metadata.name)
    await gone(client, account, other)

    async def names() -> list[str]:
        return [each.metadata.name for each in await client.list(ServiceAccount, client.options.namespace)]

    assert await until(names, patience=PATIENCE) == ["default"]


async def test_the_root_certificate_is_kept_as_it_is(control_plane: Access, client: Client) -> None:
    async def bundle() -> ConfigMap | None:
        try:
            return await client.get(ConfigMap, BUNDLE)
        except NotFound:
            return None

    first = await until(bundle, patience=PATIENCE)
    assert first is not None
    assert first.data == {"ca.crt": control_plane.ca}
    assert first.metadata.annotations[DESCRIPTION].startswith("Contains a CA bundle")
    damage = {"data": {"ca.crt": "nonsense", "more": "of it"}, "metadata": {"labels": {"mine": "yes"}}}
    await client.patch(ConfigMap, BUNDLE, MergePatch(damage))
    mended = await until(
        bundle, lambda found: found is not None and found.data == first.data, patience=PATIENCE
    )
    assert mended is not None
    assert mended.metadata.labels == {"mine": "yes"}
    await client.delete(ConfigMap, BUNDLE)
    await gone(client, mended)
    again = await until(bundle, patience=PATIENCE)
    assert again is not None
    assert again.data == first.data


async def test_a_secret_that_asks_for_a_token_gets_one_that_lives_as_long_as_its_account(
    control_plane: Access, client: Client, namespace: str
) -> None:
    await client.create(ServiceAccount.from_wire({"metadata": {"name": "robot"}}))
    annotations = {"kubernetes.io/service-account.name": "robot"}
    body = {"metadata": {"name": "token", "annotations": annotations}, "type": TOKEN}
    await client.create(Secret.from_wire(body))

    async def filled() -> Secret:
        return await client.get(Secret, "token")

    secret = await until(filled, lambda found: "token" in found.data, patience=PATIENCE)
    account = await client.get(ServiceAccount, "robot")
    assert secret.metadata.annotations["kubernetes.io/service-account.uid"] == account.metadata.uid
    assert secret.data["ca.crt"].decode() == control_plane.ca
    assert secret.data["namespace"].decode() == namespace
    review = TokenReview(spec=TokenReviewSpec(token=secret.data["token"].decode()))
    said = (await client.create(review)).status
    assert said.authenticated
    assert said.user is not None
    assert said.user.username == f"system:serviceaccount:{namespace}:robot"
    await client.delete(ServiceAccount, "robot")
    await gone(client, secret)
