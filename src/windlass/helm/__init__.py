"""Charts as operators: each object of a kind is a release of a chart, kept as it should be.

The `helm` program renders, runs hooks and keeps the records of releases, so that every chart works and
`helm list`, `history` and `rollback` see what we deploy. Everything around it is here: it is asked only when
something has changed, what it made is watched and put right, and a crash at any moment heals.

    def add_to(manager: Manager) -> None:
        helm = HelmProgram.of(manager)
        manager.add(HelmController(of=Minimart, chart=Path("charts/minimart"), helm=helm))

It is no renderer of its own, and no way to use charts without a cluster.
"""

from windlass.helm.blueprint import Blueprint
from windlass.helm.capabilities import Capabilities
from windlass.helm.chart import Chart, ChartFolder
from windlass.helm.controller import HelmController
from windlass.helm.engine import Deploying, Guard, Helm, Retreat
from windlass.helm.given_values import GivenValues
from windlass.helm.history import BY_RELEASE, watch_records
from windlass.helm.manifest import helm_metadata, hook_metadata, is_kept, is_object, read_manifest
from windlass.helm.operator import add_watches
from windlass.helm.options import HelmOptions
from windlass.helm.ownership import Owner
from windlass.helm.packaging import watch_definitions, watches_image, watches_project
from windlass.helm.process import ProcessLimits
from windlass.helm.program import HelmProgram
from windlass.helm.rbac import ChartRules, RuleOptions, chart_rules
from windlass.helm.readiness import summary
from windlass.helm.record import ReleaseRecord, Revision, packed, unpacked
from windlass.helm.release import Releases
from windlass.helm.remote_chart import FetchOptions, RemoteChart, fetch_chart
from windlass.helm.served import Served
from windlass.helm.shared import Shared, SharedObjects
from windlass.helm.status import DeployedRelease, HelmStatus
from windlass.helm.step import said
from windlass.helm.turns import Turn, Turns
from windlass.helm.upkeep import Repair, Upkeep
from windlass.helm.wanted import Removing, Settlement, Wanted
from windlass.helm.watch_rules import watch_rules
from windlass.helm.watches import HelmWatch, find_watches, read_watches
from windlass.helm.whose import Whose

__all__ = [
    "BY_RELEASE",
    "Blueprint",
    "Capabilities",
    "Chart",
    "ChartFolder",
    "ChartRules",
    "DeployedRelease",
    "Deploying",
    "FetchOptions",
    "GivenValues",
    "Guard",
    "Helm",
    "HelmController",
    "HelmOptions",
    "HelmProgram",
    "HelmStatus",
    "HelmWatch",
    "Owner",
    "ProcessLimits",
    "ReleaseRecord",
    "Releases",
    "RemoteChart",
    "Removing",
    "Repair",
    "Retreat",
    "Revision",
    "RuleOptions",
    "Served",
    "Settlement",
    "Shared",
    "SharedObjects",
    "Turn",
    "Turns",
    "Upkeep",
    "Wanted",
    "Whose",
    "add_watches",
    "chart_rules",
    "fetch_chart",
    "find_watches",
    "helm_metadata",
    "hook_metadata",
    "is_kept",
    "is_object",
    "packed",
    "read_manifest",
    "read_watches",
    "said",
    "summary",
    "unpacked",
    "watch_definitions",
    "watch_records",
    "watch_rules",
    "watches_image",
    "watches_project",
]
