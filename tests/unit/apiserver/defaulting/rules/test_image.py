from __future__ import annotations

import pytest

from windlass.apiserver.defaulting.rules.image import pull_policy

SHA256, SHA512 = "0" * 64, "0" * 128


@pytest.mark.parametrize(
    "image",
    [
        "app",
        "app:latest",
        "team/app",
        "localhost/app",
        "localhost:5000/app",
        "example.com/team/app:latest",
        "example.com:5000/app",
        "EXAMPLE/app",
        "index.docker.io/app",
        "docker.io/app:latest",
        "[::1]:5000/app",
        "a_b.com/x",
        "a__b",
        "a-b--c",
        "0" * 63,
        f"app:latest@sha256:{SHA256}",
        f"app:latest@sha512:{SHA512}",
    ],
)
def test_an_image_that_may_change_is_always_pulled(image: str) -> None:
    assert pull_policy(image) == "Always"


@pytest.mark.parametrize(
    "image",
    [
        "app:1",
        "app:LATEST",
        "example.com:5000/app:1",
        f"app@sha256:{SHA256}",
        f"app:1@sha512:{SHA512}",
        "",
        "App",
        "App:latest",
        "example.com/App",
        "app:",
        "app:latest@",
        "app@latest",
        "a//b",
        "a/",
        "-a",
        "a..b",
        "a___b",
        "a b",
        "é:latest",
        "ex-.com/x",
        "x" * 256,
        "0" * 64,
        f"app:latest@sha256:{SHA256[1:]}",
        f"app:latest@sha256:{'A' * 64}",
        f"app:latest@md5:{'0' * 32}",
    ],
)
def test_an_image_that_is_fixed_or_no_reference_is_pulled_if_missing(image: str) -> None:
    assert pull_policy(image) == "IfNotPresent"
