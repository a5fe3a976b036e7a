"""What a chart renders is changed by a function that sees objects, and nothing that Helm notes in them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from windlass.api import read_yaml
from windlass.helm.postrender import changed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Json

STREAM = b"""
# Source: probe/templates/a.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: a
  annotations:
    postrenderer.helm.sh/postrender-filename: 'probe/templates/a.yaml'
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: b
  annotations:
    helm.sh/hook: pre-install
    postrenderer.helm.sh/postrender-filename: 'probe/templates/b.yaml'
data: {date: "2026-01-01", number: "1e3", yes: "no"}
"""


async def test_nothing_is_lost_where_nothing_is_changed() -> None:
    assert read_yaml(await changed(STREAM, list)) == read_yaml(STREAM)


async def test_the_names_of_files_are_hidden_and_put_back() -> None:
    seen: list[Json] = []

    def change(objects: Sequence[Json]) -> Sequence[Json]:
        seen.extend(objects)
        return [{**each, "metadata": {"name": "new"}} for each in objects]

    found = read_yaml(await changed(STREAM, change))

    assert seen[0]["metadata"] == {"name": "a"}
    assert seen[1]["metadata"]["annotations"] == {"helm.sh/hook": "pre-install"}
    assert [each["metadata"]["annotations"] for each in found] == [
        {"postrenderer.helm.sh/postrender-filename": "probe/templates/a.yaml"},
        {"postrenderer.helm.sh/postrender-filename": "probe/templates/b.yaml"},
    ]


async def test_a_change_in_place_is_a_change() -> None:
    def change(objects: Sequence[Json]) -> Sequence[Json]:
        objects[0]["data"] = {"a": "b"}
        return objects

    assert read_yaml(await changed(STREAM, change))[0]["data"] == {"a": "b"}


@pytest.mark.parametrize("stream", [b"", b"\n", b"---\n---\n", b"# nothing\n"])
async def test_where_nothing_is_rendered_there_is_nothing_to_change(stream: bytes) -> None:
    found = await changed(stream, lambda _: pytest.fail("it is asked"))

    assert found.strip()  # Helm takes an empty answer for a failure
    assert read_yaml(found) == []


async def test_the_number_of_objects_must_be_kept() -> None:
    with pytest.raises(ValueError, match="the change made 1 objects of 2; it must keep their number"):
        await changed(STREAM, lambda objects: objects[:1])


async def test_a_long_stream_is_read_and_written_beside_the_loop() -> None:
    stream = b"---".join([STREAM] * 500)
    turns: list[int] = [0]

    async def others() -> None:
        while True:
            turns[-1] += 1
            await asyncio.sleep(0)

    def change(objects: Sequence[Json]) -> Sequence[Json]:
        turns.append(0)
        return objects

    task = asyncio.create_task(others())
    await changed(stream, change)
    task.cancel()

    before, after = turns
    assert before > 1
    assert after > 1
