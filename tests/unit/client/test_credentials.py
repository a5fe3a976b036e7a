from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from windlass.aio import ManualClock
from windlass.client.certificate import ClientCertificate, check_authority
from windlass.client.credentials import (
    CertificateFiles,
    CombinedCredentials,
    FixedCredentials,
    Identity,
    TokenFile,
)
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Issue = Callable[..., tuple[bytes, bytes]]


def write(file: Path, text: str | None) -> None:
    """Write a file, or remove it."""
    if text is None:
        file.unlink()
    else:
        file.write_text(text)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "token"
    path.write_text("one\n")
    return path


@pytest.fixture
def pair(tmp_path: Path, issue: Issue) -> CertificateFiles:
    """A client certificate in files."""
    chain, key = issue("alice")
    files = CertificateFiles(chain=tmp_path / "chain", key=tmp_path / "key", where="user")
    files.chain.write_bytes(chain)
    files.key.write_bytes(key)
    return files


async def test_a_fixed_identity_is_always_the_same_and_cannot_be_renewed(clock: ManualClock) -> None:
    source = FixedCredentials.token("t").open(clock)
    identity = await source.identity()
    assert identity.authorization == "Bearer t"
    assert await source.identity() is identity
    assert not await source.renew(identity)


async def test_a_token_file_is_read_again_after_a_minute(clock: ManualClock, file: Path) -> None:
    source = TokenFile(path=file, where="user").open(clock)
    first = await source.identity()
    write(file, "two")
    await clock.advance(timedelta(seconds=59))
    assert await source.identity() is first
    await clock.advance(timedelta(seconds=1))
    assert (await source.identity()).authorization == "Bearer two"


async def test_an_unchanged_token_file_gives_the_same_identity(clock: ManualClock, file: Path) -> None:
    source = TokenFile(path=file, where="user").open(clock)
    first = await source.identity()
    await clock.advance(timedelta(minutes=5))
    assert await source.identity() is first


async def test_a_refused_token_is_read_again_at_once(clock: ManualClock, file: Path) -> None:
    source = TokenFile(path=file, where="user").open(clock)
    refused = await source.identity()
    assert not await source.renew(refused), "the file still holds what was refused"
    write(file, "two")
    assert await source.renew(refused)
    assert (await source.identity()).authorization == "Bearer two"


async def test_a_token_that_another_request_renewed_needs_no_second_look(
    clock: ManualClock, file: Path
) -> None:
    source = TokenFile(path=file, where="user").open(clock)
    refused = await source.identity()
    write(file, "two")
    await source.renew(refused)
    write(file, "three")
    assert await source.renew(refused)
    assert (await source.identity()).authorization == "Bearer two"


@pytest.mark.parametrize("broken", ["", None])
async def test_a_token_that_was_read_stays_when_the_file_breaks(
    clock: ManualClock, file: Path, caplog: pytest.LogCaptureFixture, broken: str | None
) -> None:
    source = TokenFile(path=file, where="user", fallback="old").open(clock)
    first = await source.identity()
    write(file, broken)
    await clock.advance(timedelta(minutes=1))
    assert await source.identity() is first
    assert "stays in use" in caplog.text
    assert str(file) in caplog.text


async def test_a_fallback_is_used_until_the_token_file_appears(clock: ManualClock, tmp_path: Path) -> None:
    source = TokenFile(path=tmp_path / "late", where="user", fallback="old").open(clock)
    assert (await source.identity()).authorization == "Bearer old"
    (tmp_path / "late").write_text("new")
    await clock.advance(timedelta(minutes=1))
    assert (await source.identity()).authorization == "Bearer new"


async def test_certificate_files_are_read_again_after_rotation(
    clock: ManualClock, pair: CertificateFiles, issue: Issue
) -> None:
    source = pair.open(clock)
    first = await source.identity()
    chain, key = issue("alice")
    pair.chain.write_bytes(chain)
    await clock.advance(timedelta(minutes=1))
    assert await source.identity() is first, "half a rotation is none"
    pair.key.write_bytes(key)
    await clock.advance(timedelta(minutes=1))
    rotated = (await source.identity()).certificate
    assert rotated is not None
    assert rotated.chain == chain


async def test_a_token_and_a_certificate_rotate_each_on_its_own(
    clock: ManualClock, pair: CertificateFiles, file: Path
) -> None:
    source = CombinedCredentials(TokenFile(path=file, where="user"), pair).open(clock)
    first = await source.identity()
    assert await source.identity() is first
    assert not await source.renew(first)
    write(file, "two")
    assert await source.renew(first)
    second = await source.identity()
    assert second == Identity(authorization="Bearer two", certificate=first.certificate)
    assert await source.renew(first), "someone else has renewed it since"


def test_an_expired_certificate_is_refused_with_the_moment(issue: Issue) -> None:
    certificate = ClientCertificate.parse(*issue("alice"), "config: user")
    certificate.check_current(certificate.expires - timedelta(seconds=1))
    said = f"config: user: the client certificate expired on {certificate.expires:%Y-%m-%d %H:%M} UTC"
    with pytest.raises(ConfigError, match=said):
        certificate.check_current(certificate.expires)


def test_a_key_with_its_curve_beside_it_is_understood(issue: Issue) -> None:
    chain, key = issue("alice")
    curve = b"-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
    assert ClientCertificate.parse(chain, curve + key, "x").key == curve + key


def test_comments_around_certificates_do_no_harm(ca: bytes, issue: Issue) -> None:
    comment = "# Größe: 1\n".encode()
    assert check_authority(comment + ca, "x") == comment + ca
    chain, key = issue("alice")
    ClientCertificate.parse(comment + chain, key, "x")
