from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path

import pytest

from pod_story import pod_of
from windlass.cluster.node import Behaviour, Program
from windlass.cluster.node.behaviour import Images, behaviour_of, deployed_program, image_of
from windlass.kinds.core.v1 import Pod

QUICK = Behaviour(runs=timedelta(seconds=1))


def test_the_first_pattern_that_fits_says_what_an_image_is() -> None:
    images: Images = {"ghcr.io/acme/*": QUICK, "*:local": Program(("run",)), "*": Behaviour(ready=False)}
    assert image_of("ghcr.io/acme/web:local", images) is QUICK
    assert image_of("web:local", images) == Program(("run",))
    assert image_of("web:1", images) == Behaviour(ready=False)
    assert image_of("web:1", {}) == Behaviour()


@pytest.mark.parametrize(
    ("annotations", "expected"),
    [
        ({}, Behaviour()),
        ({"run-seconds": "1.5"}, Behaviour(runs=timedelta(seconds=1.5))),
        ({"run-seconds": "soon"}, Behaviour()),
        ({"exit-code": "3"}, Behaviour(exit_code=3)),
        ({"crash": ""}, Behaviour(runs=timedelta(), exit_code=1)),
        ({"crash": "9"}, Behaviour(runs=timedelta(), exit_code=9)),
        ({"fail-pull": "denied"}, Behaviour(pull_error="denied")),
        ({"fail-pull": ""}, Behaviour(pull_error="the image is said not to be there")),
        ({"not-ready": ""}, Behaviour(ready=False)),
        ({"not-alive": ""}, Behaviour(alive=False)),
        ({"log": "a\nb"}, Behaviour(log=("a", "b"))),
        ({"stop-seconds": "2"}, Behaviour(stops_after=timedelta(seconds=2))),
        ({"exit-code": "3", "exit-code.main": "4"}, Behaviour(exit_code=4)),
        ({"exit-code.other": "4"}, Behaviour()),
    ],
)
def test_an_annotation_changes_what_a_container_does(
    annotations: dict[str, str], expected: Behaviour
) -> None:
    pod = pod_of(annotations=annotations)
    assert behaviour_of(pod, pod.spec.containers[0], {}) == expected


def deployed(container: str = "manager", **annotations: str) -> Pod:
    """A pod as `windlass deploy` makes it, with annotations of simulated nodes."""
    notes = {"kubectl.kubernetes.io/default-container": "manager"}
    notes |= {f"node.windlass.dev/{name.replace('_', '-')}": value for name, value in annotations.items()}
    spec = {"containers": [{"name": container, "image": "shop:latest"}]}
    return Pod.from_wire({"metadata": {"name": "a", "annotations": notes}, "spec": spec})


@pytest.mark.parametrize(
    ("pod", "project", "program"),
    [
        (deployed(run_in="/home/shop"), "/home/shop", ((), "/home/shop")),
        (deployed(run_in="/home/shop/sub"), "/home/shop", ((), "/home/shop/sub")),
        (
            deployed(run_in="/home/shop", entrypoint="helm run --watches-file=a.yaml"),
            "/home/shop",
            (("helm", "run", "--watches-file=a.yaml"), "/home/shop"),
        ),
        (deployed(), "/home/shop", None),
        (deployed(run_in="/home/shop"), "", None),
        (deployed(run_in="/home/other"), "/home/shop", None),
        (deployed(run_in="/home/shop/../other"), "/home/shop", None),
        (deployed("sidecar", run_in="/home/shop"), "/home/shop", None),
    ],
)
def test_a_pod_that_was_deployed_runs_windlass_in_the_project_of_its_node_and_no_other_does(
    pod: Pod, project: str, program: tuple[tuple[str, ...], str] | None
) -> None:
    found = deployed_program(pod, pod.spec.containers[0], Path(project) if project else None)

    expected = program and Program((sys.executable, "-m", "windlass", *program[0]), Path(program[1]))
    assert found == expected
