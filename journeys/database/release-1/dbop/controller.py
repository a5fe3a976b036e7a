"""Keeps databases as their objects describe them."""

import secrets

from dbop.adapter import BackupStore
from dbop.desired import backups, credentials, secret_name, services, stateful_set
from dbop.types import Database, DatabaseStatus
from windlass import Context, Reconciler, Result
from windlass.kinds.apps.v1 import StatefulSet
from windlass.kinds.batch.v1 import CronJob
from windlass.kinds.core.v1 import Secret, Service


class DatabaseController(Reconciler[Database]):
    """Applies what a database consists of, and reports its replicas."""

    owns = (Secret, Service, StatefulSet, CronJob)
    finalizer = "data.example.com/backups"

    def __init__(self, store: BackupStore) -> None:
        self.store = store

    async def reconcile(self, database: Database, ctx: Context) -> Result[DatabaseStatus]:
        found = await ctx.get(Secret, secret_name(database))
        password = (found.data.get("password") if found else None) or secrets.token_urlsafe(24).encode()
        await ctx.apply(credentials(database, password))
        for service in services(database):
            await ctx.apply(service)
        live = await ctx.apply(stateful_set(database, password))
        for job in backups(database):
            await ctx.apply(job)
        await ctx.prune()

        uid = database.metadata.uid
        if not await self.store.exists(uid):
            await ctx.effect("create the backup folder", lambda: self.store.create(uid))

        ready = live.status.ready_replicas or 0
        status = DatabaseStatus(ready_replicas=ready, secret_name=secret_name(database))
        updated = live.status.update_revision == live.status.current_revision
        observed = live.status.observed_generation == live.metadata.generation
        if ready < database.spec.replicas or not updated or not observed:
            told = f"{ready} of {database.spec.replicas} replicas are ready"
            return Result.waiting("RollingOut", told, status)
        return Result.ready(status)

    async def finalize(self, database: Database, ctx: Context) -> Result[DatabaseStatus]:
        uid = database.metadata.uid
        if await self.store.exists(uid):
            await ctx.effect("delete the backups", lambda: self.store.delete(uid))
        return Result.ready()
