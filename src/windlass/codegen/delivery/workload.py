"""The process of an operator in a cluster: a Deployment in a namespace of its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.api import Json

HEALTH: Final = 8081
METRICS: Final = 8443
WEBHOOKS: Final = 9443
WATCH_NAMESPACE: Final = "WATCH_NAMESPACE"
CERTIFICATES: Final = "/var/run/webhook-certs"
_LONGEST_SERVICE: Final = 63
RESOURCES: Final[Mapping[str, Any]] = {
    "requests": {"cpu": "10m", "memory": "128Mi"},
    "limits": {"cpu": "1", "memory": "512Mi"},
}
"""Enough for a few thousand objects."""
HELM_RESOURCES: Final[Mapping[str, Any]] = {
    "requests": {"cpu": "10m", "memory": "256Mi"},
    "limits": {"cpu": "1", "memory": "1Gi"},
}
"""With six `helm` processes of about 65 MiB each beside it; see docs/guides/helm-image.md."""
TMP_SIZE: Final = "64Mi"
HELM_TMP_SIZE: Final = "512Mi"
"""With the charts that were downloaded, and the files of each `helm` process."""
OWNER: Final = {"app.kubernetes.io/managed-by": "windlass"}
"""What a namespace says that was made for an operator, and may go with it."""
MANAGER_LABELS: Final = {"control-plane": "controller-manager"}
"""The label of every Deployment that runs an operator."""
KINDS_ANNOTATION: Final = "windlass.dev/kinds"
"""The annotation of a Deployment with the kinds that its operator serves, as `Shop.demo.example.com`."""


@dataclass(frozen=True, kw_only=True)
class Workload:
    """How an operator is run in a cluster.

    `image` has `windlass` as its entrypoint, and the operator's module in it; that of a `watches.yaml` has
    `windlass helm run`, and the charts. `args` and `env` follow those that every operator is run with. `spec`
    has more fields of the pod, such as a nodeSelector. `webhooks` is the Service that leads to its webhooks,
    if it serves some, `certificates` the Secret that their certificate is mounted from; without one it makes
    its own. `resources` and `tmp_size`, the size of its temporary folder, are by default those of an operator
    that runs `helm`, where it does (`runs_helm`). `kinds` are those that it serves.
    """

    image: str = ""
    pull_policy: str = ""
    replicas: int | str = 1
    args: Sequence[str] = ()
    env: Sequence[Json | str] = ()
    resources: Mapping[str, Any] | str = ""
    tmp_size: str = ""
    spec: Mapping[str, Any] = field(default_factory=dict)
    webhooks: str = ""
    certificates: str = ""
    runs_helm: bool = False
    kinds: Sequence[str] = ()

    @property
    def compute(self) -> Mapping[str, Any] | str:
        """The requests and limits of its container."""
        return self.resources or (HELM_RESOURCES if self.runs_helm else RESOURCES)

    @property
    def tmp(self) -> str:
        """The size limit of its temporary folder."""
        return self.tmp_size or (HELM_TMP_SIZE if self.runs_helm else TMP_SIZE)

    @property
    def ports(self) -> dict[str, int]:
        """Where its process listens, by name."""
        return {"metrics": METRICS, "health": HEALTH} | ({"webhook": WEBHOOKS} if self.webhooks else {})

    @property
    def volumes(self) -> list[Json]:
        """What is mounted into its process, by the names of `mounts`."""
        secret = {"name": "webhook-certs", "secret": {"secretName": self.certificates}}
        tmp = {"name": "tmp", "emptyDir": {"sizeLimit": self.tmp}}
        return [tmp, *([secret] if self.certificates else ())]

    @property
    def mounts(self) -> list[Json]:
        """Where it is mounted."""
        secret = {"name": "webhook-certs", "mountPath": CERTIFICATES, "readOnly": True}
        own_tmp = {"name": "tmp", "mountPath": "/tmp"}  # noqa: S108 - of the container, and its own
        return [own_tmp, *([secret] if self.certificates else ())]


def service_name(operator: str, rest: str) -> str:
    """What a Service of an operator is called.

    Raises:
        ConfigError: the name would be longer than that of a Service may be.
    """
    name = f"{operator}-{rest}"
    if len(name) > _LONGEST_SERVICE:
        most = _LONGEST_SERVICE - len(rest) - 1
        raise ConfigError(
            f"the operator's name {operator} has {len(operator)} characters, but its Service {name} may have"
            f" {_LONGEST_SERVICE}: say an `OPERATOR` of at most {most} in its module, or `--operator`"
        )
    return name


def labels(operator: str) -> dict[str, str]:
    """What the objects of an operator's process are known by."""
    return {"app.kubernetes.io/name": operator, **MANAGER_LABELS}


