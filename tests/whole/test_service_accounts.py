"""Each namespace has the account and the certificate that its pods need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from family import PATIENCE, gone
from polling import until
from windlass.client import MergePatch
from windlass.errors import NotFound
from windlass.kinds.core.v1 import ConfigMap, ServiceAccount

if TYPE_CHECKING:
    from windlass.client import Client
    from windlass.testing import Access

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
