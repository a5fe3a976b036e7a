"""The kinds of certificates/v1 and their parts, each loaded when first asked for."""

# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.kinds.certificates.v1.certificate_signing_request import CertificateSigningRequest as CertificateSigningRequest
    from windlass.kinds.certificates.v1.certificate_signing_request import CertificateSigningRequestCondition as CertificateSigningRequestCondition
    from windlass.kinds.certificates.v1.certificate_signing_request import CertificateSigningRequestSpec as CertificateSigningRequestSpec
    from windlass.kinds.certificates.v1.certificate_signing_request import CertificateSigningRequestStatus as CertificateSigningRequestStatus

__lazy__ = {
    "CertificateSigningRequest": "windlass.kinds.certificates.v1.certificate_signing_request",
    "CertificateSigningRequestCondition": "windlass.kinds.certificates.v1.certificate_signing_request",
    "CertificateSigningRequestSpec": "windlass.kinds.certificates.v1.certificate_signing_request",
    "CertificateSigningRequestStatus": "windlass.kinds.certificates.v1.certificate_signing_request",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
