"""The DaemonSet of the cloud-api-adaptor, which makes the virtual machines."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from windlass.api import Key
from windlass.kinds.apps.v1 import DaemonSet
from windlass.operators.peerpod.desired.access import ACCOUNT
from windlass.operators.peerpod.desired.mark import metadata, place_of

if TYPE_CHECKING:
    from windlass.api import Json, Selector
    from windlass.operators.peerpod.options import PeerPodOptions
    from windlass.operators.peerpod.types import PeerPodConfig

PROVIDERS: Final = frozenset(
    {"alibabacloud", "aws", "azure", "byom", "gcp", "ibmcloud", "ibmcloud-powervs", "libvirt", "vsphere"}
)
"""The providers that the cloud-api-adaptor comes with; others are plugins."""

_NAME: Final = "peerpodconfig-ctrl-caa-daemon"
_LONGEST: Final = 63  # it is a label of the pods
_INSTANCE_TYPE: Final = {
    "alibabacloud": "PODVM_INSTANCE_TYPE",
    "aws": "PODVM_INSTANCE_TYPE",
    "azure": "AZURE_INSTANCE_SIZE",
    "gcp": "GCP_MACHINE_TYPE",
    "ibmcloud": "IBMCLOUD_PODVM_INSTANCE_PROFILE_NAME",
}
_HOST: Final = {
    "peerpod": ("/run/peerpod", ""),
    "netns": ("/run/netns", ""),
    "xtables": ("/run/xtables.lock", "FileOrCreate"),
    "modules": ("/lib/modules", ""),
    "direct-volumes": ("/run/kata-containers/shared/direct-volumes", "DirectoryOrCreate"),
}
_OF_OLD: Final = ("peerpod", "netns")
_HOME: Final = "/root"
_SECRETS: Final = {
    "ssh": ("ssh-key-secret", f"{_HOME}/.ssh/"),
    "auth": ("auth-json-secret", f"{_HOME}/containers/"),
}
_READ_WRITE_OWNER: Final = 0o600


def daemon_set_key(config: Key, options: PeerPodOptions) -> Key:
    """Where the DaemonSet of a config lies, and what it is called: two configs never mean the same one."""
    own = options.namespace in ("", config.namespace)
    name = f"{_NAME}-{config.name}" if own else f"{_NAME}-{config.namespace}.{config.name}"
    if len(name) > _LONGEST:
        name = f"{_NAME}-{sha256(str(config).encode()).hexdigest()[:16]}"
    return Key(options.namespace or config.namespace, name)


def daemon_set(
    config: PeerPodConfig, selector: Selector, provider: str, options: PeerPodOptions
) -> DaemonSet:
    """The cloud-api-adaptor on every node that a config selects."""
    own = Key(config.metadata.namespace, config.metadata.name)
    key = daemon_set_key(own, options)
    pods = {"name": key.name}
    return DaemonSet.from_wire(
        {
            "metadata": metadata(key.name, place_of(config, options), config=own),
            "spec": {
                "selector": {"matchLabels": pods},
                "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 1}},
                "template": {
                    "metadata": {"labels": pods},
                    "spec": _pod(config, selector, provider, options),
                },
            },
        }
    )


def _pod(config: PeerPodConfig, selector: Selector, provider: str, options: PeerPodOptions) -> Json:
    return {
        "serviceAccountName": ACCOUNT,
        "hostNetwork": True,
        "dnsPolicy": "ClusterFirstWithHostNet",
        "affinity": {"nodeAffinity": _affinity(selector)},
        "containers": [_container(config, provider, options)],
        "volumes": [*(_host_volume(name) for name in _mounted(options)), *map(_secret_volume, _SECRETS)],
    }


def _affinity(selector: Selector) -> Json:
    """The nodes, as a term that says all that a label selector says."""
    terms = [
        {"key": term.key, "operator": term.operator, **({"values": list(term.values)} if term.values else {})}
        for term in selector.requirements
    ]
    return {
        "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": terms}]}
    }


def _container(config: PeerPodConfig, provider: str, options: PeerPodOptions) -> Json:
    made: Json = {
        "name": "caa-pod",
        "image": options.adaptor_image,
        "imagePullPolicy": "Always",
        "command": ["/usr/local/bin/entrypoint.sh"],
        "env": _environment(config, provider),
        "envFrom": [
            {"secretRef": {"name": config.spec.cloud_secret_name}},
            {"configMapRef": {"name": config.spec.config_map_name}},
        ],
        "volumeMounts": [*map(_host_mount, _mounted(options)), *map(_secret_mount, _SECRETS)],
    }
    if options.privileged:
        return made | {"securityContext": {"privileged": True, "runAsUser": 0}}
    return made | {
        "securityContext": {"capabilities": {"add": ["NET_ADMIN", "SYS_ADMIN"]}},
        "startupProbe": {
            "httpGet": {"host": "127.0.0.1", "path": "/startup", "port": 8000},
            "initialDelaySeconds": 20,
            "periodSeconds": 20,
            "failureThreshold": 30,
        },
    }


def _environment(config: PeerPodConfig, provider: str) -> list[Json]:
    """Where the pod is, and what wins over the ConfigMap.

    The cloud-api-adaptor would have its node offer a limit of its own, unless that is negative.
    """
    made: list[Json] = [
        {"name": name, "valueFrom": {"fieldRef": {"fieldPath": path}}}
        for name, path in (("NODE_NAME", "spec.nodeName"), ("POD_UID", "metadata.uid"))
    ]
    if config.spec.components.extended_resource:
        made.append({"name": "PEERPODS_LIMIT_PER_NODE", "value": "-1"})
    variable = _INSTANCE_TYPE.get(provider)
    if config.spec.instance_type and variable:
        made.append({"name": variable, "value": config.spec.instance_type})
    return made


def _mounted(options: PeerPodOptions) -> tuple[str, ...]:
    return _OF_OLD if options.privileged else tuple(_HOST)


def _host_volume(name: str) -> Json:
    path, kind = _HOST[name]
    return {"name": name, "hostPath": {"path": path, **({"type": kind} if kind else {})}}


def _host_mount(name: str) -> Json:
    made: dict[str, Any] = {"name": name, "mountPath": _HOST[name][0]}
    if name == "netns":
        made["mountPropagation"] = "HostToContainer"
    if name == "modules":
        made["readOnly"] = True
    return made


def _secret_volume(name: str) -> Json:
    secret = {"secretName": _SECRETS[name][0], "optional": True, "defaultMode": _READ_WRITE_OWNER}
    return {"name": name, "secret": secret}


def _secret_mount(name: str) -> Json:
    return {"name": name, "mountPath": _SECRETS[name][1], "readOnly": True}
