"""`windlass generate`, as a user calls it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from click.testing import CliRunner, Result

from windlass.cli import main
from workspace import working_in, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MODULE = """
from windlass.api import Field, Resource, Spec, Status
from windlass.codegen import Rule

class CartSpec(Spec):
    size: int = Field(default=1, ge=1)

class CartStatus(Status):
    total: int = 0

class Cart(Resource, group="shop.example.com", version="v1"):
    spec: CartSpec = Field(default_factory=CartSpec)
    status: CartStatus = Field(default_factory=CartStatus)

RULES = (Rule(resources=("secrets",), verbs=("get",)),)
"""
CRD = "config/crd/bases/shop.example.com_carts.yaml"
ROLES = [
    f"config/rbac/{name}.yaml"
    for name in (
        "cart_admin_role",
        "cart_editor_role",
        "cart_viewer_role",
        "leader_election_role",
        "role",
        "role_binding",
        "service_account",
    )
]
SAMPLE = "config/samples/shop_v1_cart.yaml"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with an operator in it, to work in."""
    write(tmp_path / "shop/__init__.py")
    write(tmp_path / "shop/types.py", MODULE)
    with working_in(tmp_path):
        yield tmp_path


def run(command: str) -> Result:
    """Run a command, as a shell would."""
    return CliRunner().invoke(main, shlex.split(command))


def succeed(command: str) -> str:
    """What a command prints that must succeed."""
    result = run(command)
    assert result.exit_code == 0, result.output
    return result.output


def fail(command: str) -> str:
    """What a command prints that must fail, with a message and without a stack."""
    result = run(command)
    assert result.exit_code == 1, result.output
    assert isinstance(result.exception, SystemExit)
    return result.output


def documents(path: Path) -> list[Any]:
    return list(yaml.safe_load_all(path.read_text()))


@pytest.mark.parametrize(
    ("command", "files"),
    [("crds", [CRD]), ("rbac", ROLES), ("samples", [SAMPLE]), ("all", [CRD, *ROLES, SAMPLE])],
)
def test_each_command_writes_its_files_and_names_them(command: str, files: list[str], folder: Path) -> None:
    printed = succeed(f"generate {command} shop.types")

    assert printed == "".join(f"wrote {file}\n" for file in files)
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*.yaml")) == files
    assert all(documents(folder / file) for file in files)


RECONCILER = """
from shop.types import Cart
from windlass.reconcile import Reconciler, Result

class Carts(Reconciler[Cart]):
    async def reconcile(self, cart, ctx):
        return Result.ready()
"""


def test_of_a_module_that_runs_everything_is_written_that_a_cluster_needs(folder: Path) -> None:
    write(folder / "shop/operator.py", RECONCILER)

    succeed("generate all shop.operator --image example.com/till:2 --operator till")

    (deployment,) = documents(folder / "config/manager/manager.yaml")
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    assert (container["image"], container["args"][:2]) == ("example.com/till:2", ["run", "shop.operator"])
    assert (folder / "config/default/Kustomization").is_file()
    assert succeed("generate all shop.operator --image example.com/till:2 --operator till --check") == ""


def test_a_chart_is_written_and_checked_like_the_rest(folder: Path) -> None:
    write(folder / "shop/operator.py", RECONCILER)

    assert "--- /dev/null" in fail("generate chart shop.operator --operator till --output deploy --check")
    succeed("generate chart shop.operator --operator till --output deploy")
    assert succeed("generate chart shop.operator --operator till --output deploy --check") == ""
    assert documents(folder / "deploy/Chart.yaml")[0]["name"] == "till"


def test_an_operator_is_limited_to_namespaces_by_its_roles_and_a_variable(folder: Path) -> None:
    write(folder / "shop/operator.py", RECONCILER + "\nfrom shop.types import RULES\n")

    succeed("generate all shop.operator --watch-namespace a,b --watch-namespace c")
    succeed("generate chart shop.operator --watch-namespace a --watch-namespace b")

    roles = documents(folder / "config/rbac/role.yaml")
    (deployment,) = documents(folder / "config/manager/manager.yaml")
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    (values,) = documents(folder / "chart/values.yaml")
    assert [(each["kind"], each["metadata"]["namespace"]) for each in roles] == [
        ("Role", "a"),
        ("Role", "b"),
        ("Role", "c"),
    ]
    assert {"name": "WATCH_NAMESPACE", "value": "a,b,c"} in container["env"]
    assert values["watchNamespaces"] == ["a", "b"]


@pytest.mark.parametrize("command", ["manager", "chart"])
def test_what_has_nothing_to_run_has_no_manager_and_no_chart(command: str) -> None:
    assert fail(f"generate {command} shop.types").startswith(
        "Error: there is nothing to run: name the module"
    )


def test_an_operator_that_ships_is_known_by_its_name_alone(folder: Path) -> None:
    succeed("generate crds minimart")

    assert (folder / "config/crd/bases/charts.samutup.com_minimarts.yaml").is_file()


