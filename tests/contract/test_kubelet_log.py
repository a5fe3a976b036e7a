"""log: what the kubelet of a pod's node says."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from windlass.apiserver.kubelet import KubeletRefusal, LogQuery
from windlass.client import Client, LogOptions, read_logs
from windlass.errors import BadRequest, NotFound

if TYPE_CHECKING:
    from kubelet_site import Site

START = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def written(site: Site) -> None:
    """The container has written three lines, and its instance before one."""
    for number in range(3):
        site.kubelet.write(START + timedelta(seconds=number), f"line {number}")
    site.kubelet.before.append((START, "before"))


async def test_a_log_is_plain_text(site: Site) -> None:
    reply = await site.api.get(f"{site.pod}/log", container="main")

    assert (reply.status, reply.body) == (200, "line 0\nline 1\nline 2\n")
    assert reply.headers["content-type"] == "text/plain"


async def test_what_is_asked_for_reaches_the_kubelet(site: Site) -> None:
    query = {"tailLines": 2, "limitBytes": 10, "previous": True, "timestamps": True}
    since = {"sinceTime": "2026-01-01T00:00:00Z"}
    await site.api.get(f"{site.pod}/log", container="main", **query, **since)

    assert site.kubelet.asked == [LogQuery(previous=True, timestamps=True, since=START, tail=2, limit=10)]


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        (LogOptions(container="main"), ["line 0", "line 1", "line 2"]),
        (LogOptions(container="main", tail=1), ["line 2"]),
        (LogOptions(container="main", since=START + timedelta(seconds=1)), ["line 1", "line 2"]),
        (LogOptions(container="main", since=timedelta(seconds=1)), []),
        (LogOptions(container="main", previous=True), ["before"]),
        (LogOptions(container="main", limit=9), ["line 0", "li"]),
        (LogOptions(container="main", tail=1, timestamps=True), ["2026-01-01T00:00:02+00:00 line 2"]),
    ],
    ids=["all", "tail", "since", "age", "previous", "limit", "timestamps"],
)
async def test_a_part_of_a_log_is_read(site: Site, options: LogOptions, lines: list[str]) -> None:
    client = Client(site.api.transport)

    assert [line async for line in read_logs(client, "a", site.namespace, options)] == lines


async def test_a_log_is_followed_until_its_container_ends(site: Site) -> None:
    options = LogOptions(container="main", follow=True, tail=1)
    lines = read_logs(Client(site.api.transport), "a", site.namespace, options)

    assert await anext(lines) == "line 2"
    site.kubelet.write(START, "news")
    assert await anext(lines) == "news"
    site.kubelet.ended.set()
    assert [line async for line in lines] == []


async def test_who_stops_following_is_not_followed_on(site: Site) -> None:
    options = LogOptions(container="main", follow=True)
    async with aclosing(read_logs(Client(site.api.transport), "a", site.namespace, options)) as lines:
        await anext(lines)

    async with asyncio.timeout(10):
        await site.kubelet.unfollowed.wait()


async def test_a_container_that_has_not_begun_has_no_log(site: Site) -> None:
    with pytest.raises(BadRequest, match='container "other" in pod "a" is waiting to start'):
        await anext(read_logs(Client(site.api.transport), "a", site.namespace, LogOptions(container="other")))


@pytest.mark.parametrize(
    ("status", "reason", "message"),
    [
        (400, "BadRequest", "no"),
        (404, "NotFound", "the server could not find the requested resource ( pods/log a)"),
        (500, "InternalError", "Internal error occurred: no"),
    ],
)
async def test_what_a_kubelet_refuses_is_refused(site: Site, status: int, reason: str, message: str) -> None:
    site.kubelet.refusal = KubeletRefusal("no", status)

    refused = (await site.api.get(f"{site.pod}/log", container="main")).refused(status, reason)

    assert refused["message"] == message


async def test_a_missing_pod_has_no_lines(site: Site) -> None:
    with pytest.raises(NotFound, match='pods "b" not found'):
        await anext(read_logs(Client(site.api.transport), "b", site.namespace))
