from __future__ import annotations

import logging
import os
import ssl
import sys
import tempfile
from typing import TYPE_CHECKING

import pytest

from windlass.errors import ConfigError
from windlass.pki import FolderContext, KeyPair, PairContext, authority, server_context, serving_certificate

if TYPE_CHECKING:
    from pathlib import Path

OLD, NEW = authority("old"), authority("new")


def pair(signer: KeyPair) -> KeyPair:
    return serving_certificate(signer, ["localhost"])


def is_trusted(served: ssl.SSLContext, signer: KeyPair, *, version: ssl.TLSVersion | None = None) -> bool:
    """Whether a new connection, made in memory, shows a certificate of this authority."""
    trusting = ssl.create_default_context(cadata=signer.certificate)
    trusting.maximum_version = version or ssl.TLSVersion.MAXIMUM_SUPPORTED
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = trusting.wrap_bio(down, up, server_hostname="localhost")
    server = served.wrap_bio(up, down, server_side=True)
    for side in (client, server, client, server):
        try:
            side.do_handshake()
        except ssl.SSLWantReadError:
            continue
        except ssl.SSLCertVerificationError:
            return False
    return True


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_a_new_connection_uses_the_pair_that_was_given_last(version: ssl.TLSVersion) -> None:
    served = PairContext()
    served.use(pair(OLD))
    assert is_trusted(served.context, OLD, version=version)

    served.use(pair(NEW))

    assert is_trusted(served.context, NEW, version=version)
    assert not is_trusted(served.context, OLD, version=version)


@pytest.mark.skipif(sys.platform != "linux", reason="files in memory are Linux's")
def test_a_key_is_used_where_nothing_can_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(FileNotFoundError):
        tempfile.TemporaryFile()  # noqa: SIM115 - it is not opened

    assert is_trusted(server_context(pair(OLD)), OLD)


def test_without_a_pair_there_is_no_connection() -> None:
    with pytest.raises(ssl.SSLError, match=r"(?i)internal.error|callback"):
        is_trusted(PairContext().context, OLD)


def test_a_pair_that_is_none_is_refused_and_the_last_one_kept() -> None:
    served = PairContext()
    served.use(pair(OLD))

    with pytest.raises(ssl.SSLError):
        served.use(KeyPair(certificate=pair(NEW).certificate, key=pair(NEW).key))

    assert is_trusted(served.context, OLD)


def mount(folder: Path, version: str, signer: KeyPair) -> None:
    """As the kubelet does: a folder for each version, and one link that is replaced as a whole."""
    made = pair(signer)
    (folder / version).mkdir()
    (folder / version / "tls.crt").write_text(made.certificate)
    (folder / version / "tls.key").write_text(made.key)
    (folder / "..data_tmp").symlink_to(version)
    os.replace(folder / "..data_tmp", folder / "..data")  # noqa: PTH105 - the call that is atomic
    for name in ("tls.crt", "tls.key"):
        if not (folder / name).is_symlink():
            (folder / name).symlink_to(f"..data/{name}")


def test_files_that_the_kubelet_replaces_are_taken_up(tmp_path: Path) -> None:
    mount(tmp_path, "..1", OLD)
    served = FolderContext(tmp_path, "webhooks")
    assert is_trusted(served.context, OLD)

    mount(tmp_path, "..2", NEW)

    assert is_trusted(served.context, NEW)
    assert not is_trusted(served.context, OLD)


def test_a_pair_that_is_half_written_is_said_and_the_last_one_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    mount(tmp_path, "..1", OLD)
    served = FolderContext(tmp_path, "webhooks")
    (tmp_path / "..1" / "tls.crt").write_text(pair(NEW).certificate)

    with caplog.at_level(logging.WARNING, "windlass.pki"):
        assert is_trusted(served.context, OLD)

    assert [record.message for record in caplog.records] == [
        "The new certificate cannot be used; the last one is kept"
    ]


def test_a_folder_without_a_pair_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"webhooks cannot be secured by tls\.crt and tls\.key in"):
        FolderContext(tmp_path, "webhooks")
