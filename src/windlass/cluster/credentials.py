from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from windlass.pki import KeyPair

_FILE: Final = "credentials.json"


@dataclass(frozen=True, kw_only=True)
class Credentials:
    """By what others know a control plane, and it knows them.

    `tokens` are by user. Of a control plane that keeps nothing, the key pairs are made when they are needed.
    """

    tokens: Mapping[str, str] = field(repr=False)
    authority: KeyPair | None = None
    signing_key: KeyPair | None = None


def new_credentials(users: Iterable[str]) -> Credentials:
    """Credentials that nobody has seen yet."""
    return Credentials(tokens=_tokens({}, users))


def kept_credentials(folder: Path, users: Iterable[str]) -> Credentials:
    """The credentials that are kept in a folder; what is missing is made, and kept there.

    Raises:
        ConfigError: the file cannot be read or written, or is none of ours.
    """
    file = folder / _FILE
    try:
        known = _known(file)
        found = _completed(known, users)
    except (ValueError, TypeError, AttributeError) as error:
        raise ConfigError(f"{file} is damaged; remove it, and everybody gets new credentials") from error
    if asdict(found) != known:
        write_private(file, json.dumps(asdict(found), indent=2))
    return found


def write_private(file: Path, text: str) -> None:
    """Write a file that its owner alone can read, wholly or not at all.

    Raises:
        ConfigError: it cannot be written.
    """
    draft = file.with_name(f".{file.name}.new")
    try:
        draft.unlink(missing_ok=True)
        draft.touch(mode=0o600)
        with draft.open("w", encoding="utf-8") as opened:
            opened.write(text)
            opened.flush()
            os.fsync(opened.fileno())
        draft.replace(file)
    except OSError as error:
        raise ConfigError(f"cannot write {file}: {error.strerror}") from error


def _known(file: Path) -> dict[str, Any]:
    try:
        known: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ConfigError(f"cannot read {file}: {error.strerror}") from error
    return known


def _completed(known: dict[str, Any], users: Iterable[str]) -> Credentials:
    from windlass.pki import KeyPair, authority, signing_key

    signer, key = known.get("authority"), known.get("signing_key")
    return Credentials(
        tokens=_tokens(known.get("tokens", {}), users),
        authority=KeyPair(**signer) if signer else authority("windlass"),
        signing_key=KeyPair(**key) if key else signing_key(),
    )


def _tokens(known: Mapping[str, str], users: Iterable[str]) -> dict[str, str]:
    """A token for each user, and those of users who may come again."""
    import secrets

    return {**known, **{user: secrets.token_urlsafe(24) for user in users if user not in known}}
