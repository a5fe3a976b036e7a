"""exec and attach: commands in containers, over WebSockets and SPDY."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
import pytest

from windlass.apiserver.kubelet import KubeletRefusal
from wire import Messages, SpdyClient, decoded, spdy, websocket

if TYPE_CHECKING:
    from kubelet_site import Site

OUT, ERR, STATUS, SIZE = 1, 2, 3, 4
V4, V5 = "v4.channel.k8s.io", "v5.channel.k8s.io"
SUCCESS = {"metadata": {}, "status": "Success"}
FAILED = {
    "metadata": {},
    "status": "Failure",
    "message": "command terminated with non-zero exit code: command terminated with exit code 3",
    "reason": "NonZeroExitCode",
    "details": {"causes": [{"reason": "ExitCode", "message": "3"}]},
}
FAILING = ("sh", "-c", "echo out; echo err >&2; exit 3")


def running(*argv: str, container: str = "main", **streams: bool) -> list[tuple[str, str]]:
    """The parameters of a command that shows what it writes."""
    wanted = {"stdout": True, "stderr": True, **streams}
    flags = [(name, "true") for name, on in wanted.items() if on]
    return [("container", container), *(("command", each) for each in argv), *flags]


def internal(message: str) -> dict[str, Any]:
    return {
        "metadata": {},
        "status": "Failure",
        "message": f"Internal error occurred: {message}",
        "reason": "InternalError",
        "details": {"causes": [{"message": message}]},
        "code": 500,
    }


@pytest.mark.parametrize("protocol", [V5, V4])
async def test_a_command_shows_what_it_writes_and_how_it_ends(site: Site, protocol: str) -> None:
    async with site.open(websocket(f"{site.pod}/exec", protocol, query=running(*FAILING))) as opened:
        assert (opened.status, opened.headers["sec-websocket-protocol"]) == (101, protocol)
        came = await Messages(opened.connection).finish()

    assert (came[OUT], came[ERR], orjson.loads(came[STATUS])) == (b"out\n", b"err\n", FAILED)


async def test_a_client_that_reads_text_is_sent_base64(site: Site) -> None:
    asking = websocket(f"{site.pod}/exec", "v4.base64.channel.k8s.io", query=running(*FAILING))
    async with site.open(asking) as opened:
        messages, pieces = Messages(opened.connection), []
        while message := await messages.receive():
            pieces.append(message)

    came = decoded({}, pieces)
    assert (came[OUT], came[ERR], orjson.loads(came[STATUS])) == (b"out\n", b"err\n", FAILED)


@pytest.mark.parametrize("protocols", [(), ("channel.k8s.io",)], ids=["none", "first"])
async def test_the_first_clients_are_told_in_words_how_a_command_ended(
    site: Site, protocols: tuple[str, ...]
) -> None:
    async with site.open(websocket(f"{site.pod}/exec", *protocols, query=running(*FAILING))) as opened:
        came = await Messages(opened.connection).finish()

    assert (came[OUT], came[STATUS].decode()) == (b"out\n", FAILED["message"])


async def test_a_client_of_version_5_can_say_that_it_types_no_more(site: Site) -> None:
    asking = websocket(f"{site.pod}/exec", V5, query=running("cat", stdin=True))
    async with site.open(asking) as opened:
        messages = Messages(opened.connection)
        await messages.send(b"\x00one ")
        await messages.send(b"\x00two")
        await messages.until(OUT, b"one two")
        await messages.send(bytes([255, 0]))
        came = await messages.finish()

    assert (came[OUT], orjson.loads(came[STATUS])) == (b"one two", SUCCESS)


async def test_a_terminal_has_the_size_that_its_user_says(site: Site) -> None:
    asking = websocket(f"{site.pod}/exec", V5, query=running("stty", "size", stdin=True, tty=True))
    async with site.open(asking) as opened:
        messages = Messages(opened.connection)
        await messages.send(bytes([SIZE]) + b'{"Width":101,"Height":33}')
        came = await messages.finish()

    assert (came[OUT], orjson.loads(came[STATUS])) == (b"33 101\r\n", SUCCESS)


async def test_a_ping_is_answered(site: Site) -> None:
    asking = websocket(f"{site.pod}/exec", V5, query=running("cat", stdin=True))
    async with site.open(asking) as opened:
        messages = Messages(opened.connection)
        await messages.send(b"there?", code=9)
        while (message := await messages.receive()) != b"there?":
            assert message


async def test_what_is_attached_to_runs_already(site: Site) -> None:
    asking = websocket(f"{site.pod}/attach", V5, query=running(stdin=True))
    async with site.open(asking) as opened:
        messages = Messages(opened.connection)
        await messages.send(b"\x00typed")
        await messages.until(OUT, b"typed")
        await messages.send(bytes([255, 0]))
        came = await messages.finish()

    assert orjson.loads(came[STATUS]) == SUCCESS


async def test_a_container_that_does_not_run_runs_nothing(site: Site) -> None:
    asking = websocket(f"{site.pod}/exec", V5, query=running("true", container="other"))
    async with site.open(asking) as opened:
        came = await Messages(opened.connection).finish()

    said = 'container "other" in pod "a" is waiting to start: ContainerCreating'
    wrapped = internal(f"Internal error occurred: error executing command in container: {said}")
    assert orjson.loads(came[STATUS]) == wrapped


async def test_a_client_of_version_4_is_told_what_the_kubelet_says(site: Site) -> None:
    site.kubelet.refusal = KubeletRefusal("no")
    async with site.open(websocket(f"{site.pod}/attach", V4, query=running())) as opened:
        came = await Messages(opened.connection).finish()

    assert orjson.loads(came[STATUS]) == internal("error attaching to container: no")


async def test_a_command_ends_with_its_connection(site: Site) -> None:
    asking = websocket(f"{site.pod}/exec", V5, query=running("sh", "-c", "echo up; cat", stdin=True))
    async with site.open(asking) as opened:
        await Messages(opened.connection).until(OUT, b"up")
        assert site.kubelet.running

    await site.kubelet.until_idle()


@pytest.mark.parametrize("protocol", [V4, "v3.channel.k8s.io", "v2.channel.k8s.io", "channel.k8s.io"])
async def test_a_command_is_run_over_spdy(site: Site, protocol: str) -> None:
    asking = spdy(f"{site.pod}/exec", protocol, query=running("sh", "-c", "cat; exit 3", stdin=True))
    async with site.open(asking) as opened:
        assert opened.status == 101
        assert opened.headers["x-stream-protocol-version"] == protocol
        client = SpdyClient(opened.connection)
        error = await client.open(streamtype="error", fin=True)
        stdin = await client.open(streamtype="stdin")
        out = await client.open(streamtype="stdout", fin=True)
        err = await client.open(streamtype="stderr", fin=True)
        await client.send(stdin, b"x" * 100_000)
        await client.send(stdin, b"", fin=True)
        await client.until(lambda: {error, out, err} <= client.finished)

    assert client.came[out] == b"x" * 100_000
    said = client.came[error].decode()
    assert (orjson.loads(said) if protocol == V4 else said) == (
        FAILED if protocol == V4 else FAILED["message"]
    )


async def test_a_terminal_over_spdy_has_a_stream_for_its_size(site: Site) -> None:
    asking = spdy(f"{site.pod}/exec", V4, query=running("stty", "size", stdin=True, tty=True))
    async with site.open(asking) as opened:
        client = SpdyClient(opened.connection)
        error = await client.open(streamtype="error")
        await client.open(streamtype="stdin")
        out = await client.open(streamtype="stdout")
        resize = await client.open(streamtype="resize")
        await client.send(resize, b'{"Width":101,"Height":33}\n')
        await client.until(lambda: {error, out} <= client.finished)

    assert (client.came[out], orjson.loads(client.came[error])) == (b"33 101\r\n", SUCCESS)


async def test_of_several_protocols_the_first_that_is_known_is_spoken(site: Site) -> None:
    asking = spdy(f"{site.pod}/exec", "v9.channel.k8s.io", V4, "channel.k8s.io", query=running("true"))
    async with site.open(asking) as opened:
        assert (opened.status, opened.headers["x-stream-protocol-version"]) == (101, V4)


async def test_who_speaks_no_known_protocol_is_refused(site: Site) -> None:
    asking = spdy(f"{site.pod}/exec", "v9.channel.k8s.io", query=running("true"))
    async with site.open(asking) as opened:
        assert opened.status == 403
        assert b"unable to negotiate protocol: client supports [v9.channel.k8s.io]" in opened.body


async def test_who_names_no_protocol_of_spdy_is_refused(site: Site) -> None:
    async with site.open(spdy(f"{site.pod}/exec", query=running("true"))) as opened:
        assert opened.status == 400
        assert b"header X-Stream-Protocol-Version does not exist" in opened.body


async def test_a_command_that_nobody_hears_or_talks_to_is_not_run(site: Site) -> None:
    asking = spdy(f"{site.pod}/exec", V4, query=running("true", stdout=False, stderr=False))
    async with site.open(asking) as opened:
        assert (opened.status, opened.body.strip()) == (
            400,
            b"you must specify at least 1 of stdin, stdout, stderr",
        )
