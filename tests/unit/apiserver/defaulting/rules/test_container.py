from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.defaulting import fill_definition

CORE = "io.k8s.api.core.v1"


@pytest.mark.parametrize("name", ["Container", "EphemeralContainer"])
@pytest.mark.parametrize(("image", "policy"), [("app", "Always"), ("app:1", "IfNotPresent")])
def test_the_pull_policy_follows_from_the_tag(name: str, image: str, policy: str) -> None:
    container = {"image": image}

    fill_definition(f"{CORE}.{name}", container)

    assert container["imagePullPolicy"] == policy


def test_a_pull_policy_that_is_given_is_kept() -> None:
    container = {"image": "app", "imagePullPolicy": "Never"}

    fill_definition(f"{CORE}.Container", container)

    assert container["imagePullPolicy"] == "Never"


@pytest.mark.parametrize(("image", "policy"), [("app", "Always"), ("app:1", "IfNotPresent")])
def test_the_image_of_a_volume_is_pulled_like_that_of_a_container(image: str, policy: str) -> None:
    volume: dict[str, Any] = {"name": "a", "image": {"reference": image}}

    fill_definition(f"{CORE}.Volume", volume)

    assert volume["image"]["pullPolicy"] == policy
