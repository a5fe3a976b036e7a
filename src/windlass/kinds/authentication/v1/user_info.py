# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Model


class UserInfo(Model):
    extra: dict[str, list[str]] = {}
    groups: list[str] = []
    uid: str | None = None
    username: str | None = None
