"""What Collectors may choose, and the file that says so."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from tenants import collector
from windlass.api import Key
from windlass.client import Impersonation
from windlass.codegen import load_project
from windlass.errors import ConfigError, Terminal
from windlass.helm.source import CacheLimits, SourcePolicy
from windlass.operators.collector import ClusterSource, CollectorOptions, Tenancy
from windlass.operators.collector.desired import account_of, removing_account, user_of
from windlass.operators.collector.settings import options_from, read_options
from windlass.operators.collector.types import ReleaseStatus

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.operators.collector import Collector

TENANCY = Tenancy(
    namespaces={
        "team-a": ("shared", "a-*", "kube-public"),
        "team-*": ("{namespace}-*",),
        "ops": ("*", "kube-*"),
    },
    repositories=(
        "https://charts.example.com/stable",
        "oci://registry.example.com/{namespace}",
        "https://other.example.com:8443",
    ),
    protected=("kube-system", "kube-public", "kube-node-lease", "collector-system"),
)


@pytest.mark.parametrize(
    ("namespace", "target", "allowed"),
    [
        ("team-a", "team-a", True),
        ("team-a", "shared", True),
        ("team-a", "a-1", True),
        ("team-a", "a-", True),
        ("team-a", "team-a-x", True),
        ("team-b", "team-b-x", True),
        ("team-b", "shared", False),
        ("team-b", "team-a", False),
        ("team-b", "team-a-x", False),
        ("team-a", "xa-1", False),
        ("other", "other", True),
        ("other", "other-x", False),
        ("ops", "anything", True),
        ("ops", "kube-system", False),
        ("ops", "collector-system", False),
        ("team-a", "kube-public", True),
        ("kube-system", "kube-system", False),
        ("collector-system", "collector-system", False),
    ],
)
def test_namespaces_are_allowed_by_pattern(namespace: str, target: str, *, allowed: bool) -> None:
    assert TENANCY.allows_namespace(namespace, target) is allowed


def test_a_refusal_names_the_field_the_value_what_is_allowed_and_the_setting() -> None:
    with pytest.raises(Terminal) as refused:
        TENANCY.check_namespace("team-b", "vault")

    assert refused.value.reason == "TenantNotAllowed"
    assert str(refused.value) == (
        "spec.tenant.reference: the namespace vault is not allowed: Collectors in team-b may deploy into "
        "team-b, team-b-*; an administrator can allow it in the operator's configuration (tenancy.namespaces)"
    )


@pytest.mark.parametrize(
    ("repository", "allowed"),
    [
        ("https://charts.example.com/stable", True),
        ("https://charts.example.com/stable/", True),
        ("https://CHARTS.example.com:443/stable/more", True),
        ("https://charts.example.com", False),
        ("https://charts.example.com/stable-evil", False),
        ("https://charts.example.com/", False),
        ("https://charts.example.com/stable/../evil", False),
        ("https://charts.example.com/stable/%2e%2e/evil", False),
        ("https://charts.example.com/stable%2f..%2fevil", False),
        ("https://charts.example.com/stable//evil", False),
        ("https://charts.example.com.evil.org/stable", False),
        ("https://charts.example.com@evil.org/stable", False),
        ("https://evil.org\\@charts.example.com/stable", False),
        ("https://evil.org#@charts.example.com/stable", False),
        ("https://evil.org?@charts.example.com/stable", False),
        ("https://charts.example.com:8443/stable", False),
        ("http://charts.example.com/stable", False),
        ("bucket+https://charts.example.com/stable", False),
        ("https://charts.example.com/stable?x=1", False),
        ("https://charts.example.com/stable x", False),
        ("https://other.example.com:8443/any/thing", True),
        ("https://other.example.com/any", False),
        ("oci://registry.example.com/team-a", True),
        ("oci://registry.example.com/team-a/charts", True),
        ("oci://registry.example.com/team-b", False),
        ("oci://registry.example.com/team-a-b", False),
        ("oci://registry.example.com", False),
        ("https://own.example.com/charts", True),
        ("https://own.example.com", False),
    ],
)
def test_repositories_are_compared_by_host_and_path(repository: str, *, allowed: bool) -> None:
    own = ("https://own.example.com/charts",)
    if allowed:
        TENANCY.check_repository("team-a", repository, own)
        return
    with pytest.raises(Terminal, match="is not allowed") as refused:
        TENANCY.check_repository("team-a", repository, own)
    assert refused.value.reason == "ChartRepositoryNotAllowed"
    assert "tenancy.repositories" in str(refused.value)


@pytest.mark.parametrize(
    "settings",
    [
        {"namespaces": {"Team": ("a",)}},
        {"namespaces": {"a": ("b/c",)}},
        {"namespaces": {"a": ("",)}},
        {"namespaces": {"{namespace}": ("a",)}},
        {"repositories": ("charts.example.com",)},
        {"repositories": ("https://",)},
        {"repositories": ("https://ann:s3cret@charts.example.com",)},
        {"repositories": ("file:///charts",)},
    ],
)
def test_a_pattern_that_means_nothing_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=f"tenancy.{next(iter(settings))}: "):
        Tenancy(**settings)


def made(account: str | None = None, recorded: str | None = None) -> Collector:
    found = collector("amp", "team-a", **({"serviceAccountName": account} if account else {}))
    found.metadata.namespace = "team-a"
    if recorded is not None:
        found.status.release = ReleaseStatus(name="a", namespace="team-a", service_account=recorded)
    return found


@pytest.mark.parametrize(
    ("spec", "recorded", "default", "deploys", "removes"),
    [
        (None, None, "default", "default", "default"),
        ("own", None, "default", "own", "own"),
        (None, "earlier", "default", "default", "earlier"),
        (None, "earlier", "", "", "earlier"),
        ("own", "earlier", "default", "own", "own"),
        (None, "", "default", "default", "default"),
        (None, "", "", "", ""),
    ],
)
def test_the_account_of_a_collector(
    spec: str | None, recorded: str | None, default: str, deploys: str, removes: str
) -> None:
    found, options = made(spec, recorded), CollectorOptions(default_service_account=default)

    assert account_of(found, options) == deploys
    assert removing_account(found, options) == removes


def test_it_is_always_one_of_the_namespace_of_the_collector() -> None:
    assert user_of(made(), "x", "team-a") == Impersonation(user="system:serviceaccount:team-a:x")
    elsewhere = Impersonation(user="system:serviceaccount:team-a:x", writes_in="team-b")
    assert user_of(made(), "x", "team-b") == elsewhere
    assert user_of(made(), "", "team-a") is None


CONFIG = """
defaultServiceAccount: deployer
deleteNamespaces: true
period: 5m
wait: null
history: 3
selector: tier=gold
charts: /charts
tenancy:
  namespaces:
    team-a: [shared]
    "*": ["{namespace}-*"]
  repositories: [https://charts.example.com/stable]
  namespaceRole: admin
  sources:
    allowedAddresses: [10.20.0.0/16, charts.internal]
otherwise:
  url: bucket+https://charts.example.com
  version: ^1
  credentials: ops/login
  images: registry.example.com
  values: {replicaCount: 2}
  sources:
    allowHttp: true
    allowWithoutDigest: true
    deniedAddresses: [192.0.2.0/24]
    tokenHosts: [auth.example.com]
clusters:
  development: {url: https://dev.example.com}
chartCache: {total: 256Mi, namespace: 64Mi}
"""


def test_every_setting_of_the_file_has_its_effect(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(CONFIG)

    found = options_from({"COLLECTOR_CONFIG": str(file), "POD_NAMESPACE": "ops-system"})

    assert found.tenancy == Tenancy(
        namespaces={"team-a": ("shared",), "*": ("{namespace}-*",)},
        repositories=("https://charts.example.com/stable",),
        namespace_role="admin",
        sources=SourcePolicy(allowed_addresses=("10.20.0.0/16", "charts.internal")),
        protected=("kube-system", "kube-public", "kube-node-lease", "ops-system"),
    )
    lenient = SourcePolicy(
        allow_http=True,
        allow_without_digest=True,
        denied_addresses=("192.0.2.0/24",),
        token_hosts=("auth.example.com",),
    )
    assert found.otherwise == ClusterSource(
        url="bucket+https://charts.example.com",
        version="^1",
        credentials=Key("ops", "login"),
        images="registry.example.com",
        values={"replicaCount": 2},
        sources=lenient,
    )
    assert dict(found.clusters) == {"development": ClusterSource(url="https://dev.example.com")}
    assert (found.default_service_account, found.delete_namespaces, found.history) == ("deployer", True, 3)
    assert (found.period, found.wait, found.selector) == (timedelta(minutes=5), None, "tier=gold")
    assert str(found.charts) == "/charts"
    assert found.chart_cache == CacheLimits(total=256 * 2**20, of_tenant=64 * 2**20)


def test_without_a_file_everything_is_locked() -> None:
    found = options_from({})

    assert found == CollectorOptions()
    assert (found.default_service_account, found.tenancy) == ("default", Tenancy())
    assert found.tenancy.sources == SourcePolicy(
        allow_http=False, allow_without_digest=False, allowed_addresses=()
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tenancies: {}", "tenancies: there is no such setting; there are clusters, "),
        ("tenancy: {namespace: {}}", "tenancy.namespace: there is no such setting; there are namespaces, "),
        ("tenancy: {namespaces: {a: b}}", "tenancy.namespaces.a: write a list, not 'b'"),
        ("tenancy: {namespaces: {a: [B]}}", "tenancy.namespaces: 'B' is no namespace"),
        ("tenancy: {repositories: [7]}", r"tenancy.repositories\[0\]: write a text, not 7"),
        ("tenancy: {sources: {allowHTTP: true}}", "tenancy.sources.allowHTTP: there is no such setting"),
        ("tenancy: {sources: {allowHttp: 'yes'}}", "tenancy.sources.allowHttp: write true or false"),
        ("otherwise: {sources: {allowedAddresses: ['*']}}", "otherwise.sources: allowed_addresses: '\\*'"),
        ("otherwise: {credentials: login}", "otherwise.credentials: 'login' names no Secret"),
        ("clusters: {dev: {uri: x}}", "clusters.dev.uri: there is no such setting"),
        ("period: often", "period: 'often' is not a duration"),
        ("history: many", "history: write a number, not 'many'"),
        ("defaultServiceAccount: a/b", "default_service_account='a/b' is no name"),
        ("chartCache: {total: 1Gigabyte}", "chartCache.total: write a size such as 128Mi, not '1Gigabyte'"),
        ("chartCache: {namespace: 1Mi}", "chartCache: a chart cache of .* needs 16777216"),
        ("otherwise: {sources: {tokenHosts: ['a b']}}", "otherwise.sources: token_hosts: 'a b' is no host"),
        ("- a", "the configuration: write a map"),
        ("{}\n---\n{}", "has 2 documents"),
        ("a: [", "not YAML|while parsing"),
    ],
)
def test_a_wrong_file_names_the_key(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(text)

    with pytest.raises(ConfigError, match=said) as raised:
        read_options(file)
    assert str(file) in str(raised.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"missing\.yaml cannot be read"):
        read_options(tmp_path / "missing.yaml")


def test_the_generated_role_follows_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def verbs() -> set[tuple[str, str]]:
        roles = load_project("windlass.operators.collector").roles()
        rules = [rule for role in roles for rule in role["rules"]]
        return {
            (resource, verb) for rule in rules for resource in rule["resources"] for verb in rule["verbs"]
        }

    locked = verbs()
    file = tmp_path / "config.yaml"
    file.write_text(CONFIG)
    monkeypatch.setenv("COLLECTOR_CONFIG", str(file))
    lenient = verbs()

    assert not {("namespaces", "create"), ("clusterroles", "bind")} & locked
    assert lenient - locked == {
        ("namespaces", "create"),
        ("namespaces", "delete"),
        ("clusterroles", "bind"),
        *(("rolebindings", verb) for verb in ("get", "list", "watch", "create")),
    }
