"""References to images: whether one means whatever is the latest."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

_LATEST: Final = "latest"
_HOME: Final = "docker.io"
_LONGEST_PATH: Final = 255
_DIGEST_LENGTHS: Final = {"sha256": 64, "sha384": 96, "sha512": 128}


@lru_cache(maxsize=4096)
def pull_policy(image: str) -> str:
    """How an image is pulled if nobody says: always, if its reference means the latest one.

    What is no reference at all means nothing, and so not the latest.
    """
    name, _, digest = image.partition("@")
    _, separator, tag = name.rpartition("/")[2].partition(":")
    latest = tag == _LATEST if separator else not digest
    return "Always" if latest and _is_reference(image) else "IfNotPresent"


def _is_reference(image: str) -> bool:
    if re.fullmatch("[a-f0-9]{64}", image):
        return False  # would be taken for the identity of an image
    host, rest = _split(image)
    match = _grammar().fullmatch(f"{host}/{rest}")
    if match is None or len(match["path"]) > _LONGEST_PATH:
        return False
    algorithm, _, encoded = (match["digest"] or "").partition(":")
    return not algorithm or bool(
        len(encoded) == _DIGEST_LENGTHS.get(algorithm) and re.fullmatch("[a-f0-9]+", encoded)
    )


def _split(image: str) -> tuple[str, str]:
    """The registry and the rest; a first part that does not look like a host belongs to the rest."""
    first, slash, rest = image.partition("/")
    if not slash:
        return _HOME, f"library/{image}"
    if first == "localhost" or "." in first or ":" in first or first != first.lower():
        host = _HOME if first == "index.docker.io" else first
        return host, f"library/{rest}" if host == _HOME and "/" not in rest else rest
    return _HOME, image


@cache
def _grammar() -> re.Pattern[str]:
    part = "[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?"
    host = rf"(?:{part}(?:\.{part})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?"
    component = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"
    tag = r"\w[\w.-]{0,127}"
    digest = "[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}"
    return re.compile(
        f"(?:{host}/)?(?P<path>{component}(?:/{component})*)(?::{tag})?(?:@(?P<digest>{digest}))?", re.ASCII
    )
