"""What a simulated container does, as data: by the name of its image, and by annotations of its pod."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from windlass.kinds.core.v1 import Pod
    from windlass.kinds.core.v1.pod_spec import Container

PREFIX: Final = "node.windlass.dev/"
_CRASHED: Final = 1


@dataclass(frozen=True, kw_only=True)
class Behaviour:
    """What a simulated container does; it may change while the container runs.

    `runs`: for how long it runs; None for ever if it is always restarted, otherwise for a moment.
    `exit_code`: how it ends then.
    `stops_after`: how long it takes to end once it is asked to; longer than its grace period, it is killed.
    `pull_error`: why its image cannot be pulled; empty if it can.
    `ready`: whether its readiness probe succeeds.
    `alive`: whether its liveness probe succeeds, if it has one; otherwise it is restarted.
    `log`: the lines that it writes when it starts.
    """

    runs: timedelta | None = None
    exit_code: int = 0
    stops_after: timedelta = timedelta()
    pull_error: str = ""
    ready: bool = True
    alive: bool = True
    log: tuple[str, ...] = ()


@dataclass(frozen=True)
class Program:
    """A real program of this machine that runs in the place of an image.

    The command of the container, if it has one, is what it is run with: `command` is put in the place of the
    image's entrypoint, and a container's own `command` wins over it, as it does in a cluster. It starts in
    `folder`, or in the folder of its pod.
    """

    command: tuple[str, ...]
    folder: Path | None = None


Images = Mapping[str, Behaviour | Program]
"""What each image is, by a pattern of its name such as `ghcr.io/acme/*`; the first that fits counts."""

RUN_IN: Final = f"{PREFIX}run-in"
"""The annotation by which `windlass deploy` has a pod's default container run in a folder of this machine."""
ENTRYPOINT: Final = f"{PREFIX}entrypoint"
"""The annotation of what that container runs in place of its image's entrypoint: arguments of `windlass`."""
SOURCE: Final = f"{PREFIX}source"
"""The annotation with a digest of the sources that run in that folder."""
_DEFAULT_CONTAINER: Final = "kubectl.kubernetes.io/default-container"
_WINDLASS: Final = (sys.executable, "-m", "windlass")

OWN_IMAGES: Final[Mapping[str, Program]] = {"windlass:*": Program(_WINDLASS)}
"""The image of Windlass itself, which need not be pulled: it is what runs the nodes."""


def image_of(name: str, images: Images) -> Behaviour | Program:
    """What an image is: a behaviour unless somebody said otherwise."""
    for pattern, image in images.items():
        if fnmatchcase(name, pattern):
            return image
    return Behaviour()


def deployed_program(pod: Pod, container: Container, project: Path | None) -> Program | None:
    """Return what a container of `windlass deploy` runs, if its folder lies in the project of these nodes."""
    notes = pod.metadata.annotations
    folder = Path(notes.get(RUN_IN, ""))
    if project is None or RUN_IN not in notes or container.name != notes.get(_DEFAULT_CONTAINER):
        return None
    if ".." in folder.parts or not folder.is_relative_to(project):
        return None
    return Program((*_WINDLASS, *shlex.split(notes.get(ENTRYPOINT, ""))), folder)


def behaviour_of(pod: Pod, container: Container, images: Images) -> Behaviour:
    """What a simulated container does: as its image does, unless an annotation of the pod says otherwise.

    An annotation whose name ends with that of a container, `node.windlass.dev/exit-code.main`, is for that
    container alone.
    """
    image = image_of(container.image or "", images)
    behaviour = image if isinstance(image, Behaviour) else Behaviour()
    said = {
        name: pod.metadata.annotations[key]
        for name in _ANNOTATIONS
        for key in (f"{PREFIX}{name}", f"{PREFIX}{name}.{container.name}")
        if key in pod.metadata.annotations
    }
    for name, text in said.items():
        behaviour = replace(behaviour, **_ANNOTATIONS[name](text))
    return behaviour


def _lasting(field: str) -> Callable[[str], dict[str, Any]]:
    """Reads seconds; what is no number changes nothing."""

    def read(text: str) -> dict[str, Any]:
        try:
            return {field: timedelta(seconds=float(text))}
        except (ValueError, OverflowError):
            return {}

    return read


def _code(text: str, otherwise: int) -> int:
    return int(text) if text.isdecimal() else otherwise


_ANNOTATIONS: Final[Mapping[str, Callable[[str], dict[str, Any]]]] = {
    "run-seconds": _lasting("runs"),
    "exit-code": lambda text: {"exit_code": _code(text, 0)},
    "stop-seconds": _lasting("stops_after"),
    "fail-pull": lambda text: {"pull_error": text or "the image is said not to be there"},
    "crash": lambda text: {"runs": timedelta(), "exit_code": _code(text, _CRASHED)},
    "not-ready": lambda _: {"ready": False},
    "not-alive": lambda _: {"alive": False},
    "log": lambda text: {"log": tuple(text.splitlines())},
}
"""What an annotation makes of a behaviour, by its name."""
