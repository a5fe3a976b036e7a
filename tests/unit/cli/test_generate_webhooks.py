"""`windlass generate webhooks`, and what webhooks add to the other commands."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from click.testing import CliRunner

from windlass.cli import main
from workspace import working_in, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MODULE = """
from windlass.api import Definition, Field, Resource, Spec
from windlass.webhook import Conversion, Spoke, Verdict, mutating, validating

class CartSpec(Spec):
    size: int = 1

class Cart(Resource, group="shop.example.com", version="v1", definition=Definition(storage=True)):
    spec: CartSpec = Field(default_factory=CartSpec)

class OldCart(Resource, group="shop.example.com", version="v1beta1", kind="Cart"):
    spec: CartSpec = Field(default_factory=CartSpec)

@mutating(Cart)
def filled(request):
    return Verdict.allow()

@validating(Cart)
def checked(request):
    return Verdict.allow()

CARTS = Conversion(hub=Cart, spokes=(
    Spoke(OldCart, to_hub=lambda old: Cart(spec=old.spec), from_hub=lambda new: OldCart(spec=new.spec)),
))
"""
FILES = ["config/webhook/manifests.yaml", "config/webhook/service.yaml"]
CRD = "config/crd/bases/shop.example.com_carts.yaml"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with an operator in it, to work in."""
    write(tmp_path / "carts.py", MODULE)
    with working_in(tmp_path):
        yield tmp_path


def run(command: str, code: int = 0) -> str:
    """What a command prints that ends with this code."""
    result = CliRunner().invoke(main, shlex.split(command))
    assert result.exit_code == code, result.output
    return result.output


def documents(path: Path) -> list[Any]:
    """The documents of a file."""
    return list(yaml.safe_load_all(path.read_text()))


def test_it_writes_configurations_and_a_service_that_leads_to_them(folder: Path) -> None:
    assert run("generate webhooks carts.py") == "".join(f"wrote {file}\n" for file in FILES)

    mutating, validating = documents(folder / FILES[0])
    (service,) = documents(folder / FILES[1])
    assert mutating["metadata"]["name"] == "carts-mutating-webhook-configuration"
    assert validating["metadata"]["name"] == "carts-validating-webhook-configuration"
    called = mutating["webhooks"][0]["clientConfig"]["service"]
    assert service["metadata"]["name"] == called["name"] == "carts-webhook-service"
    assert service["metadata"]["namespace"] == called["namespace"] == "carts-system"
    assert service["spec"]["ports"] == [{"port": called["port"], "protocol": "TCP", "targetPort": 9443}]


def test_all_writes_them_too_and_a_check_finds_what_differs(folder: Path) -> None:
    printed = run("generate all carts.py")
    assert [file in printed for file in FILES] == [True, True]
    assert run("generate all carts.py --check") == ""

    write(folder / FILES[0], (folder / FILES[0]).read_text().replace("Fail", "Ignore"))

    assert "-    failurePolicy: Ignore" in run("generate webhooks carts.py --check", code=1)


def test_a_definition_says_who_converts_it(folder: Path) -> None:
    run("generate crds carts.py")

    (definition,) = documents(folder / CRD)
    webhook = definition["spec"]["conversion"]["webhook"]
    assert webhook["clientConfig"]["service"]["name"] == "carts-webhook-service"
    assert webhook["conversionReviewVersions"] == ["v1"]
    assert "annotations" not in definition["metadata"]


def test_the_role_lets_it_keep_its_certificates(folder: Path) -> None:
    run("generate rbac carts.py")

    everywhere, at_home = documents(folder / "config/rbac/role.yaml")
    assert at_home["metadata"]["namespace"] == "carts-system"
    assert {"resourceNames": ["carts-webhook-service-cert"]}.items() <= at_home["rules"][1].items()
    named = [each.get("resourceNames") for each in everywhere["rules"]]
    assert ["carts-mutating-webhook-configuration"] in named
    assert ["carts.shop.example.com"] in named


def test_with_cert_manager_the_authority_is_asked_of_it_and_no_secret_is_touched(folder: Path) -> None:
    run("generate all carts.py --cert-manager")

    wanted = {"cert-manager.io/inject-ca-from": "carts-system/carts-serving-cert"}
    for each in (*documents(folder / FILES[0]), *documents(folder / CRD)):
        assert each["metadata"]["annotations"] == wanted
    (role,) = documents(folder / "config/rbac/role.yaml")
    assert "secrets" not in str(role)


