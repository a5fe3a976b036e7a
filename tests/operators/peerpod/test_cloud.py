"""What every cloud does, the one in memory and the one that is a program; and what each does besides."""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest
from typing_extensions import override

import cloud_program
from polling import soon
from windlass.aio import ManualClock
from windlass.errors import ConfigError, Terminal
from windlass.operators.peerpod.cloud import (
    ENTRY_POINTS,
    AccessDeniedError,
    CleaningOptions,
    Cloud,
    CloudError,
    Clouds,
    FakeCloud,
    InstanceMissingError,
    ProgramCloud,
    ThrottledError,
    installed_clouds,
)

if TYPE_CHECKING:
    from windlass.operators.peerpod.cloud import Credentials

PROGRAM = (sys.executable, str(Path(cloud_program.__file__)))
CODES = {InstanceMissingError: "66", ThrottledError: "75", AccessDeniedError: "77", CloudError: "1"}


class Region(Protocol):
    """A cloud with a way to see and change what it holds."""

    cloud: Cloud

    def launch(self) -> str:
        """Start an instance."""

    def instances(self) -> set[str]:
        """Those that there are."""

    def refuse(self, error: type[CloudError]) -> None:
        """Let the next call fail."""


class InMemory(Region):
    def __init__(self) -> None:
        self.cloud: FakeCloud = FakeCloud()

    @override
    def launch(self) -> str:
        return self.cloud.launch("")

    @override
    def instances(self) -> set[str]:
        return set(self.cloud.instances)

    @override
    def refuse(self, error: type[CloudError]) -> None:
        self.cloud.refuse(error("as told"))


class ByProgram(Region):
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cloud = ProgramCloud.of(*PROGRAM)({"REGION": str(folder)})

    @override
    def launch(self) -> str:
        instance = f"i-{len(list(self.folder.iterdir()))}"
        (self.folder / instance).touch()
        return instance

    @override
    def instances(self) -> set[str]:
        return {each.name for each in self.folder.iterdir()}

    @override
    def refuse(self, error: type[CloudError]) -> None:
        (self.folder / "fault").write_text(CODES[error], "utf-8")


@pytest.fixture(params=["memory", "program"])
def region(request: pytest.FixtureRequest, tmp_path: Path) -> Region:
    """Each kind of cloud."""
    return InMemory() if request.param == "memory" else ByProgram(tmp_path)


async def test_an_instance_is_deleted_and_no_other(region: Region) -> None:
    goes, stays = region.launch(), region.launch()

    await region.cloud.delete_instance(goes)

    assert region.instances() == {stays}


async def test_what_is_not_there_is_told_as_such(region: Region) -> None:
    gone = region.launch()
    await region.cloud.delete_instance(gone)

    with pytest.raises(InstanceMissingError):
        await region.cloud.delete_instance(gone)


@pytest.mark.parametrize("error", [ThrottledError, AccessDeniedError, CloudError])
async def test_a_refusal_is_told_by_its_kind_and_may_be_over_the_next_time(
    region: Region, error: type[CloudError]
) -> None:
    instance = region.launch()
    region.refuse(error)

    with pytest.raises(error, match="as told") as caught:
        await region.cloud.delete_instance(instance)
    assert type(caught.value) is error
    assert region.instances() == {instance}
    await region.cloud.delete_instance(instance)
    assert region.instances() == set()


async def test_a_call_takes_as_long_as_is_said() -> None:
    clock = ManualClock()
    cloud = FakeCloud(clock, timedelta(seconds=3))
    instance = cloud.launch("slow")
    call = asyncio.create_task(cloud.delete_instance(instance))
    await soon(lambda: clock.sleeps)
    await clock.advance(timedelta(seconds=2))
    assert instance in cloud.instances

    await clock.advance(timedelta(seconds=2))
    await call
    assert cloud.instances == {}


async def test_a_program_that_hangs_is_killed(tmp_path: Path) -> None:
    (tmp_path / "fault").write_text("hang", "utf-8")
    cloud = ProgramCloud(PROGRAM, {"REGION": str(tmp_path)}, timeout=timedelta(seconds=2))

    with pytest.raises(CloudError, match="did not end within"):
        await cloud.delete_instance("i-1")


