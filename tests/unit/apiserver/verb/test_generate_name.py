"""Names that the server makes."""

from __future__ import annotations

from random import Random
from typing import Any

from typing_extensions import override

from contract import Api
from windlass.apiserver import World
from windlass.cluster import Cluster, ClusterOptions


class Stuttering(Random):
    """Chance that makes each name as often as it was told to before it makes another."""

    def __init__(self, times: int) -> None:
        super().__init__(1)
        self._times = times
        self._made: list[list[Any]] = []

    @override
    def choices(
        self, population: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1
    ) -> list[Any]:
        self._made.append(super().choices(population, weights, cum_weights=cum_weights, k=k))
        return self._made[(len(self._made) - 1) // self._times * self._times]


async def created_twice(times: int, path: str) -> list[int]:
    api = Api(Cluster(ClusterOptions(world=World(chance=Stuttering(times)))).transport())
    body = {"metadata": {"generateName": "web-"}}
    return [(await api.create(path, body)).status for _ in range(2)]


async def test_a_name_that_is_taken_is_made_anew() -> None:
    assert await created_twice(2, "/api/v1/namespaces/default/configmaps") == [201, 201]


async def test_after_some_names_that_are_taken_the_creation_is_a_conflict() -> None:
    assert await created_twice(100, "/api/v1/namespaces/default/configmaps") == [201, 409]
