"""What a pass would do, told without doing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shop_release import Shop, Shops, chart_folder, shop
from windlass.api import Key, find_condition
from windlass.controller import plan
from windlass.helm import HelmController
from windlass.kinds.core.v1 import ConfigMap

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.testing import Starter


async def test_a_plan_shows_what_an_upgrade_would_change_and_changes_nothing(
    operator: Starter, tmp_path: Path
) -> None:
    chart = chart_folder(tmp_path)
    shops = Shops(chart)
    async with operator(shops) as trial:
        await trial.client.create(shop("web", {"maps": ["a", "b"]}))
        await trial.until(
            Shop, "web", lambda found: find_condition(found.status.conditions, "Deployed") is not None
        )
        await trial.rest()
        await trial.manager.remove(trial.manager.controllers[0])
        found = await trial.client.get(Shop, "web")
        found.spec = {"maps": ["b", "c"], "size": 3}
        await trial.client.update(found)

        controller = HelmController(of=Shop, chart=chart, helm=shops.helm)
        planned = await plan(controller, trial.client, Key(trial.namespace, "web"))

        lines = str(planned).splitlines()
        assert lines[0] == f"effect: helm upgrade {trial.namespace}/web to revision 2"
        assert {line.strip() for line in lines[1:4]} == {
            "ConfigMap web-a: removed",
            "ConfigMap web-b: .data.size: '1' → '3'",
            "ConfigMap web-c: added",
        }
        assert lines[-1].startswith("the plan ends here")
        assert shops.helm.runs["deploy"] == 1
        assert (await trial.client.get(ConfigMap, "web-b")).data == {"size": "1"}
