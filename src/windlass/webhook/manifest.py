"""The files of an operator's webhooks: what `windlass generate webhooks` writes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from windlass.api import Key
from windlass.webhook.configuration import configurations, conversion_clause, definition_name
from windlass.webhook.conversion import Conversion
from windlass.webhook.declare import Webhook
from windlass.webhook.mounted import inject_ca_from
from windlass.webhook.options import WebhookOptions
from windlass.webhook.place import HTTPS, Place

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from windlass.api import Json
    from windlass.codegen import Project
    from windlass.reconcile import Rule
    from windlass.webhook.configuration import Part

_PORT: Final = 9443
_COMMAND: Final = "webhooks"


def parts_of(module: ModuleType) -> tuple[Part, ...]:
    """The webhooks and conversions that a module defines or imports."""
    found = [value for value in vars(module).values() if isinstance(value, (Webhook, Conversion))]
    return tuple({id(each): each for each in found}.values())


def service_of(project: Project) -> Key:
    """The service that leads to an operator's webhooks."""
    return Key(project.place, f"{project.operator}-webhook-service")


def with_webhooks(project: Project, parts: Sequence[Part], *, cert_manager: bool = False) -> Project:
    """A project whose definitions are converted by its webhooks, and whose role lets it serve them.

    Raises:
        ConfigError: a version is served that its conversion does not know.
    """
    if not parts:
        return project
    place = _place(project, cert_manager=cert_manager)
    converting = [each for each in parts if isinstance(each, Conversion)]
    for each in converting:
        each.check_covers(project.kinds)
    clauses = {definition_name(each): conversion_clause(each, place) for each in converting}
    rules = () if cert_manager else _rules(project, parts)
    return replace(
        project, rules=(*project.rules, *rules), conversions=clauses, annotations=place.annotations
    )


def webhook_files(project: Project, parts: Sequence[Part], *, cert_manager: bool = False) -> dict[str, str]:
    """The configurations of webhooks and the service that leads to them; nothing where there are none.

    With `cert_manager` the certificate is the one that cert-manager keeps as `<operator>-serving-cert`.
    """
    if not parts:
        return {}
    files = {"webhook/service.yaml": project.text(_COMMAND, _service(project))}
    if made := configurations(parts, _place(project, cert_manager=cert_manager)):
        files["webhook/manifests.yaml"] = project.text(_COMMAND, *(each.to_wire() for each in made))
    return files


def _rules(project: Project, parts: Sequence[Part]) -> Sequence[Rule]:
    from windlass.webhook.server import WebhookServer

    options = WebhookOptions(name=project.operator, service=service_of(project))
    return WebhookServer(parts, options).rules


def _place(project: Project, *, cert_manager: bool) -> Place:
    certificate = f"{project.operator}-serving-cert"
    annotations = inject_ca_from(project.place, certificate) if cert_manager else {}
    return Place(name=project.operator, service=service_of(project), annotations=annotations)


def _service(project: Project) -> Json:
    """The service, before the pods that kubebuilder's manifests call the controller manager's."""
    labels = {"app.kubernetes.io/name": project.operator}
    port: dict[str, Any] = {"port": HTTPS, "protocol": "TCP", "targetPort": _PORT}
    service = service_of(project)
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": service.name, "namespace": service.namespace, "labels": labels},
        "spec": {"ports": [port], "selector": {**labels, "control-plane": "controller-manager"}},
    }
