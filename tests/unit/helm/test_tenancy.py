"""Releases as a ServiceAccount: everything is done with its rights, and nothing with the operator's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aiohttp
import pytest

from shop_release import Shop, Shops, chart_folder, deployed, edit, failed, records, shop
from tenants import grant
from windlass.api import find_condition
from windlass.client import Client, Impersonation, MergePatch
from windlass.errors import NotFound
from windlass.helm import HelmOptions
from windlass.helm.gateway import Gateway
from windlass.kinds.core.v1 import ConfigMap
from windlass.kinds.rbac.v1 import ClusterRole, RoleBinding

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.cluster import Cluster
    from windlass.testing import Starter, Trial

OPTIONS = HelmOptions(service_account="shops")


@pytest.fixture
def chart(tmp_path: Path) -> Path:
    return chart_folder(tmp_path)


def forbidden(found: Shop) -> bool:
    """Whether the server refused something to the ServiceAccount."""
    told = (find_condition(found.status.conditions, each) for each in ("ReleaseFailed", "Irreconcilable"))
    return any(each and "system:serviceaccount:" in each.message for each in told)


async def test_a_release_needs_the_rights_of_its_service_account(operator: Starter, chart: Path) -> None:
    async with operator(Shops(chart, OPTIONS)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", forbidden)
        assert await records(trial) == []
        await grant(trial.client, trial.namespace, "shops")
        await trial.until(Shop, "web", deployed)
        await trial.settled()
        await trial.client.delete(Shop, "web")
        await trial.gone(Shop, "web")

        assert await records(trial) == []
        with pytest.raises(NotFound):
            await trial.client.get(ConfigMap, "web-main")


async def test_what_it_may_not_create_is_refused(operator: Starter, chart: Path) -> None:
    async with operator(Shops(chart, OPTIONS)) as trial:
        await grant(trial.client, trial.namespace, "shops")
        await trial.client.create(shop("web", {"role": True}))
        await trial.until(Shop, "web", lambda found: failed(found) and forbidden(found))

        with pytest.raises(NotFound):
            await trial.client.get(ClusterRole, f"{trial.namespace}-web")
        await edit(trial, "web", {"size": 2})
        await trial.until(Shop, "web", deployed)


async def test_drift_is_repaired_with_its_rights(operator: Starter, chart: Path) -> None:
    async with operator(Shops(chart, OPTIONS)) as trial:
        await grant(trial.client, trial.namespace, "shops")
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await trial.rest()
        await trial.client.delete(RoleBinding, "admin-shops")
        await _drift(trial)
        await trial.until(Shop, "web", forbidden)
        stays = (await trial.client.get(ConfigMap, "web-main")).data
        await grant(trial.client, trial.namespace, "shops")
        await trial.until(ConfigMap, "web-main", lambda found: found.data["size"] == "1")

        assert stays == {"size": "7"}


async def _drift(trial: Trial) -> None:
    await trial.client.patch(ConfigMap, "web-main", MergePatch({"data": {"size": "7"}}))


@pytest.mark.parametrize("account", ["shops", ""])
async def test_a_program_cannot_choose_whom_it_acts_as(api_server: Cluster, account: str) -> None:
    operator = Client(api_server.transport())
    shops = Impersonation.service_account("team-a", "shops")
    client = operator.acting_as(shops) if account else operator
    review = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
    forged = {
        "Impersonate-User": "root",
        "impersonate-group": "system:masters",
        "Impersonate-Uid": "1",
    }

    async with Gateway(client).listening() as gateway, aiohttp.ClientSession() as session:
        url = f"{gateway.address}/apis/authentication.k8s.io/v1/selfsubjectreviews"
        async with session.post(url, json=review, headers=forged) as answer:
            told = (await answer.json())["status"]["userInfo"]

    assert told["username"] == (shops.user if account else "admin")
    assert ("system:masters" in told["groups"]) is not bool(account)
    assert told.get("uid") != "1"
