"""The option `--image`, by which a program of this machine runs in the place of an image."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final

import click

from windlass.cluster.node import OWN_IMAGES, Program

if TYPE_CHECKING:
    from collections.abc import Sequence

image_option: Final = click.option(
    "--image", "images", multiple=True, metavar="PATTERN=COMMAND",
    help="Run this command where a pod has an image that fits the pattern, such as "
    "'ghcr.io/acme/operator:*=python -m acme'; repeatable.",
)  # fmt: skip


def parse_images(texts: Sequence[str]) -> dict[str, Program]:
    """What `--image` says, each time it is given; of the image of Windlass itself it need not be said."""
    return {**dict(_parse(text) for text in texts), **OWN_IMAGES}


def _parse(text: str) -> tuple[str, Program]:
    pattern, _, line = text.partition("=")
    try:
        command = tuple(shlex.split(line))
    except ValueError as error:
        raise click.BadParameter(f"{line!r} is no command: {error}", param_hint="--image") from error
    if not pattern or not command:
        raise click.BadParameter(f"{text!r} is not PATTERN=COMMAND", param_hint="--image")
    return pattern, Program(command)
