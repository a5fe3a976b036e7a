"""The files of an operator's webhooks: what `windlass generate webhooks` writes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from windlass.api import Key
from windlass.codegen import Extended, service_name
from windlass.webhook.cert_manager import cert_manager_objects, injection_of, secret_of
from windlass.webhook.configuration import configurations, conversion_clause, definition_name
from windlass.webhook.conversion import Conversion
from windlass.webhook.declare import Webhook
from windlass.webhook.options import WEBHOOK_SERVICE, WebhookOptions
from windlass.webhook.place import HTTPS, Place
from windlass.webhook.server import WebhookServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import ModuleType

    from windlass.api import Json
    from windlass.codegen import Project
    from windlass.manager import Companion, Manager
    from windlass.reconcile import Rule
    from windlass.webhook.configuration import Part

_PORT: Final = 9443
_COMMAND: Final = "webhooks"


def parts_of(module: ModuleType) -> tuple[Part, ...]:
    """The webhooks and conversions that a module defines or imports."""
    found = [value for value in vars(module).values() if isinstance(value, (Webhook, Conversion))]
    return tuple({id(each): each for each in found}.values())


def served_parts(companions: Iterable[Companion]) -> tuple[Part, ...]:
    """The webhooks and conversions that the companions of a manager serve."""
    return tuple(part for each in companions if isinstance(each, WebhookServer) for part in each.parts)


def serve_parts_of(module: ModuleType) -> Callable[[Manager], None] | None:
    """What serves the webhooks and conversions of a module without `add_to`; None where it has none."""
    parts = parts_of(module)
    return WebhookServer(parts).add_to if parts else None


def service_of(project: Project) -> Key:
    """The service that leads to an operator's webhooks.

    Raises:
        ConfigError: the operator's name is too long for it.
    """
    return Key(project.place, service_name(project.operator, WEBHOOK_SERVICE))


def place_of(project: Project, *, cert_manager: bool = False) -> Place:
    """Where the API server finds the webhooks of an operator that is deployed.

    Raises:
        ConfigError: the operator's name is too long for that of its Service.
    """
    annotations = injection_of(project) if cert_manager else {}
    return Place(name=project.operator, service=service_of(project), annotations=annotations)


def with_webhooks(project: Project, *, cert_manager: bool = False) -> Extended:
    """A project as it is delivered with its webhook servers; as it is, where there are none.

    They are behind the generated Service, whatever they state themselves. Its definitions are converted by
    them, its role lets it serve them, and the files are their configurations and that Service.
    With `cert_manager` these come with a Certificate, and the operator mounts the Secret in which
    cert-manager keeps it.

    Raises:
        ConfigError: a version is served that its conversion does not know, or the operator's name is too long
            for that of a service.
    """
    parts = served_parts(project.companions)
    if not parts:
        return Extended(project, {})
    place = place_of(project, cert_manager=cert_manager)
    converting = [each for each in parts if isinstance(each, Conversion)]
    for each in converting:
        each.check_covers(project.kinds)
    clauses = {definition_name(each): conversion_clause(each, place) for each in converting}
    rules = () if cert_manager else _rules(project, parts)
    others = tuple(each for each in project.companions if not isinstance(each, WebhookServer))
    whole = replace(project, companions=others, rules=(*project.rules, *rules))
    return Extended(
        replace(whole, conversions=clauses, annotations=place.annotations),
        _files(project, parts, place, cert_manager=cert_manager),
        service=service_of(project).name,
        certificates=secret_of(project) if cert_manager else "",
    )


def _files(project: Project, parts: Sequence[Part], place: Place, *, cert_manager: bool) -> dict[str, str]:
    documents = {"service": [_service(project)]}
    if cert_manager:
        documents["certificate"] = cert_manager_objects(project, service_of(project))
    if made := configurations(parts, place):
        documents["manifests"] = [each.to_wire() for each in made]
    return {f"webhook/{name}.yaml": project.text(_COMMAND, *each) for name, each in documents.items()}


def _rules(project: Project, parts: Sequence[Part]) -> Sequence[Rule]:
    options = WebhookOptions(name=project.operator, service=service_of(project))
    return WebhookServer(parts, options).rules


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