async def test_a_program_has_the_credentials_and_nothing_of_our_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUR_SECRET", "42")
    shown = tmp_path / "shown"
    script = f"import os; open({str(shown)!r}, 'w').write('\\n'.join(sorted(os.environ)))"
    await ProgramCloud((sys.executable, "-c", script), {"KEY": "value"}).delete_instance("i-1")

    names = set(shown.read_text("utf-8").split())
    assert "KEY" in names
    assert "OUR_SECRET" in os.environ
    assert "OUR_SECRET" not in names


async def test_a_program_that_is_not_there_and_an_instance_that_looks_like_an_option_are_told() -> None:
    with pytest.raises(CloudError, match="cannot be run"):
        await ProgramCloud(("/does/not/exist",), {}).delete_instance("i-1")
    with pytest.raises(CloudError, match="taken for an option"):
        await ProgramCloud(PROGRAM, {}).delete_instance("--all")
    with pytest.raises(ConfigError, match="needs a command"):
        ProgramCloud((), {})


def test_a_cloud_is_made_once_and_anew_when_its_credentials_change() -> None:
    made: list[Credentials] = []

    def factory(credentials: Credentials) -> Cloud:
        made.append(credentials)
        return FakeCloud()

    clouds = Clouds({"a": factory})
    first = clouds.of("a", {"KEY": "1"})

    assert clouds.of("a", {"KEY": "1"}) is first
    assert clouds.of("a", {"KEY": "2"}) is not first
    assert made == [{"KEY": "1"}, {"KEY": "2"}]
    with pytest.raises(Terminal, match="known are a"):
        clouds.of("b", {})


def test_another_package_brings_a_cloud_by_an_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "nimbus.py").write_text(
        "from windlass.operators.peerpod.cloud import FakeCloud\ndef cloud(credentials): return FakeCloud()\n",
        "utf-8",
    )
    about = tmp_path / "nimbus-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: nimbus\nVersion: 1\n", "utf-8")
    (about / "entry_points.txt").write_text(f"[{ENTRY_POINTS}]\nnimbus = nimbus:cloud\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)

    clouds = installed_clouds()

    assert "nimbus" not in sys.modules
    assert isinstance(clouds["nimbus"]({}), FakeCloud)
    assert isinstance(CleaningOptions().clouds["nimbus"]({}), FakeCloud)


@pytest.mark.parametrize(
    ("option", "value"), [("grace", timedelta(seconds=-1)), ("retry_denied", timedelta())]
)
def test_options_that_make_no_sense_are_told(option: str, value: timedelta) -> None:
    with pytest.raises(ConfigError, match=option):
        CleaningOptions(**{option: value})  # type: ignore[arg-type] # each is a duration


async def test_options_come_from_the_environment(tmp_path: Path) -> None:
    region = ByProgram(tmp_path)
    instance = region.launch()
    environment = {
        "PEERPODS_NAMESPACE": "peer-pods",
        "PEERPODS_GRACE": "90s",
        "PEERPODS_CLOUD_PROGRAMS": f"aws={shlex.join(PROGRAM)}\n\n azure = /opt/delete --quiet\n",
    }

    options = CleaningOptions.from_environment(environment)

    assert (options.namespace, options.grace) == ("peer-pods", timedelta(seconds=90))
    assert CleaningOptions.from_environment({}).grace == CleaningOptions().grace
    assert {"aws", "azure"} <= set(options.clouds)
    await options.clouds["aws"]({"REGION": str(tmp_path)}).delete_instance(instance)
    assert region.instances() == set()


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PEERPODS_GRACE", "soon"),
        ("PEERPODS_CLOUD_PROGRAMS", "/opt/delete"),
        ("PEERPODS_CLOUD_PROGRAMS", "aws="),
    ],
)
def test_an_environment_that_makes_no_sense_is_told(variable: str, value: str) -> None:
    with pytest.raises(ConfigError, match=variable):
        CleaningOptions.from_environment({variable: value})