def test_a_file_may_be_named_in_place_of_a_module(folder: Path) -> None:
    succeed("generate crds shop/types.py --config by-file")
    succeed("generate crds shop.types --config by-name")

    by_file, by_name = (folder / name / CRD.removeprefix("config/") for name in ("by-file", "by-name"))
    assert by_file.read_text() == by_name.read_text()


def test_what_did_not_change_is_not_written_again() -> None:
    succeed("generate all shop.types")

    assert succeed("generate all shop.types") == ""


def test_the_operators_name_and_namespace_can_be_said(folder: Path) -> None:
    succeed("generate rbac shop.types --operator till --namespace money")

    (account,) = documents(folder / "config/rbac/service_account.yaml")
    assert account["metadata"] == {"name": "till-controller-manager", "namespace": "money"}


@pytest.mark.parametrize("command", ["crds", "rbac", "samples", "all"])
def test_a_check_of_fresh_files_succeeds_and_says_nothing(command: str) -> None:
    succeed(f"generate {command} shop.types")

    assert succeed(f"generate {command} shop.types --check") == ""


def test_a_check_fails_after_an_edit_by_hand_and_shows_it(folder: Path) -> None:
    succeed("generate all shop.types")
    edited = (folder / CRD).read_text().replace("minimum: 1", "minimum: 0")
    write(folder / CRD, edited)

    printed = fail("generate all shop.types --check")

    assert f"--- {CRD}\n+++ {CRD} (from the types)\n" in printed
    assert "-                  minimum: 0\n+                  minimum: 1\n" in printed
    assert printed.endswith(
        "Error: 1 files differ from what they are generated from; "
        "to mend it: windlass generate all shop.types\n"
    )
    assert (folder / CRD).read_text() == edited


def test_a_check_fails_where_a_file_is_missing(folder: Path) -> None:
    printed = fail("generate samples shop.types --check")

    assert "--- /dev/null" in printed
    assert "+kind: Cart\n" in printed
    assert not (folder / "config").exists()


@pytest.mark.parametrize(
    "options",
    [
        "",
        " --config deploy",
        " --operator till",
        " --namespace money",
        " --operator till --config 'a b'",
        " --watch-namespace a --watch-namespace b",
    ],
)
def test_the_command_that_a_failed_check_names_mends_it(options: str) -> None:
    printed = fail(f"generate rbac shop.types{options} --check")

    mending = printed.strip().rpartition("to mend it: windlass ")[2]
    succeed(mending)
    assert succeed(f"generate rbac shop.types{options} --check") == ""


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("generate crds absent", "the module absent cannot be imported: No module named 'absent'"),
        ("generate crds absent.py", "there is no file absent.py"),
        ("generate crds shop", "shop has no kinds: classes like"),
        ("generate rbac shop.types --watch-namespace A", "--watch-namespace: 'A' is no name of a namespace"),
        ("generate models", "name CRD files, or --cluster"),
        ("generate models --cluster shop/types.py", "name CRD files, or --cluster, but not both"),
    ],
)
def test_a_mistake_is_answered_with_a_message(command: str, message: str) -> None:
    assert fail(command).startswith(f"Error: {message}")


def test_a_type_that_has_no_schema_is_answered_with_its_field(folder: Path) -> None:
    write(folder / "shop/bad.py", MODULE.replace("size: int", "size: float"))

    assert fail("generate crds shop/bad.py").startswith(
        "Error: Cart.spec.size: float has no structural schema"
    )


def test_models_are_made_of_the_definitions_in_files(folder: Path) -> None:
    succeed("generate crds shop.types")

    assert succeed(f"generate models {CRD} --output models") == "wrote models/cart_v1.py\n"
    text = (folder / "models/cart_v1.py").read_text()
    assert 'class Cart(Resource, group="shop.example.com", version="v1"' in text


def test_models_are_checked_like_the_rest(folder: Path) -> None:
    succeed("generate crds shop.types")
    write(folder / "cart_v1.py", "# mine\n")

    printed = fail(f"generate models {CRD} --check")

    assert "-# mine\n" in printed
    assert printed.endswith(f"to mend it: windlass generate models {CRD}\n")
    succeed(f"generate models {CRD}")
    assert succeed(f"generate models {CRD} --check") == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "kind: Pod\napiVersion: v1\n",
            "models are made from CustomResourceDefinitions, but there is only",
        ),
        ("a: [", "bad.yaml is not YAML"),
    ],
)
def test_a_file_without_definitions_is_answered_with_a_message(text: str, message: str, folder: Path) -> None:
    write(folder / "bad.yaml", text)

    assert fail("generate models bad.yaml").startswith(f"Error: {message}")


def test_a_generated_model_is_not_taken_for_a_kind_of_ones_own(folder: Path) -> None:
    succeed("generate crds shop.types")
    succeed(f"generate models {CRD}")
    own = "class Till(Resource, group='till.example.com', version='v1'): pass\n"
    write(folder / "till.py", f"from windlass.api import Resource\nfrom cart_v1 import Cart\n{own}")

    assert (
        succeed("generate crds till.py --config till") == "wrote till/crd/bases/till.example.com_tills.yaml\n"
    )
