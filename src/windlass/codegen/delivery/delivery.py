from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from windlass._version import __version__
from windlass.api import read_yaml
from windlass.codegen.delivery.chart import NETWORK, PROMETHEUS, chart_files
from windlass.codegen.delivery.kustomize import kustomizations
from windlass.codegen.delivery.monitoring import metrics_service, service_monitor
from windlass.codegen.delivery.network import network_policies
from windlass.codegen.delivery.workload import WATCH_NAMESPACE, Workload, deployment, own_namespace
from windlass.codegen.files import yaml_file
from windlass.codegen.rbac import metrics_auth, metrics_reader

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.api import Json
    from windlass.codegen.project import Project

_SHIPPED: Final = "windlass.operators."
_FIRST: Final = ("Namespace", "CustomResourceDefinition", "ServiceAccount")


class Extended(NamedTuple):
    """A project with what webhooks add to it, which are above this package, and the files of these.

    `service` is the Service that leads to the webhooks, `certificates` the Secret that another program fills
    with their certificate.
    """

    project: Project
    files: Mapping[str, str]
    service: str = ""
    certificates: str = ""


def _nothing_more(project: Project) -> Extended:
    return Extended(project, {})


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """An operator with all that it takes to run it in a cluster.

    The objects, the files below `config` and the chart say the same. `extend` adds webhooks, of which this
    package knows nothing: it is asked again when names change, as they do in a chart.

    What is about running raises `ConfigError` where the project has nothing to run.
    """

    project: Project
    workload: Workload = field(default_factory=Workload)
    extend: Callable[[Project], Extended] = _nothing_more

    @cached_property
    def whole(self) -> Extended:
        """The project as it is delivered."""
        return self.extend(self.project)

    @property
    def ships(self) -> bool:
        """Whether it is one of the operators that come with Windlass."""
        return self.project.module.startswith(_SHIPPED)

    @property
    def image(self) -> str:
        """The image that is said, else the one that has all operators that ship, else one named after it."""
        usual = f"windlass:{__version__}" if self.ships else f"{self.project.operator}:latest"
        return self.workload.image or usual

    def definitions(self) -> list[Json]:
        """The custom resource definitions."""
        return _documents(self.whole.project.crds())

    def objects(self) -> list[Json]:
        """Everything of `config/default`, in an order in which it can be made."""
        others = {
            **self.whole.project.rbac(),
            **self.running_files(),
            **_in_folder(self.optional_files(), NETWORK),
            **self.whole.files,
        }
        return sorted([*self.definitions(), *_documents(others)], key=lambda each: _rank(each["kind"]))

    def monitoring(self) -> list[Json]:
        """Everything of `config/prometheus`."""
        return _documents(_in_folder(self.optional_files(), PROMETHEUS))

    def files(self) -> dict[str, str]:
        """What `windlass generate manager` writes; the definitions, roles and samples are the project's."""
        project = self.whole.project
        own = {**self.running_files(), **self.optional_files()}
        others = {**project.crds(), **project.rbac(), **project.samples(), **self.whole.files}
        return {**own, **kustomizations(project, {**own, **others})}

    def chart(self) -> dict[str, str]:
        """A Helm chart of `objects`, with `monitoring` on demand; the namespace is the release's."""
        return chart_files(self)

    def running_files(self) -> dict[str, str]:
        """What runs the operator, lets it, and leads to its metrics."""
        operator, place = self.project.operator, self.project.place
        arguments = self.project.arguments
        workload = self._workload()
        return {
            "manager/namespace.yaml": self._text(own_namespace(operator, place)),
            "manager/manager.yaml": self._text(deployment(operator, place, arguments, workload)),
            "manager/metrics_service.yaml": self._text(metrics_service(operator, place)),
            "rbac/metrics_auth_role.yaml": self._text(*metrics_auth(operator, place)),
            "rbac/metrics_reader_role.yaml": self._text(metrics_reader(operator)),
        }

    def optional_files(self) -> dict[str, str]:
        """What a chart can leave out, by its folder: NetworkPolicies, and how Prometheus finds the operator.

        Only clusters that know ServiceMonitors take the latter.
        """
        operator, place = self.project.operator, self.project.place
        policies = network_policies(operator, place, webhooks=bool(self.whole.files))
        return {
            **{f"{NETWORK}/{name}": self._text(each) for name, each in policies.items()},
            f"{PROMETHEUS}/monitor.yaml": self._text(service_monitor(operator, place)),
        }

    def _workload(self) -> Workload:
        """The process with what follows from the project."""
        whole = self.whole
        watched = ",".join(self.project.watch_namespaces)
        limit = [{"name": WATCH_NAMESPACE, "value": watched}] if watched else []
        return replace(
            self.workload,
            image=self.image,
            env=[*limit, *self.workload.env],
            webhooks=whole.service,
            certificates=whole.certificates,
            runs_helm=self.project.runs_helm,
            kinds=self.project.served,
        )

    def _text(self, *documents: Json) -> str:
        return yaml_file("manager", self.project.operator, documents)


def _in_folder(files: Mapping[str, str], folder: str) -> dict[str, str]:
    return {name: text for name, text in files.items() if name.startswith(f"{folder}/")}


def _documents(files: Mapping[str, str]) -> list[Json]:
    return [each for name, text in files.items() for each in read_yaml(text, name)]


def _rank(kind: str) -> int:
    """When an object is made: what others need first, and what needs all of them last."""
    if kind == "Deployment":
        return len(_FIRST) + 1
    return _FIRST.index(kind) if kind in _FIRST else len(_FIRST)
