"""The objects that are set up for a config, beside the capacity of nodes: made, looked at, removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.kinds.apps.v1 import DaemonSet
from windlass.kinds.core.v1 import ConfigMap, Secret, ServiceAccount
from windlass.kinds.node.v1 import RuntimeClass
from windlass.kinds.rbac.v1 import ClusterRole, ClusterRoleBinding
from windlass.operators.peerpod.desired import (
    PROVIDERS,
    daemon_set,
    daemon_set_key,
    is_made_here,
    place_of,
    role,
    role_binding,
    role_name,
    runtime_class,
    service_account,
)
from windlass.operators.peerpod.removal import remove

if TYPE_CHECKING:
    from windlass.api import Selector
    from windlass.operators.peerpod.census import Census
    from windlass.operators.peerpod.options import PeerPodOptions
    from windlass.operators.peerpod.report import Report
    from windlass.operators.peerpod.types import PeerPodConfig
    from windlass.reconcile import Context

PROVIDER: Final = "CLOUD_PROVIDER"


class Cloud(NamedTuple):
    """What the adaptor needs, as far as it is there."""

    provider: str
    is_complete: bool


class Parts:
    """What is set up for a config."""

    def __init__(self, options: PeerPodOptions, census: Census) -> None:
        self._options = options
        self._census = census

    async def _cloud(self, config: PeerPodConfig, report: Report, ctx: Context) -> Cloud:
        """Look for the Secret and the ConfigMap, and at the provider that is named there."""
        spec, place = config.spec, place_of(config, self._options)
        secret = await ctx.get(Secret, spec.cloud_secret_name, place)
        settings = await ctx.get(ConfigMap, spec.config_map_name, place)
        _tell(report, "SecretFound", f"Secret {place}/{spec.cloud_secret_name}", secret)
        _tell(report, "ConfigMapFound", f"ConfigMap {place}/{spec.config_map_name}", settings)
        provider = (settings.data.get(PROVIDER) or "").strip() if settings else ""
        report.status.provider = provider
        if provider in PROVIDERS:
            report.found("ProviderValid", f"the provider is {provider}", reason="Known")
        elif provider:
            message = f"the cloud-api-adaptor comes without {provider}, unless a plugin of its image has it"
            if report.doubts("ProviderValid", "UnknownProvider", message):
                ctx.event("UnknownProvider", message, warning=True)
        elif settings:
            report.lacks("ProviderValid", "ProviderMissing", f"{spec.config_map_name} has no {PROVIDER}")
        else:
            report.doubts("ProviderValid", "ConfigMapMissing", "it stands in the ConfigMap")
        return Cloud(provider, secret is not None and bool(provider))

    async def adaptor(self, config: PeerPodConfig, selector: Selector, report: Report, ctx: Context) -> None:
        """Have the cloud-api-adaptor run on the nodes; without its settings, no pod of it could start."""
        cloud = await self._cloud(config, report, ctx)
        place, name = place_of(config, self._options), self._options.name
        if not cloud.is_complete:
            report.lacks("DaemonSetReady", "SettingsMissing", "the cloud-api-adaptor waits for its settings")
            return
        for wanted in (service_account(place), role(place, name), role_binding(place, name)):
            await ctx.apply(wanted, owned=False)
        live = await ctx.apply(daemon_set(config, selector, cloud.provider, self._options), owned=False)
        _tell_rollout(report, live)

    async def no_adaptor(self, config: PeerPodConfig, ctx: Context) -> None:
        """Remove the cloud-api-adaptor, and with the last one its role."""
        key = daemon_set_key(ctx.key, self._options)
        await remove(DaemonSet, key.name, key.namespace, ctx)
        place = place_of(config, self._options)
        if self._census.is_last(ctx.key, lambda components: components.daemon_set, place=place):
            called = role_name(place, self._options.name)
            await remove(ClusterRoleBinding, called, "", ctx)
            await remove(ClusterRole, called, "", ctx)
            await remove(ServiceAccount, service_account(place).metadata.name, place, ctx)

    async def runtime(self, report: Report, ctx: Context) -> None:
        """Have the RuntimeClass there; one that somebody else made is left as it is."""
        name = self._options.runtime_class
        found = await ctx.get(RuntimeClass, name)
        if found is None or is_made_here(found):
            await ctx.apply(runtime_class(self._options), owned=False)
        report.found("RuntimeClassFound", f"the RuntimeClass is {name}")

    async def no_runtime(self, ctx: Context) -> None:
        """Remove the RuntimeClass with the last config that wants it, unless somebody else made it."""
        if self._census.is_last(ctx.key, lambda components: components.runtime_class):
            await remove(RuntimeClass, self._options.runtime_class, "", ctx)


def _tell(report: Report, type_: str, what: str, found: object | None) -> None:
    if found is None:
        report.lacks(type_, f"{type_.removesuffix('Found')}Missing", f"there is no {what}")
    else:
        report.found(type_, f"{what} is there")


def _tell_rollout(report: Report, live: DaemonSet) -> None:
    status, wanted = live.status, live.status.desired_number_scheduled
    seen = status.observed_generation >= (live.metadata.generation or 0)
    ready = min(status.number_available, status.updated_number_scheduled)
    if seen and ready >= wanted:
        report.found("DaemonSetReady", f"the cloud-api-adaptor runs on {wanted} nodes", reason="Available")
        return
    message = (
        f"the cloud-api-adaptor runs on {ready} of {wanted} nodes" if seen else "it is not rolled out yet"
    )
    report.lacks("DaemonSetReady", "RollingOut", message)
