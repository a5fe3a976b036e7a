"""What is generated for one operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from windlass.api import Definition, Field, Resource, Spec, Status, read_yaml
from windlass.codegen import Delivery, Project, Rule, load_project
from windlass.errors import ConfigError
from workspace import working_in, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MODULE = """
from windlass.api import Field, Kind, Resource, Spec, Untyped
from windlass.codegen import Rule
from windlass.kinds.core.v1 import Secret
from monitor_v1 import Monitor

Certificate = Untyped.of(Kind("certs.example.com", "v1", "Certificate", "certificates"))

class WebAppSpec(Spec):
    image: str

class WebApp(Resource, group="demo.example.com", version="v1"):
    spec: WebAppSpec

class Alias(WebApp):
    pass

class Zone(Resource, group="base.example.com", version="v1"):
    pass

Again = WebApp
RULES = [Rule.on(Secret, "get")]
"""
CART = """
from windlass.api import Resource

class Cart(Resource, group="cart.example.com", version="v1"):
    pass
"""
RUN = """
from windlass.api import Resource
from windlass.kinds.core.v1 import ConfigMap, Node, Secret
from windlass.reconcile import Reconciler, Result, Rule, Watch
from web_app import Zone

class Page(Resource, group="demo.example.com", version="v1"):
    pass

class Pages(Reconciler[Page]):
    owns = (ConfigMap,)
    reads = (Watch(Secret, by=lambda page: page.metadata.name),)
    rules = (Rule.on(Node, "patch"),)

    async def reconcile(self, resource, ctx):
        return Result.ready()

class Anything(Reconciler):
    def __init__(self, of, **said):
        self.of = of
        vars(self).update(said)

    async def reconcile(self, resource, ctx):
        return Result.ready()

class Sheet(Resource, group="demo.example.com", version="v1"):
    pass

def add_to(manager):
    manager.add(Pages())
    manager.add(Anything(Sheet, name="sheets"))
"""
FOREIGN = """
from windlass.api import Resource

class Monitor(Resource, group="watch.example.com", version="v1"):
    pass

