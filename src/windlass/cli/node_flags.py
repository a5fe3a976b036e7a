"""What is said of simulated nodes wherever they run: their labels, and the programs that images stand for."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from windlass.cluster.node import OWN_IMAGES, NodeOptions, Program

if TYPE_CHECKING:
    from collections.abc import Sequence

image_option: Final = click.option(
    "--image", "images", multiple=True, metavar="PATTERN=COMMAND",
    help="Run this command where a pod has an image that fits the pattern, such as "
    "'ghcr.io/acme/operator:*=python -m acme'; repeatable.",
)  # fmt: skip


label_option: Final = click.option(
    "--label", "labels", multiple=True, metavar="NAME=VALUE", help="A label of each node; repeatable."
)


project_option: Final = click.option(
    "--project", type=click.Path(exists=True, file_okay=False, path_type=Path), default=".",
    help="A folder of operators: the pods of `windlass deploy MODULE` run the module that lies here.  "
    "[default: the current folder]",
)  # fmt: skip


NODE_OPTIONS: Final = ("count", "labels", "images", "project")
"""The parameters of `parse_nodes`."""


def parse_nodes(count: int, labels: Sequence[str], images: Sequence[str], project: Path) -> NodeOptions:
    """So many nodes with what `--label`, `--image` and `--project` say."""
    return NodeOptions(
        count=count,
        labels=parse_pairs("--label", labels),
        images=parse_images(images),
        project=project.resolve(),
    )


def parse_pairs(option: str, texts: Sequence[str]) -> dict[str, str]:
    """What an option says that is NAME=VALUE, each time it is given."""
    for text in texts:
        if "=" not in text:
            raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint=option)
    return dict(text.split("=", 1) for text in texts)


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
