from __future__ import annotations

import errno
import socket

import pytest

from windlass.testing.port import hold_port


def test_a_held_port_is_refused_to_everybody_else() -> None:
    with hold_port() as held, socket.socket() as other:
        with pytest.raises(OSError, match="in use") as refused:
            other.bind(held.getsockname())

        assert refused.value.errno == errno.EADDRINUSE


def test_a_program_that_shares_the_port_gets_every_connection() -> None:
    with hold_port() as held, socket.socket() as program:
        program.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        program.bind(held.getsockname())
        program.listen()
        for _ in range(20):
            with socket.create_connection(held.getsockname(), timeout=5) as client:
                accepted, peer = program.accept()
                accepted.close()
                assert peer == client.getsockname()


def test_ports_that_are_held_at_the_same_time_differ() -> None:
    with hold_port() as one, hold_port() as two:
        assert one.getsockname() != two.getsockname()


def test_a_certain_port_can_be_held_beside_the_program_that_has_it() -> None:
    with hold_port() as first, hold_port(first.getsockname()[1]) as second:
        assert second.getsockname() == first.getsockname()
