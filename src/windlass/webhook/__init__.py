"""Webhooks: what the API server asks before it stores an object, or to show it in another version.

You need it where a rule cannot be written into a custom resource definition: to change an object on its way
in (`mutating`), to refuse it (`validating`), or to convert it (`Conversion`). Each is a function from a
request to a verdict, beside the type that it is about.

    @validating(WebApp)
    def has_room(request: AdmissionRequest[WebApp]) -> Verdict[WebApp]:
        if request.object.spec.replicas > 100:
            return Verdict.deny("spec.replicas: at most 100 fit")
        return Verdict.allow()

It serves them itself, with certificates of its own, and needs neither cert-manager nor a gateway.
"""

from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.webhook.certificate import Certificates as Certificates
    from windlass.webhook.certificate import ProcessCertificates as ProcessCertificates
    from windlass.webhook.configuration import Part as Part
    from windlass.webhook.configuration import configurations as configurations
    from windlass.webhook.configuration import conversion_clause as conversion_clause
    from windlass.webhook.configuration import hooks_of as hooks_of
    from windlass.webhook.conversion import Conversion as Conversion
    from windlass.webhook.conversion import Spoke as Spoke
    from windlass.webhook.declare import HookOptions as HookOptions
    from windlass.webhook.declare import Judge as Judge
    from windlass.webhook.declare import Verb as Verb
    from windlass.webhook.declare import Webhook as Webhook
    from windlass.webhook.declare import mutating as mutating
    from windlass.webhook.declare import validating as validating
    from windlass.webhook.inject import Targets as Targets
    from windlass.webhook.install import install_rules as install_rules
    from windlass.webhook.install import install_webhooks as install_webhooks
    from windlass.webhook.install import uninstall_webhooks as uninstall_webhooks
    from windlass.webhook.keeper import CertificateKeeper as CertificateKeeper
    from windlass.webhook.keeper import KeeperOptions as KeeperOptions
    from windlass.webhook.manifest import parts_of as parts_of
    from windlass.webhook.manifest import place_of as place_of
    from windlass.webhook.manifest import serve_parts_of as serve_parts_of
    from windlass.webhook.manifest import served_parts as served_parts
    from windlass.webhook.manifest import with_webhooks as with_webhooks
    from windlass.webhook.mounted import MountedCertificates as MountedCertificates
    from windlass.webhook.mounted import inject_ca_from as inject_ca_from
    from windlass.webhook.options import WebhookOptions as WebhookOptions
    from windlass.webhook.patch import json_patch as json_patch
    from windlass.webhook.place import Place as Place
    from windlass.webhook.request import AdmissionRequest as AdmissionRequest
    from windlass.webhook.request import Operation as Operation
    from windlass.webhook.request import UserInfo as UserInfo
    from windlass.webhook.review import answer_review as answer_review
    from windlass.webhook.server import WebhookServer as WebhookServer
    from windlass.webhook.takeover import is_served as is_served
    from windlass.webhook.takeover import reclaim as reclaim
    from windlass.webhook.takeover import replaced_urls as replaced_urls
    from windlass.webhook.takeover import restore_webhooks as restore_webhooks
    from windlass.webhook.typed import defaulting as defaulting
    from windlass.webhook.typed import validation as validation
    from windlass.webhook.verdict import Verdict as Verdict
    from windlass.webhook.verify import Verification as Verification
    from windlass.webhook.verify import samples_by_kind as samples_by_kind
    from windlass.webhook.way import Answering as Answering
    from windlass.webhook.way import TlsPort as TlsPort
    from windlass.webhook.way import Way as Way

__lazy__ = {
    "AdmissionRequest": "windlass.webhook.request",
    "Answering": "windlass.webhook.way",
    "CertificateKeeper": "windlass.webhook.keeper",
    "Certificates": "windlass.webhook.certificate",
    "Conversion": "windlass.webhook.conversion",
    "HookOptions": "windlass.webhook.declare",
    "Judge": "windlass.webhook.declare",
    "KeeperOptions": "windlass.webhook.keeper",
    "MountedCertificates": "windlass.webhook.mounted",
    "Operation": "windlass.webhook.request",
    "Part": "windlass.webhook.configuration",
    "Place": "windlass.webhook.place",
    "ProcessCertificates": "windlass.webhook.certificate",
    "Spoke": "windlass.webhook.conversion",
    "Targets": "windlass.webhook.inject",
    "TlsPort": "windlass.webhook.way",
    "UserInfo": "windlass.webhook.request",
    "Verification": "windlass.webhook.verify",
    "Verb": "windlass.webhook.declare",
    "Verdict": "windlass.webhook.verdict",
    "Way": "windlass.webhook.way",
    "Webhook": "windlass.webhook.declare",
    "WebhookOptions": "windlass.webhook.options",
    "WebhookServer": "windlass.webhook.server",
    "answer_review": "windlass.webhook.review",
    "configurations": "windlass.webhook.configuration",
    "conversion_clause": "windlass.webhook.configuration",
    "defaulting": "windlass.webhook.typed",
    "hooks_of": "windlass.webhook.configuration",
    "inject_ca_from": "windlass.webhook.mounted",
    "install_rules": "windlass.webhook.install",
    "install_webhooks": "windlass.webhook.install",
    "is_served": "windlass.webhook.takeover",
    "json_patch": "windlass.webhook.patch",
    "mutating": "windlass.webhook.declare",
    "parts_of": "windlass.webhook.manifest",
    "place_of": "windlass.webhook.manifest",
    "reclaim": "windlass.webhook.takeover",
    "replaced_urls": "windlass.webhook.takeover",
    "restore_webhooks": "windlass.webhook.takeover",
    "samples_by_kind": "windlass.webhook.verify",
    "serve_parts_of": "windlass.webhook.manifest",
    "served_parts": "windlass.webhook.manifest",
    "uninstall_webhooks": "windlass.webhook.install",
    "validating": "windlass.webhook.declare",
    "validation": "windlass.webhook.typed",
    "with_webhooks": "windlass.webhook.manifest",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
