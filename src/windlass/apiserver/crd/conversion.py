"""Objects of a custom kind in terms of another of its versions."""

from __future__ import annotations

from typing import Any, Protocol

from typing_extensions import override

from windlass.apiserver.refusal import Refusal

Object = dict[str, Any]


class Converter(Protocol):
    """How a definition says that objects are converted.

    `faithful`: nothing but the apiVersion changes, so that an object that fits both schemas stays the same.
    """

    faithful: bool

    def convert(self, obj: Object, api_version: str) -> Object:
        """An object, whose kind and version it says, in another version; it may share parts with the given.

        Raises:
            Refusal: 500, it cannot be converted.
        """


class Renaming(Converter):
    """The strategy `None`: versions differ in their names."""

    faithful = True

    @override
    def convert(self, obj: Object, api_version: str) -> Object:
        return {**obj, "apiVersion": api_version}


class Webhook(Converter):
    """The strategy `Webhook`: somebody outside converts, who is not asked yet.

    Until webhooks are called, every conversion fails like that of a webhook that cannot be reached.
    """

    faithful = False

    def __init__(self, client: Object) -> None:
        self._url = client.get("url") or _service_url(client["service"])

    @override
    def convert(self, obj: Object, api_version: str) -> Object:
        subject = f"{obj['apiVersion']}, Kind={obj['kind']}"
        why = f'Post "{self._url}?timeout=30s": conversion webhooks are not called by this server'
        raise Refusal(500, f"conversion webhook for {subject} failed: {why}", "")


def converter_of(crd: Object) -> Converter:
    """The way in which a definition wants its objects to be converted."""
    conversion = crd["spec"].get("conversion") or {}
    if conversion.get("strategy") != "Webhook":
        return Renaming()
    return Webhook(conversion["webhook"]["clientConfig"])


def _service_url(service: Object) -> str:
    host = f"{service['name']}.{service['namespace']}.svc:{service.get('port', 443)}"
    return f"https://{host}{service.get('path', '')}"