def own_namespace(operator: str, namespace: str) -> Json:
    """The namespace that is made for an operator."""
    return {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": namespace, "labels": labels(operator) | OWNER},
    }


def deployment(operator: str, namespace: str, arguments: Sequence[str], workload: Workload) -> Json:
    """The Deployment that runs the image with these arguments, and as few rights on its node as possible."""
    account = f"{operator}-controller-manager"
    pod = {
        "serviceAccountName": account,
        "terminationGracePeriodSeconds": 40,  # longer than a manager waits for its last reconciles
        "securityContext": {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}},
        **workload.spec,
        "containers": [_container(arguments, workload)],
        "volumes": workload.volumes,
    }
    marks = {"kubectl.kubernetes.io/default-container": "manager"}
    serves = {"annotations": {KINDS_ANNOTATION: ",".join(workload.kinds)}} if workload.kinds else {}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": account, "namespace": namespace, "labels": labels(operator), **serves},
        "spec": {
            "replicas": workload.replicas,
            "selector": {"matchLabels": labels(operator)},
            "template": {"metadata": {"labels": labels(operator), "annotations": marks}, "spec": pod},
        },
    }


def _container(arguments: Sequence[str], workload: Workload) -> Json:
    alive, ready = ({"httpGet": {"path": path, "port": "health"}} for path in ("/healthz", "/readyz"))
    return {
        "name": "manager",
        "image": workload.image,
        **({"imagePullPolicy": workload.pull_policy} if workload.pull_policy else {}),
        "args": [
            *(*arguments, "--leader-elect"),
            *(f"--metrics-bind-address={_listening(METRICS)}", "--metrics-secure"),
            f"--health-probe-bind-address={_listening(HEALTH)}",
            *(_webhook_arguments(workload) if workload.webhooks else ()),
            *([f"--webhook-cert-path={CERTIFICATES}"] if workload.certificates else ()),
            *workload.args,
        ],
        "env": [
            {"name": "POD_NAMESPACE", "valueFrom": {"fieldRef": {"fieldPath": "metadata.namespace"}}},
            *({"name": _variable(port), "value": str(port)} for port in workload.ports.values()),
            *workload.env,
        ],
        "ports": [{"name": name, "containerPort": port} for name, port in workload.ports.items()],
        "startupProbe": {**alive, "periodSeconds": 1, "timeoutSeconds": 5, "failureThreshold": 60},
        "livenessProbe": {**alive, "periodSeconds": 20, "timeoutSeconds": 5},
        "readinessProbe": {**ready, "periodSeconds": 5, "timeoutSeconds": 5},
        "resources": workload.compute,
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "readOnlyRootFilesystem": True,
        },
        "volumeMounts": workload.mounts,
    }


def _webhook_arguments(workload: Workload) -> list[str]:
    return [f"--webhook-port=$({_variable(WEBHOOKS)})", f"--webhook-service={workload.webhooks}"]


def _variable(port: int) -> str:
    """Has a port's number; a simulated node, whose pods share one machine, puts a free one in its place."""
    return f"WINDLASS_PORT_{port}"


def _listening(port: int) -> str:
    return f":$({_variable(port)})"
