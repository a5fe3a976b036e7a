"""An operator that is right: each mistake of the table is one change of it."""

from __future__ import annotations

from datetime import timedelta

from windlass import (
    Context,
    Key,
    LabelSelector,
    ObjectMeta,
    Reconciler,
    Resource,
    Result,
    Spec,
    Status,
    Watch,
)
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import ConfigMap, Pod, Secret
from windlass.reconcile import Every, Index, KeyReconciler, Owns, Rule


class WebAppSpec(Spec):
    image: str
    replicas: int = 1
    secret_name: str = ""


class WebAppStatus(Status):
    ready_replicas: int = 0


class WebApp(Resource, group="demo.example.com", version="v1"):
    spec: WebAppSpec
    status: WebAppStatus = WebAppStatus()


class ShopStatus(Status):
    open: bool = False


class Shop(Resource, group="demo.example.com", version="v1"):
    status: ShopStatus = ShopStatus()


SAMPLE = WebApp(metadata=ObjectMeta(name="web"), spec=WebAppSpec(image="web:1"))
BY_NODE = Index(Pod, lambda pod: pod.spec.node_name)


class WebAppController(Reconciler[WebApp]):
    owns = (Deployment, Owns(ConfigMap))
    reads = (
        Watch(Secret, by=lambda app: app.spec.secret_name or None),
        Watch(Pod, selects=lambda app: LabelSelector(match_labels={"app": app.metadata.name})),
        Watch(Shop, to=lambda shop: [Key(shop.metadata.namespace, shop.metadata.name)]),
    )
    indexes = (BY_NODE,)
    sources = (Every(timedelta(hours=1)),)
    rules = (Rule.on(Secret, "patch"),)
    finalizer = "demo.example.com/webapp"
    first_retry = timedelta(seconds=1)

    async def reconcile(self, app: WebApp, ctx: Context) -> Result[WebAppStatus]:
        live = await ctx.apply(Deployment.from_wire({"metadata": {"name": app.metadata.name}}))
        status = WebAppStatus(ready_replicas=live.status.ready_replicas or 0)
        if status.ready_replicas < app.spec.replicas:
            return Result.waiting("RollingOut", "some replicas are not ready", status)
        if not app.spec.image:
            return Result.failed(ValueError("no image"), status)
        return Result.ready(status, again=timedelta(minutes=10))

    async def finalize(self, app: WebApp, ctx: Context) -> Result[WebAppStatus]:
        ctx.log.info("%s is gone", app)
        return Result.ready()

    async def forget(self, key: Key) -> None:
        self._gone = key


class ShopController(Reconciler[Shop]):
    async def reconcile(self, shop: Shop, ctx: Context) -> Result[ShopStatus]:
        return Result.ready(ShopStatus(open=bool(shop.metadata.name)))


class Report(KeyReconciler):
    name = "report"
    timing = (Every(timedelta(hours=1), keys=(Key("", "report"),)),)
    sources = timing

    async def reconcile(self, key: Key, ctx: Context) -> Result[Status]:
        ctx.log.info("%s", key)
        return Result.ready()


CONTROLLERS = (WebAppController(), ShopController(), Report())
