from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

import orjson

from windlass.apiserver.number import parse_signed
from windlass.apiserver.outside import Answers
from windlass.apiserver.refusal import Refusal
from windlass.errors import WindlassError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence

    from windlass.apiserver.access.record import Record
    from windlass.apiserver.streaming import Upgrade

JSON: Final = "application/json"
_PLAIN: Final = "text/plain; charset=utf-8"
BROKEN_ESCAPE: Final = re.compile("%(?![0-9a-fA-F]{2})")
"""What no URL may have: a percent sign without two digits after it."""


class Query:
    """The parameters of a request by name."""

    __slots__ = ("_values",)

    def __init__(self, pairs: Sequence[tuple[str, str]] = ()) -> None:
        self._values: dict[str, list[str]] = {}
        for name, value in pairs:
            self._values.setdefault(name, []).append(value)

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def text(self, name: str) -> str:
        """The first value, empty when there is none."""
        values = self._values.get(name)
        return values[0] if values else ""

    def texts(self, name: str) -> list[str]:
        """Every value, in the order given."""
        return self._values.get(name, [])

    @property
    def encoded(self) -> str:
        """All of it as a URL has it."""
        return urlencode(self._values, doseq=True) if self._values else ""

    def flag(self, name: str) -> bool:
        """A yes or no: whatever is given is a yes, even nothing, but `0` and `false`."""
        values = self._values.get(name)
        return values is not None and values[0] != "0" and values[0].lower() != "false"

    def number(self, name: str) -> int | None:
        """A number, `None` when there is none.

        Raises:
            Refusal: 400, it is no number.
        """
        values = self._values.get(name)
        if values is None:
            return None
        try:
            return parse_signed(values[0])
        except ValueError as error:
            raise Refusal.bad_request(str(error)) from error


@dataclass(frozen=True, slots=True)
class User:
    """Who asks."""

    name: str
    groups: tuple[str, ...] = ()
    uid: str = ""
    extra: Mapping[str, Sequence[str]] = field(default_factory=dict)


ANONYMOUS: Final = User("system:anonymous", ("system:unauthenticated",))


@dataclass(slots=True, kw_only=True)
class Call:
    """One request, wherever it came from. `path` is still percent-encoded.

    Header names are lower case; the values of a header that may come several times stand in lines.

    `certified` is the user that the connection's client certificate names.
    `user` is who asks, once that is known; `warnings` are what the answer will warn of; `answers` are those
    of others whom the server asks. `connection` stands for that on which the request came, `source` is the
    address that it came from. `record` is what is noted of the request, and `annotations` what admission adds
    to that, if anybody wants to know.
    """

    method: str
    path: str
    query: Query = field(default_factory=Query)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    certified: User | None = None
    user: User = ANONYMOUS
    warnings: list[str] = field(default_factory=list)
    annotations: dict[str, str] = field(default_factory=dict)
    answers: Answers = field(default_factory=Answers)
    connection: object = None
    source: str = ""
    record: Record | None = None

    def annotate(self, key: str, value: str) -> None:
        """Note something for the audit trail; what was noted under a key first, stays."""
        self.annotations.setdefault(key, value)

    def warn(self, text: str) -> None:
        """Warn of something, once."""
        if text not in self.warnings:
            self.warnings.append(text)


class Cut(WindlassError):
    """No answer: the connection breaks here, and whoever carries the request has to break it."""


@dataclass(slots=True, kw_only=True)
class Reply:
    """An answer: a whole body, or with `chunks` one that arrives piece by piece until the iterator ends.

    With `upgrade` the request becomes a connection, which whoever carries the request has to serve.
    """

    status: int = 200
    body: bytes = b""
    content_type: str = JSON
    headers: dict[str, str] = field(default_factory=dict)
    warnings: Sequence[str] = ()
    chunks: AsyncGenerator[bytes, None] | None = None
    upgrade: Upgrade | None = None

    @classmethod
    def json(cls, value: Any, status: int = 200) -> Reply:
        """A value as JSON."""
        return cls(status=status, body=orjson.dumps(value))

    @classmethod
    def text(cls, text: str, status: int = 200) -> Reply:
        """Plain text, which no browser is to take for anything else."""
        headers = {"x-content-type-options": "nosniff"}
        return cls(status=status, body=text.encode(), content_type=_PLAIN, headers=headers)

    @classmethod
    def refusing(cls, refusal: Refusal) -> Reply:
        """The Status of a refusal."""
        return cls(status=refusal.code, body=orjson.dumps(refusal.status), headers=refusal.headers)
