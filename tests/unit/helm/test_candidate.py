"""What a blueprint would deploy: rendered as seldom as can be."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from windlass.api import Key
from windlass.helm import Blueprint, Capabilities, Chart
from windlass.helm.candidate import Renders

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from windlass.api import Json
    from windlass.helm import Helm


class Counting:
    """A Helm that renders one object of a size, and counts how often."""

    def __init__(self, size: int) -> None:
        self.objects = [{"kind": "ConfigMap", "metadata": {"name": "web"}, "data": {"text": "x" * size}}]
        self.times = 0

    async def render(self, *_: object, **__: object) -> Sequence[Json]:
        self.times += 1
        return self.objects


def blueprint(folder: Path, release: str) -> Blueprint:
    chart = Chart(path=folder, name="shop", version="1", digest="a")
    return Blueprint(release=Key("", release), chart=chart, capabilities=Capabilities(kube_version="v1.36.0"))


async def test_a_blueprint_is_rendered_once_and_nobody_can_change_what_is_kept(tmp_path: Path) -> None:
    helm = Counting(10)
    renders = Renders(cast("Helm", helm))
    for _ in range(2):
        found = await renders.candidate(blueprint(tmp_path, "web"), helm.objects, None)
        assert list(found.objects) == helm.objects
    first = await renders.candidate(blueprint(tmp_path, "other"), [], None)
    first.objects[0]["data"] = {}

    again = await renders.candidate(blueprint(tmp_path, "other"), helm.objects, None)

    assert list(again.objects) == helm.objects
    assert helm.times == 3


async def test_large_renderings_do_not_pile_up(tmp_path: Path) -> None:
    helm = Counting(2**20)
    renders = Renders(cast("Helm", helm))
    names = [f"web-{number}" for number in range(20)]
    for name in [*names, names[-1], names[0]]:
        await renders.candidate(blueprint(tmp_path, name), helm.objects, None)

    assert helm.times == len(names) + 1  # the last one was still there, and the first was not