__foreign__ = True
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with an operator in it, to work in."""
    write(tmp_path / "web_app.py", MODULE)
    write(tmp_path / "monitor_v1.py", FOREIGN)
    with working_in(tmp_path):
        yield tmp_path


@pytest.mark.parametrize("module", ["web_app", "web_app.py"])
def test_a_project_has_the_kinds_that_are_its_own(module: str) -> None:
    project = load_project(module)

    assert [str(kind.__kind__) for kind in project.kinds] == [
        "Zone.base.example.com/v1",
        "WebApp.demo.example.com/v1",
    ]
    assert project.rules == (Rule(groups=("",), resources=("secrets",), verbs=("get",)),)


def test_kinds_that_a_module_imports_from_its_own_code_are_its_own(folder: Path) -> None:
    write(folder / "shop_p/__init__.py", "from shop_p.types import Cart")
    write(folder / "shop_p/types.py", CART)

    assert [kind.__name__ for kind in load_project("shop_p").kinds] == ["Cart"]


def test_the_records_of_helm_are_not_an_operators_to_define(folder: Path) -> None:
    write(folder / "releases.py", f"{CART}\nfrom windlass.helm import ReleaseRecord")

    assert [kind.__name__ for kind in load_project("releases").kinds] == ["Cart"]


def test_an_operator_may_do_what_its_reconcilers_declare_and_write_the_kinds_that_they_leave_out(
    folder: Path,
) -> None:
    write(folder / "pages_s.py", RUN)

    (role,) = read_yaml(load_project("pages_s").rbac()["rbac/role.yaml"].encode(), "role.yaml")

    allowed = {resource: rule["verbs"] for rule in role["rules"] for resource in rule["resources"]}
    assert allowed == {
        "configmaps": ["create", "delete", "get", "list", "patch", "watch"],
        "events": ["create", "patch"],
        "nodes": ["patch"],
        "pages": ["get", "list", "watch"],
        "pages/finalizers": ["update"],
        "secrets": ["get", "list", "watch"],
        "sheets": ["get", "list", "watch"],
        "zones": ["create", "delete", "get", "list", "patch", "update", "watch"],
        "zones/finalizers": ["update"],
    }


def test_the_deployment_names_the_kinds_that_the_operator_reconciles(folder: Path) -> None:
    write(folder / "pages_t.py", RUN)

    served = {name: load_project(name).served for name in ("pages_t", "web_app")}

    assert served["pages_t"] == ("Page.demo.example.com", "Sheet.demo.example.com")  # Zone is imported
    assert served["web_app"] == ("WebApp.demo.example.com", "Zone.base.example.com")
    (deployment,) = [
        each for each in Delivery(project=load_project("pages_t")).objects() if each["kind"] == "Deployment"
    ]
    assert deployment["metadata"]["annotations"] == {"windlass.dev/kinds": ",".join(served["pages_t"])}


@pytest.mark.parametrize(
    ("module", "operator", "name"),
    [
        ("web_app", "", "web-app"),
        ("web_app.py", "", "web-app"),
        ("Shop_q/types.py", "", "shop-q"),
        ("Shop_q.types", "", "shop-q"),
        ("Shop_q.app", "", "app"),
        ("Shop_q/__init__.py", "", "shop-q"),
        ("web_app", "shop", "shop"),
    ],
)
def test_an_operator_is_named_after_its_module_or_package(
    module: str, operator: str, name: str, folder: Path
) -> None:
    for file in ("__init__.py", "types.py", "app.py"):
        write(folder / "Shop_q" / file, CART)

    assert load_project(module, operator).operator == name


@pytest.mark.parametrize("operator", ["Shop", "a_b", "-a", "a-", "a.b"])
def test_a_name_that_no_object_may_have_is_refused(operator: str) -> None:
    with pytest.raises(ConfigError, match="cannot be an operator's name"):
        load_project("web_app", operator)


def test_a_module_without_kinds_is_refused(folder: Path) -> None:
    write(folder / "plain_r.py", "from windlass.kinds.core.v1 import Secret\nNUMBER = 1\n")

    with pytest.raises(ConfigError, match=r"plain_r has no kinds: classes like `class WebApp\(Resource"):
        load_project("plain_r")


class CartSpec(Spec):
    size: int = 1


class CartStatus(Status):
    total: int = 0


class Cart(Resource, group="shop.example.com", version="v1", definition=Definition(storage=True)):
    spec: CartSpec = Field(default_factory=CartSpec)
    status: CartStatus = Field(default_factory=CartStatus)


class OldCart(Resource, group="shop.example.com", version="v1beta1", kind="Cart"):
    spec: CartSpec = Field(default_factory=CartSpec)


class GoneCart(
    Resource, group="shop.example.com", version="v1alpha1", kind="Cart", definition=Definition(served=False)
):
    spec: CartSpec = Field(default_factory=CartSpec)


class OtherCart(Resource, group="shop.other.example.com", version="v1", kind="Cart"):
    spec: CartSpec = Field(default_factory=CartSpec)


def test_definitions_are_one_file_for_each_group_and_kind() -> None:
    clause = {"strategy": "Webhook"}
    kinds = (Cart, OldCart, OtherCart)
    files = Project(operator="shop", kinds=kinds, conversions={"carts.shop.example.com": clause}).crds()

    assert list(files) == [
        "crd/bases/shop.example.com_carts.yaml",
        "crd/bases/shop.other.example.com_carts.yaml",
    ]


def test_every_file_says_where_it_comes_from() -> None:
    project = Project(operator="shop", kinds=(Cart,))

    for command, files in (
        ("crds", project.crds()),
        ("rbac", project.rbac()),
        ("samples", project.samples()),
    ):
        heads = {text.splitlines()[0] for text in files.values()}
        assert heads == {f"# Generated by `windlass generate {command}` for shop; do not edit."}


def test_the_files_of_roles_are_kubebuilders() -> None:
    assert list(Project(operator="shop", kinds=(Cart, OldCart)).rbac()) == [
        "rbac/role.yaml",
        "rbac/leader_election_role.yaml",
        "rbac/service_account.yaml",
        "rbac/role_binding.yaml",
        "rbac/cart_admin_role.yaml",
        "rbac/cart_editor_role.yaml",
        "rbac/cart_viewer_role.yaml",
    ]


@pytest.mark.parametrize("kinds", [(Cart, OldCart), (OldCart, Cart)])
def test_a_status_in_any_version_is_in_the_roles(kinds: tuple[type[Resource], ...]) -> None:
    (role,) = read_yaml(Project(operator="shop", kinds=kinds).rbac()["rbac/cart_viewer_role.yaml"])

    assert ["carts/status"] in [rule["resources"] for rule in role["rules"]]


def test_kinds_of_one_name_in_two_groups_do_not_share_a_role_or_a_sample() -> None:
    project = Project(operator="shop", kinds=(Cart, OtherCart))

    roles = sorted(name for name in project.rbac() if "editor" in name)
    names = [read_yaml(project.rbac()[name])[0]["metadata"]["name"] for name in roles]
    assert roles == [
        "rbac/shop_example_com_cart_editor_role.yaml",
        "rbac/shop_other_example_com_cart_editor_role.yaml",
    ]
    assert names == ["shop-shop-example-com-cart-editor-role", "shop-shop-other-example-com-cart-editor-role"]
    assert list(project.samples()) == [
        "samples/shop.example.com_v1_cart.yaml",
        "samples/shop.other.example.com_v1_cart.yaml",
    ]


def test_there_is_a_sample_of_each_version_that_is_served() -> None:
    files = Project(operator="shop", kinds=(Cart, OldCart, GoneCart)).samples()

    assert [read_yaml(text)[0] for text in files.values()] == [
        {
            "apiVersion": f"shop.example.com/{version}",
            "kind": "Cart",
            "metadata": {"name": "cart-sample"},
            "spec": {"size": 1},
        }
        for version in ("v1", "v1beta1")
    ]
    assert list(files) == ["samples/shop_v1_cart.yaml", "samples/shop_v1beta1_cart.yaml"]


def test_rules_beyond_its_kinds_reach_the_role_and_its_binding() -> None:
    rules = (
        Rule(resources=("secrets",), verbs=("get",), namespace="vault"),
        Rule(resources=("pods",), verbs=("list",)),
    )
    files = Project(operator="shop", kinds=(Cart,), rules=rules).rbac()

    everywhere, there = read_yaml(files["rbac/role.yaml"])
    assert {"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]} in everywhere["rules"]
    assert (there["kind"], there["metadata"]["namespace"]) == ("Role", "vault")
    assert there["rules"] == [{"apiGroups": [""], "resources": ["secrets"], "verbs": ["get"]}]
    bound = read_yaml(files["rbac/role_binding.yaml"])
    assert [each["metadata"].get("namespace") for each in bound] == [None, "vault", "shop-system"]


@pytest.mark.parametrize(("namespace", "expected"), [("", "shop-system"), ("elsewhere", "elsewhere")])
def test_the_operator_lives_in_its_own_namespace_unless_told_otherwise(namespace: str, expected: str) -> None:
    files = Project(operator="shop", kinds=(Cart,), namespace=namespace).rbac()

    (account,) = read_yaml(files["rbac/service_account.yaml"])
    (election,) = read_yaml(files["rbac/leader_election_role.yaml"])
    assert {account["metadata"]["namespace"], election["metadata"]["namespace"]} == {expected}


def test_an_operator_may_say_what_it_is_called(folder: Path) -> None:
    write(folder / "called.py", f'{CART}\nOPERATOR = "cart-operator"')

    assert load_project("called").operator == "cart-operator"
    assert load_project("called", "another").operator == "another"


LATE = """
from windlass.api import Resource
from windlass.kinds.core.v1 import Node, Secret
from windlass.reconcile import Reconciler, Result, Rule, Watch

class Page(Resource, group="late.example.com", version="v1"):
    pass

class Pages(Reconciler[Page]):
    def __init__(self):
        self.reads = (Watch(Secret, by=lambda page: page.metadata.name),)

    async def reconcile(self, resource, ctx):
        return Result.ready()

class Books(Reconciler[Page]):
    name = "books"

    def __init__(self, rules):
        self.rules = rules

    async def reconcile(self, resource, ctx):
        return Result.ready()

def add_to(manager):
    manager.add(Pages())
    manager.add(Books([Rule.on(Node, "patch")]))
"""


def test_rules_follow_from_the_reconcilers_as_add_to_makes_them(tmp_path: Path) -> None:
    write(tmp_path / "late_rules.py", LATE)

    (role,) = read_yaml(load_project(str(tmp_path / "late_rules.py")).rbac()["rbac/role.yaml"])

    granted = {(name, verb) for rule in role["rules"] for name in rule["resources"] for verb in rule["verbs"]}
    assert {("secrets", "watch"), ("nodes", "patch")} <= granted
