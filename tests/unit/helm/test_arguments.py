"""What `helm` is told, for both of its versions."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from windlass.api import Key
from windlass.helm import Blueprint, Capabilities, Chart, Deploying, Retreat
from windlass.helm.arguments import Arguments
from windlass.helm.chart import Asks

RELEASE = Key("shop", "web")
CHART = Chart(
    path=Path("/charts/ledger"),
    name="ledger",
    version="1.0.0",
    digest="none",
    asks=Asks(api_versions=frozenset({"apps/v1", "example.com/v1"})),
)
BLUEPRINT = Blueprint(
    release=RELEASE,
    chart=CHART,
    values={"password": "secret"},
    overrides=("a=b", "c=d,e=f"),
    capabilities=Capabilities(kube_version="v1.36.3", api_versions=frozenset({"apps/v1", "batch/v1"})),
)
ALL = Deploying(
    labels={"b": "2", "a": "1"},
    hooks=False,
    description="why",
    history=3,
    timeout=timedelta(seconds=90),
)
DEPLOY = "upgrade web /charts/ledger --install --output json --namespace shop --values - --set-string=a=b "
DEPLOY += "--set-string=c=d,e=f --reset-values --labels a=1,b=2 --history-max 3"


def words(found: list[str]) -> str:
    assert all(" " not in word for word in found)
    return " ".join(found)


@pytest.mark.parametrize(
    ("major", "force", "writing"),
    [
        (3, False, ""),
        (3, True, " --force"),
        (4, False, " --server-side=true --force-conflicts"),
        (4, True, " --force-replace --server-side=false"),
    ],
)
def test_each_version_is_told_in_its_own_words_how_to_write(major: int, *, force: bool, writing: str) -> None:
    how = Deploying(force=force, history=5)
    back = Retreat(force=force, history=5)
    deployed = words(Arguments(major).deploy(BLUEPRINT, how))
    rolled_back = words(Arguments(major).rollback(RELEASE, 2, back))

    validation = "" if force or major < 4 else " --disable-openapi-validation"
    assert deployed.endswith(f"--history-max 5{writing}{validation} --timeout 300s")
    assert rolled_back == f"rollback web 2 --namespace shop --history-max 5{writing} --timeout 300s"


def test_a_deployment_is_told_everything_but_the_values() -> None:
    assert words(Arguments(3).deploy(BLUEPRINT, ALL)) == (
        f"{DEPLOY} --timeout 90s --no-hooks --description why"
    )


def test_a_post_renderer_is_a_program_to_version_3_and_a_plugin_to_version_4() -> None:
    command = ["/usr/bin/python", "-I", "relay.py"]
    old = words(Arguments(3).deploy(BLUEPRINT, ALL, command))
    new = words(Arguments(4).deploy(BLUEPRINT, ALL, command))

    assert old.endswith(
        " --post-renderer /usr/bin/python --post-renderer-args=-I --post-renderer-args=relay.py"
    )
    assert new.endswith(" --post-renderer windlass-change")


def test_rendering_is_told_what_the_chart_asks_for_or_asks_the_server() -> None:
    told = words(Arguments(4).render(BLUEPRINT, is_upgrade=False, on_server=False))
    asked = words(Arguments(4).render(BLUEPRINT, is_upgrade=True, on_server=True))
    beginning = "template web /charts/ledger --no-hooks --namespace shop --values - --set-string=a=b "
    beginning += "--set-string=c=d,e=f"

    assert told == f"{beginning} --kube-version v1.36.3 --api-versions=apps/v1"
    assert asked == f"{beginning} --is-upgrade --dry-run=server --disable-openapi-validation"


def test_uninstalling_does_not_ignore_what_is_not_found() -> None:
    found = words(Arguments(4).uninstall(RELEASE, Retreat(hooks=False, description="why")))

    assert found == "uninstall web --namespace shop --timeout 300s --no-hooks --description why"


def test_only_version_4_takes_the_reason_for_a_rollback() -> None:
    how = Retreat(description="why")

    assert Arguments(4).rollback(RELEASE, 1, how)[-2:] == ["--description", "why"]
    assert "--description" not in Arguments(3).rollback(RELEASE, 1, how)