def test_with_cert_manager_its_certificate_gets_to_where_the_operator_reads_it(folder: Path) -> None:
    run("generate all carts.py --cert-manager")

    (service,) = documents(folder / FILES[1])
    issuer, certificate = documents(folder / "config/webhook/certificate.yaml")
    (deployment,) = documents(folder / "config/manager/manager.yaml")
    spec, pod = certificate["spec"], deployment["spec"]["template"]["spec"]
    reached = f"{service['metadata']['name']}.{service['metadata']['namespace']}.svc"
    assert spec["dnsNames"] == [reached, f"{reached}.cluster.local"]
    assert spec["issuerRef"] == {"kind": issuer["kind"], "name": issuer["metadata"]["name"]}
    assert {each["metadata"]["namespace"] for each in (issuer, certificate, deployment)} == {"carts-system"}
    (volume,) = [each for each in pod["volumes"] if each.get("secret") == {"secretName": spec["secretName"]}]
    (mount,) = [each for each in pod["containers"][0]["volumeMounts"] if each["name"] == volume["name"]]
    assert f"--webhook-cert-path={mount['mountPath']}" in pod["containers"][0]["args"]
    asked = documents(folder / FILES[0])[0]["metadata"]["annotations"]["cert-manager.io/inject-ca-from"]
    assert asked == f"carts-system/{certificate['metadata']['name']}"


def test_without_cert_manager_what_was_asked_of_it_goes_and_nothing_is_mounted(folder: Path) -> None:
    run("generate all carts.py --cert-manager")

    assert "removed config/webhook/certificate.yaml" in run("generate all carts.py")

    assert "webhook-cert" not in (folder / "config/manager/manager.yaml").read_text()
    assert run("generate all carts.py --check") == ""


def test_a_chart_has_them_under_the_names_of_its_release(folder: Path) -> None:
    run("generate chart carts.py --cert-manager")

    certificate = (folder / "chart/templates/webhook/certificate.yaml").read_text()
    manager = (folder / "chart/templates/manager/manager.yaml").read_text()
    secret = '{{ include "carts.fullname" . }}-webhook-server-cert'
    assert f"secretName: {secret}" in certificate
    assert f"secretName: {secret}" in manager
    assert '{{ include "carts.fullname" . }}-webhook-service.{{ .Release.Namespace }}.svc' in certificate


@pytest.mark.parametrize(("command", "most"), [("webhooks", 47), ("manager", 28)])
def test_an_operator_whose_name_is_too_long_for_its_services_is_told_how_long_it_may_be(
    folder: Path, command: str, most: int
) -> None:

    refused = run(f"generate {command} carts.py --operator {'a' * (most + 1)}", code=1)
    run(f"generate {command} carts.py --operator {'a' * most}")

    assert f"has {most + 1} characters" in refused
    assert f"at most {most} in its module" in refused


def test_a_module_without_webhooks_is_told_so(folder: Path) -> None:
    write(folder / "plain.py", MODULE.partition("class OldCart")[0])

    assert "plain.py serves no webhooks" in run("generate webhooks plain.py", code=1)
    assert "webhook" not in run("generate all plain.py")


TYPES = """
from windlass.api import Definition, Field, Quantity, Resource, Spec

class BaseSpec(Spec):
    storage: Quantity

class Base(Resource, group="data.example.com", version="v2", definition=Definition(storage=True)):
    spec: BaseSpec

class OldSpec(Spec):
    size: int = 1

class OldBase(Resource, group="data.example.com", version="v1", kind="Base"):
    spec: OldSpec = Field(default_factory=OldSpec)
"""
PACKAGE = """
from windlass.reconcile import Reconciler
from windlass.webhook import AdmissionRequest, Conversion, Spoke, Verdict, WebhookServer, validating
from bases.types import Base, BaseSpec, OldBase, OldSpec

class BaseController(Reconciler[Base]):
    async def reconcile(self, base, ctx): ...

@validating(Base)
def roomy(request):
    return Verdict.allow()

CONVERSION = Conversion(hub=Base, spokes=(Spoke(
    OldBase,
    to_hub=lambda old: Base(spec=BaseSpec(storage=f"{old.spec.size}Gi")),
    from_hub=lambda new: OldBase(spec=OldSpec(size=1)),
),))

def add_to(manager):
    manager.add(BaseController())
    WebhookServer([roomy, CONVERSION]).add_to(manager)
"""
EMBEDDING = """
import bases.operator
from windlass.operators import ptemplate

def add_to(manager):
    bases.operator.add_to(manager)
    ptemplate.add_to(manager)
"""


