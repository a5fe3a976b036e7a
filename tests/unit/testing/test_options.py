from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from windlass.errors import ConfigError
from windlass.testing import ControlPlaneOptions
from windlass.tools import ControlPlaneTools

if TYPE_CHECKING:
    from collections.abc import Mapping


def test_there_is_always_an_administrator_and_somebody_without_rights() -> None:
    assert ControlPlaneOptions().everyone == {"admin": ("system:masters",), "nobody": ()}


def test_further_users_stand_beside_the_two() -> None:
    options = ControlPlaneOptions(users={"alice": ("shop", "ops")})

    assert options.everyone == {"admin": ("system:masters",), "nobody": (), "alice": ("shop", "ops")}


@pytest.mark.parametrize("flag", ["audit-log-path=x", "-v=4", ""])
def test_what_is_no_flag_is_refused_where_it_is_written(flag: str) -> None:
    with pytest.raises(ConfigError, match="write --name=value"):
        ControlPlaneOptions(apiserver_flags=("--profiling=false", flag))


@pytest.mark.parametrize(
    "users", [{"a,b": ()}, {'a"b': ()}, {"": ()}, {"alice": ("x\ny",)}, {"alice": ("",)}]
)
def test_a_user_that_would_break_the_token_file_is_refused(users: Mapping[str, tuple[str, ...]]) -> None:
    with pytest.raises(ConfigError, match="token file"):
        ControlPlaneOptions(users=users)


@pytest.mark.parametrize("missing", ["kube_controller_manager", "kube_scheduler"])
def test_controllers_need_their_programs(missing: str) -> None:
    every = ("etcd", "kube_apiserver", "kube_controller_manager", "kube_scheduler")
    tools = ControlPlaneTools(**{name: Path("/bin", name) for name in every})
    fewer = ControlPlaneTools(**{name: Path("/bin", name) for name in every if name != missing})

    assert ControlPlaneOptions(tools=tools, controllers=True).tools is tools
    assert ControlPlaneOptions(tools=fewer).tools is fewer
    with pytest.raises(ConfigError, match="controllers: tools names no"):
        ControlPlaneOptions(tools=fewer, controllers=True)


@pytest.mark.parametrize("name", ["admin", "nobody"])
def test_the_users_that_always_exist_cannot_be_given_other_groups(name: str) -> None:
    with pytest.raises(ConfigError, match=f"'{name}' exists"):
        ControlPlaneOptions(users={name: ("x",)})
