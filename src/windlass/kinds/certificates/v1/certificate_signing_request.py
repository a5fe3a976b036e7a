# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Base64, Field, Model, Resource, Time


class CertificateSigningRequestSpec(Model):
    expiration_seconds: int | None = None
    extra: dict[str, list[str]] = {}
    groups: list[str] = []
    request: Base64
    signer_name: str
    uid: str | None = None
    usages: list[str] = []
    username: str | None = None


class CertificateSigningRequestCondition(Model):
    last_transition_time: Time | None = None
    last_update_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str
    type: str


class CertificateSigningRequestStatus(Model):
    certificate: Base64 | None = None
    conditions: list[CertificateSigningRequestCondition] = []


class CertificateSigningRequest(Resource, group="certificates.k8s.io", version="v1", plural="certificatesigningrequests", namespaced=False, subresources=('approval', 'status')):
    spec: CertificateSigningRequestSpec
    status: CertificateSigningRequestStatus = Field(default_factory=CertificateSigningRequestStatus)
