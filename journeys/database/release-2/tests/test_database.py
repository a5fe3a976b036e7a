"""Databases on the API server of the test: embedded, or real with --control-plane real."""

import pytest

from dbop import add_to
from dbop.conversion import CONVERSION
from dbop.types import Backup, Database, DatabaseSpec, OldDatabase, OldSpec
from windlass import ObjectMeta, Quantity
from windlass.client import MergePatch
from windlass.errors import Forbidden, Invalid
from windlass.kinds.apps.v1 import StatefulSet
from windlass.kinds.batch.v1 import CronJob
from windlass.kinds.core.v1 import Secret, Service
from windlass.testing import Starter, TrialOptions, check_conversion

WHOLE = TrialOptions(whole=True)


def database(name: str = "shop", **spec: object) -> Database:
    return Database(metadata=ObjectMeta(name=name), spec=DatabaseSpec(**spec))


async def test_a_database_becomes_ready_with_its_volumes(operator: Starter) -> None:
    async with operator(add_to, options=WHOLE) as trial:
        await trial.client.create(
            database(replicas=2, storage=Quantity("2Gi"), backup=Backup(schedule="0 3 * * *"))
        )
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


def test_no_version_loses_anything() -> None:
    check_conversion(CONVERSION)


async def test_a_database_of_v1_is_one_of_v2(operator: Starter) -> None:
    async with operator(add_to) as trial:
        old = OldDatabase(metadata=ObjectMeta(name="old"), spec=OldSpec(storage_gb=3, backup="@daily"))
        await trial.client.create(old)
        new = await trial.client.get(Database, "old")
        assert (str(new.spec.storage), new.spec.backup) == ("3Gi", Backup(schedule="@daily"))
        with pytest.raises(Invalid, match=r"spec\.replicas"):
            await trial.client.patch(Database, "old", MergePatch({"spec": {"replicas": 9}}))


async def test_a_size_that_v1_cannot_state_survives_a_write_in_v1(operator: Starter) -> None:
    async with operator(add_to) as trial:
        await trial.client.create(database(storage=Quantity("1536Mi")))
        old = await trial.client.get(OldDatabase, "shop")
        assert old.spec.storage_gb == 2
        await trial.client.patch(OldDatabase, "shop", MergePatch({"spec": {"replicas": 2}}))
        new = await trial.client.get(Database, "shop")
        assert (str(new.spec.storage), new.spec.replicas) == ("1536Mi", 2)
