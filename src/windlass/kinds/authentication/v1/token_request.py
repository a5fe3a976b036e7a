# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Field, Model, Resource, Time


class BoundObjectReference(Model):
    api_version: str | None = None
    kind: str | None = None
    name: str | None = None
    uid: str | None = None


class TokenRequestSpec(Model):
    audiences: list[str] = []
    bound_object_ref: BoundObjectReference | None = None
    expiration_seconds: int | None = None


class TokenRequestStatus(Model):
    expiration_timestamp: Time | None = None
    token: str = ""


class TokenRequest(Resource, group="authentication.k8s.io", version="v1", plural="token"):
    spec: TokenRequestSpec = Field(default_factory=TokenRequestSpec)
    status: TokenRequestStatus = Field(default_factory=TokenRequestStatus)
