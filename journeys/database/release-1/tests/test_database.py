"""Databases on the API server of the test: embedded, or real with --control-plane real."""

import pytest

from dbop import add_to
from dbop.types import Database, DatabaseSpec
from windlass import ObjectMeta
from windlass.client import MergePatch
from windlass.errors import Forbidden
from windlass.kinds.apps.v1 import StatefulSet
from windlass.kinds.batch.v1 import CronJob
from windlass.kinds.core.v1 import Secret, Service
from windlass.testing import Starter, TrialOptions

WHOLE = TrialOptions(whole=True)


def database(name: str = "shop", **spec: object) -> Database:
    return Database(metadata=ObjectMeta(name=name), spec=DatabaseSpec(**spec))


async def test_a_database_becomes_ready_with_its_volumes(operator: Starter) -> None:
    async with operator(add_to, options=WHOLE) as trial:
        await trial.client.create(database(replicas=2, backup="0 3 * * *"))
        ready = await trial.ready(Database, "shop")
        assert (ready.status.ready_replicas, ready.spec.storage_class) == (2, "standard")
        assert (await trial.client.get(CronJob, "shop-backup")).spec.schedule == "0 3 * * *"
        await trial.settled()


async def test_the_password_stays_and_everything_else_is_repaired(operator: Starter) -> None:
    async with operator(add_to) as trial:
        await trial.client.create(database())
        await trial.until(Secret, "shop-credentials", lambda found: bool(found.data))
        before = (await trial.client.get(Secret, "shop-credentials")).data
        await trial.client.patch(Secret, "shop-credentials", MergePatch({"stringData": {"user": "mallory"}}))
        await trial.until(Secret, "shop-credentials", lambda found: found.data == before)
        await trial.assert_drift_repaired(Service, StatefulSet)


async def test_replicas_are_not_removed(operator: Starter) -> None:
    async with operator(add_to) as trial:
        await trial.client.create(database(replicas=3))
        with pytest.raises(Forbidden, match="replicas cannot be removed"):
            await trial.client.patch(Database, "shop", MergePatch({"spec": {"replicas": 1}}))
