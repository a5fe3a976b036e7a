"""What may rule the namespace in which two servers are compared: quotas, limit ranges, security standards."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hypothesis import strategies as st

from contract_quota import Quotas
from differential_admission import AREA as ADMISSION
from differential_admission import HOOKED, POLICED, labels
from differential_custom import PLURAL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypothesis.strategies import SearchStrategy

    from contract import Api, Object

_MARKS: Final = ((HOOKED,), (POLICED,), (HOOKED, POLICED))
QUOTA: Final = "most"
_FEW, _MANY = "1", "3"
_SECURITY: Final = "pod-security.kubernetes.io/"
_HARD: Final[Mapping[str, tuple[Mapping[str, str], ...]]] = {
    "configuration": (
        {"configmaps": _FEW, "count/secrets": _MANY, "count/leases.coordination.k8s.io": _MANY},
    ),
    "pods": (
        {"pods": _FEW, "count/pods": _MANY, "persistentvolumeclaims": _FEW},
        {"requests.cpu": "1", "limits.memory": "1Gi", "requests.storage": "10Gi", "count/pods": _MANY},
        {"limits.cpu": "3", "requests.ephemeral-storage": "3Gi", "replicationcontrollers": _FEW},
    ),
    "workloads": ({"count/deployments.apps": _FEW, "count/jobs.batch": _FEW, "count/cronjobs.batch": _MANY},),
    "network": (
        {"services": _MANY, "services.nodeports": "2", "services.loadbalancers": "1"},
        {"count/services": _FEW, "count/ingresses.networking.k8s.io": _FEW, "count/endpoints": _MANY},
    ),
}
"""What is limited in an area, in one way or another."""
_RANGES: Final[tuple[Object, ...]] = (
    {"type": "Container", "default": {"cpu": "1"}, "defaultRequest": {"cpu": "100m"}, "max": {"cpu": "2"}},
    {"type": "Container", "default": {"memory": "64Mi"}, "maxLimitRequestRatio": {"memory": "4"}},
    {"type": "Pod", "max": {"memory": "1Gi"}},
    {"type": "PersistentVolumeClaim", "max": {"storage": "1Gi"}},
)
"""One amount in each: the real server tells of several in any order."""
_LABELS: Final[tuple[Mapping[str, str], ...]] = (
    {f"{_SECURITY}enforce": "baseline"},
    {f"{_SECURITY}warn": "restricted"},
    {f"{_SECURITY}enforce": "restricted", f"{_SECURITY}enforce-version": "v1.20"},
)


@dataclass(frozen=True)
class Rule:
    """What rules a namespace: its labels, what a quota limits, and the items of a limit range."""

    labels: Mapping[str, str] = field(default_factory=dict)
    hard: Mapping[str, str] = field(default_factory=dict)
    items: tuple[Object, ...] = ()

    async def impose(self, api: Api, namespace: str) -> None:
        """Put the limits into a namespace, and wait until they hold."""
        if self.items:
            body = {"metadata": {"name": "most"}, "spec": {"limits": list(self.items)}}
            (await api.create(f"/api/v1/namespaces/{namespace}/limitranges", body)).ok()
        if self.hard:
            await Quotas(api, namespace).limit(self.hard, name=QUOTA)

    async def lift(self, api: Api, namespace: str) -> None:
        """Let the namespace have as much as it wants from here on."""
        if self.hard:
            quotas = Quotas(api, namespace)
            (await api.delete(f"{quotas.path}/{QUOTA}")).ok()
            await quotas.settled()


def rules(area: str, group: str) -> SearchStrategy[Rule]:
    """What may rule a namespace in an area; seldom nothing."""
    hard: tuple[Mapping[str, str], ...] = _HARD.get(area, ())
    if area == "custom":
        hard = ({f"count/{PLURAL}.{group}": _FEW},)
    items = st.sampled_from(((), *((item,) for item in _RANGES if area == "pods")))
    if area == ADMISSION:
        return st.builds(Rule, st.sampled_from([labels(group, *marks) for marks in _MARKS]))
    security = st.sampled_from(({}, *_LABELS)) if area in ("pods", "workloads") else st.just({})
    return st.builds(Rule, security, st.sampled_from(({}, *hard)), items)