@pytest.fixture
def package(folder: Path) -> Path:
    """An operator whose parts are known by its `add_to` alone."""
    write(folder / "bases/__init__.py", "from bases.operator import add_to\n")
    write(folder / "bases/types.py", TYPES)
    write(folder / "bases/operator.py", PACKAGE)
    return folder


def test_a_package_that_exports_add_to_alone_has_its_webhooks_and_its_conversion(package: Path) -> None:
    printed = run("generate all bases")

    assert [file in printed for file in FILES] == [True, True]
    (definition,) = documents(package / "config/crd/bases/data.example.com_bases.yaml")
    assert [each["name"] for each in definition["spec"]["versions"]] == ["v1", "v2"]
    called = definition["spec"]["conversion"]["webhook"]["clientConfig"]["service"]
    assert (called["namespace"], called["name"]) == ("bases-system", "bases-webhook-service")
    (configuration,) = documents(package / FILES[0])
    assert "validate-v2.bases.data.example.com" in [each["name"] for each in configuration["webhooks"]]
    (deployment,) = documents(package / "config/manager/manager.yaml")
    args = deployment["spec"]["template"]["spec"]["containers"][0]["args"]
    assert {"--name=bases", "--webhook-service=bases-webhook-service"} <= set(args)


def test_an_operator_that_embeds_others_has_their_kinds_in_all_versions_and_their_webhooks(
    package: Path,
) -> None:
    write(package / "both.py", EMBEDDING)
    run("generate all both.py")

    definitions = [each for file in (package / "config/crd/bases").glob("*.yaml") for each in documents(file)]
    assert {
        (each["metadata"]["name"], version["name"])
        for each in definitions
        for version in each["spec"]["versions"]
    } == {
        ("bases.data.example.com", "v1"),
        ("bases.data.example.com", "v2"),
        ("ptemplates.pt.example.com", "v1alpha"),
        ("ptemplates.pt.example.com", "v1alpha1"),
        ("ptemplates.ptemplates.pt.example.com", "v1alpha"),
    }
    assert (package / FILES[0]).is_file()


def test_a_version_that_nothing_converts_is_refused_and_named(package: Path) -> None:
    write(package / "bases/operator.py", PACKAGE.replace("[roomy, CONVERSION]", "[roomy]"))

    refused = run("generate crds bases", code=1)

    assert "Base: v1 is served without a conversion" in refused
    assert "Spoke" in refused
    assert not (package / "config").exists()


def test_a_webhook_that_is_declared_and_not_served_is_a_warning(package: Path) -> None:
    write(package / "bases/operator.py", PACKAGE.replace("[roomy, CONVERSION]", "[CONVERSION]"))

    printed = run("generate crds bases.operator")

    assert "serves nothing at /validate-data-example-com-v2-base" in printed


def test_a_sample_of_a_quantity_is_a_text(package: Path) -> None:
    run("generate samples bases")

    (made,) = documents(package / "config/samples/data_v2_base.yaml")
    assert made["spec"] == {"storage": "1Gi"}


def test_all_but_a_sample_that_cannot_be_derived_is_written_and_the_exit_code_is_3(package: Path) -> None:
    kind = """
from windlass.api import Field, Resource, Spec

class CodeSpec(Spec):
    code: str = Field(pattern="^[A-Z]{3}-[0-9]+$")

class Code(Resource, group="data.example.com", version="v1"):
    spec: CodeSpec
"""
    write(package / "bases/operator.py", kind + PACKAGE)

    printed = run("generate all bases.operator", code=3)

    assert "Code.spec.code must match '^[A-Z]{3}-[0-9]+$'" in printed
    written = {path.name for path in (package / "config").rglob("*.yaml")}
    assert {"data_v2_base.yaml", "data.example.com_codes.yaml", "manager.yaml", "service.yaml"} <= written
    assert "Code.spec.code must match" in run("generate all bases.operator --check", code=3)
