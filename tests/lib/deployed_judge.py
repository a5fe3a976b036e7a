"""A webhook as people deploy it: a Deployment with a mounted certificate, behind a Service."""

from __future__ import annotations

import base64
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import webhook_program
from windlass.kinds.admissionregistration.v1 import ValidatingWebhookConfiguration
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import Secret, Service
from windlass.pki import authority, serving_certificate
from windlass.testing import LOCAL_IMAGE

if TYPE_CHECKING:
    from windlass.api import Resource

LABELS = {"app": "judge"}
PROGRAM = [sys.executable, str(Path(webhook_program.__file__))]


def _deployment(image: str, args: list[str], replicas: int) -> dict[str, Any]:
    container = {
        "name": "judge",
        "image": image,
        "args": args,
        "env": [
            {"name": "CERTIFICATES", "value": "/certificates"},
            {"name": "PORT", "value": "$(WINDLASS_PORT_8443)"},
        ],
        "ports": [{"containerPort": 8443, "name": "https"}],
        "readinessProbe": {"httpGet": {"port": "https", "scheme": "HTTPS"}, "periodSeconds": 1},
        "volumeMounts": [{"name": "certificates", "mountPath": "/certificates"}],
    }
    volumes = [{"name": "certificates", "secret": {"secretName": "judge"}}]
    template = {"metadata": {"labels": LABELS}, "spec": {"containers": [container], "volumes": volumes}}
    return {"replicas": replicas, "selector": {"matchLabels": LABELS}, "template": template}


def judge(namespace: str, image: str = LOCAL_IMAGE, replicas: int = 0) -> list[Resource]:
    """All its objects; it refuses ConfigMaps called `bad` that have the label `judged`.

    An image other than that of local programs is the program.
    """
    args = PROGRAM if image == LOCAL_IMAGE else []
    trusted = authority("test")
    pair = serving_certificate(trusted, [f"judge.{namespace}.svc"])
    secret = {"tls.crt": pair.certificate, "tls.key": pair.key}
    port = {"port": 443, "targetPort": "https"}
    hook = {
        "name": "judge.example.com",
        "admissionReviewVersions": ["v1"],
        "sideEffects": "None",
        "failurePolicy": "Fail",
        "clientConfig": {
            "service": {"name": "judge", "namespace": namespace, "path": "/judge"},
            "caBundle": base64.b64encode(trusted.certificate.encode()).decode(),
        },
        "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": namespace}},
        "objectSelector": {"matchLabels": {"judged": "yes"}},
        "rules": [
            {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"]}
        ],
    }
    name = {"metadata": {"name": "judge"}}
    return [
        Secret.from_wire({**name, "stringData": secret}),
        Service.from_wire({**name, "spec": {"selector": LABELS, "ports": [port]}}),
        Deployment.from_wire({**name, "spec": _deployment(image, args, replicas)}),
        ValidatingWebhookConfiguration.from_wire({"metadata": {"name": namespace}, "webhooks": [hook]}),
    ]
