"""What has cert-manager make the certificate of an operator's webhooks, and bring it to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.webhook.certificate import hosts
from windlass.webhook.mounted import inject_ca_from
from windlass.webhook.options import WebhookOptions

if TYPE_CHECKING:
    from windlass.api import Json, Key
    from windlass.codegen import Project

_VERSION: Final = "cert-manager.io/v1"


def injection_of(project: Project) -> dict[str, str]:
    """The annotation by which cert-manager brings the authority to where the API server looks."""
    return inject_ca_from(project.place, _certificate_name(project))


def secret_of(project: Project) -> str:
    """The Secret of the certificate: not the one that we keep certificates of our own in."""
    return f"{project.operator}-webhook-server-cert"


def cert_manager_objects(project: Project, service: Key) -> list[Json]:
    """A Certificate for a service, and the Issuer that has it signed by itself."""
    issuer = f"{project.operator}-selfsigned-issuer"
    return [
        {
            "apiVersion": _VERSION,
            "kind": "Issuer",
            "metadata": {"name": issuer, "namespace": project.place},
            "spec": {"selfSigned": {}},
        },
        {
            "apiVersion": _VERSION,
            "kind": "Certificate",
            "metadata": {"name": _certificate_name(project), "namespace": project.place},
            "spec": {
                "dnsNames": hosts(WebhookOptions(service=service)),
                "issuerRef": {"kind": "Issuer", "name": issuer},
                "secretName": secret_of(project),
            },
        },
    ]


def _certificate_name(project: Project) -> str:
    return f"{project.operator}-serving-cert"
