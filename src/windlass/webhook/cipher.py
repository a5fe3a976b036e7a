"""The names that Go and Kubernetes give to versions and ciphers of TLS, and those of OpenSSL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.errors import ConfigError

if TYPE_CHECKING:
    import ssl
    from collections.abc import Sequence

_VERSIONS: Final = {"VersionTLS12": "TLSv1_2", "VersionTLS13": "TLSv1_3"}
_ALWAYS: Final = frozenset(
    {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"}
)
"""Those of TLS 1.3, which cannot be chosen in Go either."""
_CIPHERS: Final = {
    "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA": "ECDHE-ECDSA-AES128-SHA",
    "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA": "ECDHE-ECDSA-AES256-SHA",
    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA": "ECDHE-RSA-AES128-SHA",
    "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA": "ECDHE-RSA-AES256-SHA",
    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256": "ECDHE-ECDSA-AES128-GCM-SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384": "ECDHE-ECDSA-AES256-GCM-SHA384",
    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256": "ECDHE-RSA-AES128-GCM-SHA256",
    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384": "ECDHE-RSA-AES256-GCM-SHA384",
    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256": "ECDHE-RSA-CHACHA20-POLY1305",
    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256": "ECDHE-ECDSA-CHACHA20-POLY1305",
    "TLS_RSA_WITH_AES_128_GCM_SHA256": "AES128-GCM-SHA256",
    "TLS_RSA_WITH_AES_256_GCM_SHA384": "AES256-GCM-SHA384",
    "TLS_RSA_WITH_AES_128_CBC_SHA": "AES128-SHA",
    "TLS_RSA_WITH_AES_256_CBC_SHA": "AES256-SHA",
}


def check_version(name: str) -> None:
    """Refuse a version of TLS that there is none of.

    Raises:
        ConfigError: it is not one of those; older ones than 1.2 are served no more.
    """
    if name not in _VERSIONS:
        raise ConfigError(f"{name!r} is no version of TLS to serve: it is one of {', '.join(_VERSIONS)}")


def check_ciphers(names: Sequence[str]) -> None:
    """Refuse ciphers that there are none of.

    Raises:
        ConfigError: one is unknown.
    """
    for name in names:
        if name not in _CIPHERS and name not in _ALWAYS:
            raise ConfigError(
                f"{name!r} is no cipher suite; write it as in TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"
            )


def restrict(context: ssl.SSLContext, version: str, ciphers: Sequence[str]) -> None:
    """Let a server speak this version of TLS or a newer one, and below 1.3 with these ciphers only."""
    import ssl

    context.minimum_version = ssl.TLSVersion[_VERSIONS[version]]
    if chosen := [_CIPHERS[name] for name in ciphers if name in _CIPHERS]:
        context.set_ciphers(":".join(chosen))
