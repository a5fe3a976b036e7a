"""The pod webhook: its processes, their address, and what has the API server ask them."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Final

from windlass.api import Key
from windlass.kinds.admissionregistration.v1 import MutatingWebhookConfiguration
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import Secret, Service
from windlass.operators.peerpod.desired.mark import metadata
from windlass.operators.peerpod.webhook import SizingSettings, pod_webhook
from windlass.webhook import Place, configurations

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.api import Json
    from windlass.operators.peerpod.options import PeerPodOptions
    from windlass.pki import Keyring

_PORT: Final = 9443
_CERTIFICATES: Final = "/tmp/k8s-webhook-server/serving-certs"  # noqa: S108 - where the program looks for them


def webhook_name(options: PeerPodOptions) -> str:
    """What the Deployment is called."""
    return f"{options.name}-webhook"


def configuration_name(place: str, options: PeerPodOptions) -> str:
    """What the configuration is called, which lies in no namespace: each namespace with a webhook has one."""
    return f"{webhook_name(options)}-{place}"


def service_name(options: PeerPodOptions) -> str:
    """What the Service is called."""
    return f"{webhook_name(options)}-svc"


def certificate_name(options: PeerPodOptions) -> str:
    """What the Secret with the certificates is called."""
    return f"{webhook_name(options)}-cert"


def hosts(place: str, options: PeerPodOptions) -> list[str]:
    """The names by which an API server reaches the webhook."""
    service = f"{service_name(options)}.{place}"
    return [f"{service}.svc", f"{service}.svc.cluster.local"]


def certificate_secret(keyring: Keyring, place: str, options: PeerPodOptions) -> Secret:
    """The certificates, as the pods mount them and the operator keeps them."""
    made = metadata(certificate_name(options), place)
    return Secret.from_wire({"metadata": made, "type": "kubernetes.io/tls", "data": _encoded(keyring.data())})


def webhook_service(place: str, options: PeerPodOptions) -> Service:
    """The address of the webhook."""
    port = {"name": "https", "port": 443, "targetPort": _PORT, "protocol": "TCP"}
    spec = {"selector": _pods(options), "ports": [port]}
    return Service.from_wire({"metadata": metadata(service_name(options), place), "spec": spec})


def webhook_deployment(place: str, instance_type: str, options: PeerPodOptions) -> Deployment:
    """The processes of the webhook; those of one node do not all go at once."""
    spec = {
        "replicas": options.webhook_replicas,
        "selector": {"matchLabels": _pods(options)},
        "template": {
            "metadata": {"labels": _pods(options)},
            "spec": {
                "topologySpreadConstraints": [
                    {
                        "maxSkew": 1,
                        "topologyKey": "kubernetes.io/hostname",
                        "whenUnsatisfiable": "ScheduleAnyway",
                        "labelSelector": {"matchLabels": _pods(options)},
                    }
                ],
                "containers": [_container(instance_type, options)],
                "volumes": [{"name": "cert", "secret": {"secretName": certificate_name(options)}}],
            },
        },
    }
    return Deployment.from_wire({"metadata": metadata(webhook_name(options), place), "spec": spec})


def webhook_configuration(place: str, bundle: str, options: PeerPodOptions) -> MutatingWebhookConfiguration:
    """What has the API server ask about pods of the runtime class, and about no others."""
    hook = pod_webhook(SizingSettings(runtime_classes=(options.runtime_class,), vm_resource=options.resource))
    service = Key(place, service_name(options))
    (made,) = configurations([hook], Place(name=options.name, service=service, bundle=bundle))
    wire = made.to_wire() | {"metadata": metadata(configuration_name(place, options))}
    return MutatingWebhookConfiguration.from_wire(wire)


def _container(instance_type: str, options: PeerPodOptions) -> Json:
    settings = {
        "WEBHOOK_CERT_DIR": _CERTIFICATES,
        "TARGET_RUNTIMECLASS": options.runtime_class,
        "POD_VM_EXTENDED_RESOURCE": options.resource,
    }
    if instance_type:
        settings["POD_VM_INSTANCE_TYPE"] = instance_type
    settings |= options.webhook_environment
    made: Json = {
        "name": "webhook",
        "image": options.webhook_image,
        "env": [{"name": name, "value": value} for name, value in settings.items()],
        "ports": [{"name": "https", "containerPort": _PORT, "protocol": "TCP"}],
        "readinessProbe": {"tcpSocket": {"port": _PORT}},
        "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
        "volumeMounts": [{"name": "cert", "mountPath": _CERTIFICATES, "readOnly": True}],
    }
    return made | ({"args": list(options.webhook_args)} if options.webhook_args else {})


def _pods(options: PeerPodOptions) -> dict[str, str]:
    return {"app": webhook_name(options)}


def _encoded(data: Mapping[str, str]) -> dict[str, str]:
    return {name: b64encode(value.encode()).decode() for name, value in data.items()}
