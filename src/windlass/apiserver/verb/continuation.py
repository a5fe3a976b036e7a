"""The token by which a client asks for the rest of a list."""

from __future__ import annotations

import base64
import posixpath
from typing import Any, Final

import orjson

from windlass.apiserver.go_json import parse
from windlass.apiserver.refusal import Refusal
from windlass.schema import json_kind

_VERSION: Final = "meta.k8s.io/v1"
_ALPHABET: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
_BREAKS: Final = "\r\n"
_UNBROKEN: Final = str.maketrans("", "", _BREAKS)
_GROUP: Final = 4
_BEYOND: Final = 2**63
_FIELDS: Final = {"v": (str, "string"), "rv": (int, "int64"), "start": (str, "string")}


def continue_token(revision: int, start: str) -> str:
    """What a client sends to be given the records from `start` on, as they were at a revision.

    Where one namespace is listed, `start` is a key without it. The revision -1 is the newest of then.
    """
    text = orjson.dumps({"v": _VERSION, "rv": revision, "start": start})
    return base64.urlsafe_b64encode(text).decode().rstrip("=")


def read_token(token: str) -> tuple[int, str]:
    """The revision of the list that a token continues, and the key from which on it does.

    Raises:
        Refusal: 400, it is no token.
    """
    try:
        found = _fields(parse(_decoded(token)))
    except ValueError as error:
        raise _bad_token(str(error)) from error
    if found["v"] != _VERSION:
        raise _bad_token(f"server does not recognize this encoded version {found['v']}")
    revision, start = found["rv"], found["start"]
    if not revision:
        raise _bad_token(f"incorrect encoded start resourceVersion (version {_VERSION})")
    if not start:
        raise _bad_token(f"encoded start key empty (version {_VERSION})")
    path = start if start.startswith("/") else f"/{start}"
    if path.startswith("//") or posixpath.normpath(path) != path:
        raise _bad_token(start)
    return revision, path[1:]


def _decoded(token: str) -> bytes:
    """The bytes of a token, which is base64 without padding."""
    held = 0
    for at, character in enumerate(token):
        if character in _ALPHABET:
            held = (held + 1) % _GROUP
        elif character not in _BREAKS:
            raise ValueError(f"illegal base64 data at input byte {at}")
    if held == 1:
        raise ValueError(f"illegal base64 data at input byte {len(token) - 1}")
    text = token.translate(_UNBROKEN)
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % _GROUP))


def _fields(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict | None):
        unread = f"json: cannot unmarshal {json_kind(value)} into Go value of type storage.continueToken"
        raise ValueError(unread)  # noqa: TRY004 - a token's fault, not a caller's
    given = {name.lower(): field for name, field in (value or {}).items()}
    found = {}
    for name, (kind, spelled) in _FIELDS.items():
        field = given.get(name)
        if field is not None and not _fits(field, kind):
            where = f"Go struct field continueToken.{name} of type {spelled}"
            shown = f" {field}" if kind is int and json_kind(field) == "number" else ""
            raise ValueError(f"json: cannot unmarshal {json_kind(field)}{shown} into {where}")
        found[name] = field or kind()
    return found


def _fits(field: Any, kind: type) -> bool:
    if kind is int:
        return type(field) is int and -_BEYOND <= field < _BEYOND
    return isinstance(field, kind)


def _bad_token(why: str) -> Refusal:
    return Refusal.bad_request(f"invalid continue token: continue key is not valid: {why}")
