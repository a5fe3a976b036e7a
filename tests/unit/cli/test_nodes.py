from __future__ import annotations

import sys
from datetime import timedelta

import click
import pytest
from click.testing import CliRunner

from windlass.cli import main
from windlass.cli.node_flags import parse_images
from windlass.cluster.node import OWN_IMAGES, Behaviour, NodeOptions, Program
from windlass.cluster.node.behaviour import image_of
from windlass.testing import command


def test_an_image_is_given_a_command() -> None:
    found = parse_images(["ghcr.io/acme/*=python -m acme 'a b'", "web=serve --x=y"])
    assert found == {
        "ghcr.io/acme/*": Program(("python", "-m", "acme", "a b")),
        "web": Program(("serve", "--x=y")),
        **OWN_IMAGES,
    }


def test_the_image_of_windlass_itself_is_this_program_unless_it_is_said_otherwise() -> None:
    assert image_of("windlass:1", parse_images([])) == Program((sys.executable, "-m", "windlass"))
    assert image_of("windlass:1", parse_images(["windlass:1=mine"])) == Program(("mine",))


@pytest.mark.parametrize("wrong", ["web", "=serve", "web=", "web='open"])
def test_what_is_no_pattern_with_a_command_is_refused(wrong: str) -> None:
    with pytest.raises(click.BadParameter):
        parse_images([wrong])


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--heartbeat=soon"], "is not a duration"),
        (["--label=gold"], "'gold' is not NAME=VALUE"),
        (["--taint=x"], "'x' is no taint"),
        (["--count=0"], "leaves nothing to do without --gateway or --storage"),
    ],
)
def test_flags_that_cannot_be_used_are_refused(flags: list[str], said: str) -> None:
    result = CliRunner().invoke(main, ["nodes", *flags])
    assert result.exit_code != 0
    assert said in result.output


def test_the_process_of_a_control_plane_is_told_what_its_options_say() -> None:
    options = NodeOptions(
        count=2,
        prefix="n",
        capacity={"example.com/gpu": "4"},
        labels={"tier": "gold"},
        taints=("a=b:NoSchedule",),
        zones=("east",),
        heartbeat=None,
        backoff=timedelta(milliseconds=1500),
        images={"local:*": Program(("env", "A=1 2")), "slow": Behaviour()},
    )
    given = command.nodes(options, storage=True)
    assert given[0] == sys.executable
    assert given[4:] == [
        "--kubeconfig=kubeconfig",
        "--count=2",
        "--prefix=n",
        "--heartbeat=0s",
        "--moment=100ms",
        "--backoff=1.5s",
        "--kubelet-certificate=serving.crt",
        "--kubelet-key=serving.key",
        "--kubelet-client-ca=ca.crt",
        "--gateway=gateway.sock",
        "--storage",
        "--capacity=example.com/gpu=4",
        "--label=tier=gold",
        "--taint=a=b:NoSchedule",
        "--zone=east",
        "--image=local:*=env 'A=1 2'",
    ]
