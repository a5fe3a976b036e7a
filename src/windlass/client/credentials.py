from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from typing_extensions import override

from windlass.client.certificate import ClientCertificate
from windlass.client.reloaded import Reloaded
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Self

    from windlass.aio import Clock


@dataclass(frozen=True, kw_only=True, slots=True)
class Identity:
    """What requests present to the server; with neither part they are anonymous."""

    authorization: str | None = field(default=None, repr=False)
    certificate: ClientCertificate | None = None


class IdentitySource(Protocol):
    """Where a transport takes the identity of each request from."""

    async def identity(self) -> Identity:
        """The identity to present now. As long as it is the same one, it is the same object."""

    async def renew(self, refused: Identity) -> bool:
        """Look for another identity because the server answered 401; tell whether there is one to try."""


class Credentials(Protocol):
    """How to prove who asks, as data; nothing is run and nothing is kept until a source is opened."""

    def open(self, clock: Clock) -> IdentitySource:
        """Start giving out identities."""


@dataclass(frozen=True, slots=True)
class FixedCredentials(Credentials, IdentitySource):
    """An identity that never changes."""

    fixed: Identity

    @classmethod
    def anonymous(cls) -> Self:
        """No proof at all."""
        return cls(Identity())

    @classmethod
    def token(cls, token: str, where: str = "token") -> Self:
        """A bearer token.

        Raises:
            ConfigError: the token cannot stand in a header; the message starts with `where`.
        """
        return cls(Identity(authorization=bearer(token, where)))

    @classmethod
    def basic(cls, username: str, password: str) -> Self:
        """A user name with its password."""
        encoded = b64encode(f"{username}:{password}".encode()).decode()
        return cls(Identity(authorization=f"Basic {encoded}"))

    @classmethod
    def certificate(cls, certificate: ClientCertificate) -> Self:
        """A client certificate."""
        return cls(Identity(certificate=certificate))

    @override
    def open(self, clock: Clock) -> IdentitySource:
        return self

    @override
    async def identity(self) -> Identity:
        return self.fixed

    @override
    async def renew(self, refused: Identity) -> bool:
        return False


@dataclass(frozen=True, kw_only=True, slots=True)
class TokenFile(Credentials):
    """A bearer token in a file that someone else rotates, as in a pod.

    `fallback` is a token to use as long as the file could not be read even once.
    """

    path: Path
    where: str
    fallback: str = field(default="", repr=False)

    @override
    def open(self, clock: Clock) -> IdentitySource:
        fallback = Identity(authorization=bearer(self.fallback, self.where)) if self.fallback else None
        return _Rotated(Reloaded(self.read, clock, fallback))

    def read(self) -> Identity:
        """The identity that the file holds now.

        Raises:
            ConfigError: the file cannot be read, is empty, or holds no token.
        """
        token = read_file(self.path, self.where, "tokenFile").decode("utf-8", "replace").strip()
        if not token:
            raise ConfigError(f"{self.where}: the token file {self.path} is empty; write a token into it")
        return Identity(authorization=bearer(token, f"{self.where}: the token file {self.path}"))


@dataclass(frozen=True, kw_only=True, slots=True)
class CertificateFiles(Credentials):
    """A client certificate and its key in files that someone else rotates."""

    chain: Path
    key: Path
    where: str

    @override
    def open(self, clock: Clock) -> IdentitySource:
        return _Rotated(Reloaded(self.read, clock))

    def read(self) -> Identity:
        """The identity that the files hold now.

        Raises:
            ConfigError: a file cannot be read, or its contents cannot be used.
        """
        chain = read_file(self.chain, self.where, "client-certificate")
        key = read_file(self.key, self.where, "client-key")
        return Identity(certificate=ClientCertificate.parse(chain, key, f"{self.where}: {self.chain}"))


@dataclass(frozen=True, slots=True)
class CombinedCredentials(Credentials):
    """A client certificate for the connection, and an authorization for each request."""

    authorization: Credentials
    certificate: Credentials

    @override
    def open(self, clock: Clock) -> IdentitySource:
        return _Combined(self.authorization.open(clock), self.certificate.open(clock))


class _Rotated(IdentitySource):
    """An identity kept in files."""

    def __init__(self, files: Reloaded[Identity]) -> None:
        self._files = files

    @override
    async def identity(self) -> Identity:
        return self._files.value()

    @override
    async def renew(self, refused: Identity) -> bool:
        if self._files.value() is refused:
            self._files.reload()
        return self._files.value() is not refused


class _Combined(IdentitySource):
    def __init__(self, authorization: IdentitySource, certificate: IdentitySource) -> None:
        self._sources = authorization, certificate
        self._parts = Identity(), Identity()
        self._whole = Identity()

    @override
    async def identity(self) -> Identity:
        first, second = self._sources
        parts = await first.identity(), await second.identity()
        if parts[0] is not self._parts[0] or parts[1] is not self._parts[1]:
            self._parts = parts
            self._whole = Identity(authorization=parts[0].authorization, certificate=parts[1].certificate)
        return self._whole

    @override
    async def renew(self, refused: Identity) -> bool:
        if refused is not self._whole:
            return True
        # Both parts are looked at: which of the two the server refused, it does not say.
        renewed = [await source.renew(part) for source, part in zip(self._sources, self._parts, strict=True)]
        return any(renewed)


def bearer(token: str, where: str) -> str:
    """The header that carries a token.

    Raises:
        ConfigError: the token holds a character that no header can carry.
    """
    if not token.isascii() or not token.isprintable() or " " in token:
        raise ConfigError(
            f"{where}: the token holds a character that no HTTP header can carry, often a line break; "
            "a token is one line of ASCII letters, digits and signs"
        )
    return f"Bearer {token}"


def read_file(path: Path, where: str, field_name: str) -> bytes:
    """The contents of a file that a configuration names.

    Raises:
        ConfigError: it cannot be read; the message starts with `where` and names the field.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        said = error.strerror or str(error)
        raise ConfigError(
            f"{where}: {field_name} names {path}, which cannot be read ({said}); "
            "correct the path or create the file"
        ) from error
