# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Base64, Model


class ServiceReference(Model):
    name: str
    namespace: str
    path: str | None = None
    port: int | None = None


class WebhookClientConfig(Model):
    ca_bundle: Base64 | None = None
    service: ServiceReference | None = None
    url: str | None = None
