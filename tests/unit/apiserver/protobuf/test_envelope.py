import pytest

from windlass.apiserver.decode import DecodeError
from windlass.apiserver.protobuf import Envelope
from windlass.apiserver.protobuf.envelope import framed_event

EMPTY_SECRETS = b'k8s\0\n\x10\n\2v1\x12\nSecretList\x12\r\n\x0b\n\0\x12\x0545048\x1a\0\x1a\0"\0'
"""As the real server answered it."""


def test_an_envelope_tells_the_kind_of_its_message() -> None:
    envelope = Envelope.open(EMPTY_SECRETS)

    assert (envelope.api_version, envelope.kind) == ("v1", "SecretList")
    assert envelope.message == b"\n\x0b\n\0\x12\x0545048\x1a\0"


def test_an_envelope_is_sealed_as_the_real_server_does_it() -> None:
    assert Envelope.open(EMPTY_SECRETS).sealed() == EMPTY_SECRETS


def test_an_envelope_may_be_empty() -> None:
    assert Envelope.open(b"k8s\0\x1a\0") == Envelope("", "", b"")


def test_what_has_no_prefix_is_no_envelope() -> None:
    with pytest.raises(DecodeError, match=r"expected prefix \[107 56 115 0\]"):
        Envelope.open(b'{"kind":"Secret"}')


def test_an_event_stands_in_the_stream_with_its_length() -> None:
    assert framed_event("ADDED", b"object") == b"\0\0\0\x11\n\5ADDED\x12\x08\n\6object"
