from __future__ import annotations

import json
import os
from base64 import b64encode, encodebytes
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from windlass.aio import ManualClock
from windlass.client.config import ClusterConfig, Impersonation
from windlass.client.credentials import CertificateFiles, FixedCredentials, TokenFile
from windlass.client.exec_plugin import ExecPlugin, InteractiveMode
from windlass.client.kubeconfig import read_kubeconfig
from windlass.client.loader import load_config
from windlass.client.proxy import Proxy
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Issue = Callable[..., tuple[bytes, bytes]]


def kubeconfig(name: str, *, user: dict[str, Any] | None = None, **cluster: object) -> dict[str, Any]:
    """A kubeconfig of one cluster, user and context of this name; underscores stand for dashes."""
    entry = {key.replace("_", "-"): value for key, value in cluster.items()}
    return {
        "current-context": name,
        "clusters": [{"name": name, "cluster": {"server": f"https://{name}:6443", **entry}}],
        "users": [{"name": name, "user": user or {}}],
        "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
    }


def write(path: Path, document: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document))
    return path


def load(path: Path, **user: object) -> ClusterConfig:
    """The configuration of a kubeconfig with this user."""
    fields = {key.replace("_", "-"): value for key, value in user.items()}
    return load_config(write(path / "config", kubeconfig("a", user=fields)), environment={})


async def authorization(config: ClusterConfig) -> str | None:
    return (await config.credentials.open(ManualClock()).identity()).authorization


def test_an_explicit_path_comes_before_the_environment(tmp_path: Path) -> None:
    given, listed = write(tmp_path / "x", kubeconfig("given")), write(tmp_path / "y", kubeconfig("listed"))
    config = load_config(given, environment={"KUBECONFIG": str(listed)}, home=tmp_path)
    assert config.server == "https://given:6443"


def test_the_environment_comes_before_the_home_folder(tmp_path: Path) -> None:
    write(tmp_path / ".kube/config", kubeconfig("home"))
    listed = write(tmp_path / "y", kubeconfig("listed"))
    assert load_config(environment={"KUBECONFIG": str(listed)}, home=tmp_path).server == "https://listed:6443"
    assert load_config(environment={"KUBECONFIG": ""}, home=tmp_path).server == "https://home:6443"


def test_several_files_are_merged_and_missing_ones_skipped(tmp_path: Path) -> None:
    first, second = write(tmp_path / "1", kubeconfig("one")), write(tmp_path / "2", kubeconfig("two"))
    listed = os.pathsep.join(["", str(tmp_path / "nowhere"), str(first), str(second), str(first)])
    environment = {"KUBECONFIG": listed}
    assert load_config(environment=environment).server == "https://one:6443"
    assert load_config(environment=environment, context="two").server == "https://two:6443"


def test_an_unknown_context_is_refused_with_those_that_exist(tmp_path: Path) -> None:
    file = write(tmp_path / "x", kubeconfig("one"))
    with pytest.raises(ConfigError, match=r'x: there is no context "two"; there is "one"'):
        load_config(file, context="two", environment={})


def test_paths_in_a_file_start_from_its_own_folder(tmp_path: Path, ca: bytes, issue: Issue) -> None:
    chain, key = issue("alice")
    for name, data in {"ca": ca, "token": b"t", "chain": chain, "key": key}.items():
        (tmp_path / "deep").mkdir(exist_ok=True)
        (tmp_path / "deep" / name).write_bytes(data)
    user = {"client-certificate": "chain", "client-key": "key"}
    first = write(tmp_path / "deep/1", kubeconfig("one", user=user, certificate_authority="ca"))
    second = write(tmp_path / "2", {"users": [{"name": "two", "user": {"tokenFile": "deep/token"}}]})
    third = write(tmp_path / "deep/3", {**kubeconfig("two"), "users": None})
    environment = {"KUBECONFIG": os.pathsep.join(map(str, (first, second, third)))}
    one = load_config(environment=environment, home=tmp_path)
    assert one.ca == tmp_path / "deep/ca"
    assert isinstance(one.credentials, CertificateFiles)
    assert one.credentials.key == tmp_path / "deep/key"
    two = load_config(context="two", environment=environment, home=tmp_path)
    assert isinstance(two.credentials, TokenFile)
    assert two.credentials.path == tmp_path / "deep/token"


def test_inline_data_comes_before_the_file_and_may_be_folded(tmp_path: Path, ca: bytes) -> None:
    document = kubeconfig(
        "one", certificate_authority="nowhere", certificate_authority_data=encodebytes(ca).decode()
    )
    assert load_config(write(tmp_path / "x", document), environment={}).ca == ca


def test_the_settings_of_a_cluster_and_a_context_are_taken_over(tmp_path: Path) -> None:
    document = kubeconfig(
        "one", insecure_skip_tls_verify=True, tls_server_name="kubernetes", disable_compression=True
    )
    document["contexts"][0]["context"]["namespace"] = "shop"
    config = load_config(write(tmp_path / "x", document), environment={})
    assert (config.verify, config.tls_server_name, config.namespace) == (False, "kubernetes", "shop")
    assert not config.compression
    assert config.origin == f'context "one" of {tmp_path / "x"}'


def test_a_prefix_of_the_path_is_kept_without_its_last_slash(tmp_path: Path) -> None:
    document = kubeconfig("one", server="https://rancher/k8s/clusters/c-1/")
    config = load_config(write(tmp_path / "x", document), environment={})
    assert config.server == "https://rancher/k8s/clusters/c-1"


def test_a_context_without_a_user_is_anonymous(tmp_path: Path) -> None:
    document = kubeconfig("one")
    del document["contexts"][0]["context"]["user"]
    config = load_config(write(tmp_path / "x", document), environment={})
    assert config.credentials == FixedCredentials.anonymous()


async def test_a_password_becomes_basic_authorization(tmp_path: Path) -> None:
    config = load(tmp_path, username="alice", password="wonder:land")
    assert await authorization(config) == f"Basic {b64encode(b'alice:wonder:land').decode()}"


async def test_a_token_file_comes_before_a_token(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("filed\n")
    config = load(tmp_path, token="written", tokenFile="token")
    assert await authorization(config) == "Bearer filed"


async def test_a_token_stands_in_for_a_token_file_that_is_missing(tmp_path: Path) -> None:
    assert await authorization(load(tmp_path, token="written", tokenFile="nowhere")) == "Bearer written"


async def test_a_certificate_and_a_token_are_both_presented(tmp_path: Path, issue: Issue) -> None:
    chain, key = (b64encode(data).decode() for data in issue("alice"))
    config = load(tmp_path, token="t", client_certificate_data=chain, client_key_data=key)
    identity = await config.credentials.open(ManualClock()).identity()
    assert identity.authorization == "Bearer t"
    assert identity.certificate is not None


def test_an_exec_plugin_is_used_only_when_there_is_nothing_else(tmp_path: Path) -> None:
    plugin = {"command": "x", "apiVersion": "client.authentication.k8s.io/v1beta1"}
    assert isinstance(load(tmp_path, exec=plugin, token="t").credentials, FixedCredentials)
    assert isinstance(load(tmp_path, exec=plugin).credentials, ExecPlugin)


def test_an_exec_plugin_is_described_in_full(tmp_path: Path, ca: bytes) -> None:
    plugin = {
        "command": "./bin/login",
        "apiVersion": "client.authentication.k8s.io/v1",
        "args": ["--for", "me"],
        "env": [{"name": "REGION", "value": "north"}],
        "interactiveMode": "Never",
        "installHint": "get it from the store\n",
        "provideClusterInfo": True,
    }
    authority = b64encode(ca).decode()
    document = kubeconfig("one", user={"exec": plugin}, certificate_authority_data=authority)
    document["clusters"][0]["cluster"]["extensions"] = [
        {"name": "other", "extension": 1},
        {"name": "client.authentication.k8s.io/exec", "extension": {"audience": "x"}},
    ]
    file = write(tmp_path / "x", document)
    assert load_config(file, environment={"PATH": "/bin"}).credentials == ExecPlugin(
        command=str(tmp_path / "bin/login"),
        api_version="client.authentication.k8s.io/v1",
        args=("--for", "me"),
        env={"REGION": "north"},
        mode=InteractiveMode.NEVER,
        install_hint="get it from the store",
        cluster={
            "server": "https://one:6443",
            "certificate-authority-data": authority,
            "config": {"audience": "x"},
        },
        where=f'{file}: user "one"',
        environment={"PATH": "/bin"},
    )


@pytest.mark.parametrize("named", ["config", "./config", "../here/config"])
async def test_what_a_kubeconfig_names_is_found_from_its_folder_wherever_the_process_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    here, clock = tmp_path / "here", ManualClock()
    here.mkdir()
    monkeypatch.chdir(here)
    (here / "token").write_text("first")
    write(here / "config", kubeconfig("one", user={"tokenFile": "token"}))
    source = load_config(named, environment={}).credentials.open(clock)

    monkeypatch.chdir("/")
    (here / "token").write_text("second")
    await clock.advance(timedelta(minutes=1))
    assert (await source.identity()).authorization == "Bearer second"


def test_an_exec_plugin_beside_a_kubeconfig_is_not_looked_for_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plugin = {"command": "./login", "apiVersion": "client.authentication.k8s.io/v1beta1"}
    write(tmp_path / "config", kubeconfig("one", user={"exec": plugin}))

    credentials = load_config("config", environment={}).credentials
    assert isinstance(credentials, ExecPlugin)
    assert credentials.command == str(tmp_path / "login")


def test_impersonation_becomes_headers(tmp_path: Path) -> None:
    extra = {"scopes/x": ["a", "b"]}
    config = load(tmp_path, **{"as": "bob", "as_groups": ["g", "h"], "as_uid": "7", "as_user_extra": extra})
    assert config.impersonate is not None
    assert config.impersonate.headers() == [
        ("Impersonate-User", "bob"),
        ("Impersonate-Group", "g"),
        ("Impersonate-Group", "h"),
        ("Impersonate-Uid", "7"),
        ("Impersonate-Extra-scopes%2Fx", "a"),
        ("Impersonate-Extra-scopes%2Fx", "b"),
    ]


def test_the_proxy_of_the_cluster_comes_before_that_of_the_environment(tmp_path: Path) -> None:
    environment = {"HTTPS_PROXY": "http://environment:1"}
    own = write(tmp_path / "x", kubeconfig("one", proxy_url="http://own:1"))
    none = write(tmp_path / "y", kubeconfig("one"))
    assert load_config(own, environment=environment).proxy == Proxy("http://own:1")
    assert load_config(none, environment=environment).proxy == Proxy("http://environment:1")


@pytest.fixture
def pod(tmp_path: Path, ca: bytes) -> Path:
    """The service account of a pod."""
    folder = tmp_path / "serviceaccount"
    folder.mkdir()
    (folder / "token").write_text("pod-token")
    (folder / "ca.crt").write_bytes(ca)
    (folder / "namespace").write_text("shop\n")
    return folder


def in_pod(pod: Path, host: str = "10.0.0.1", **more: str) -> ClusterConfig:
    environment = {"KUBERNETES_SERVICE_HOST": host, "KUBERNETES_SERVICE_PORT": "443", **more}
    return load_config(environment=environment, home=pod / "nowhere", service_account=pod)


async def test_a_pod_uses_its_service_account(pod: Path) -> None:
    config = in_pod(pod)
    assert (config.server, config.namespace, config.ca) == ("https://10.0.0.1:443", "shop", pod / "ca.crt")
    assert await authorization(config) == "Bearer pod-token"


def test_an_ipv6_address_of_the_server_stands_in_brackets(pod: Path) -> None:
    assert in_pod(pod, "fd00::1").server == "https://[fd00::1]:443"


def test_a_pod_can_name_its_namespace_and_has_a_default_one(pod: Path) -> None:
    assert in_pod(pod, POD_NAMESPACE="named").namespace == "named"
    (pod / "namespace").unlink()
    assert in_pod(pod).namespace == "default"


def test_an_empty_kubeconfig_does_not_hide_the_service_account(pod: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert in_pod(pod, KUBECONFIG=str(tmp_path / "empty")).namespace == "shop"


@pytest.mark.parametrize(
    ("remove", "said"),
    [("token", "tokenFile names .*token"), ("ca.crt", "ca.crt names .*ca.crt")],
)
def test_an_incomplete_service_account_is_refused(pod: Path, remove: str, said: str) -> None:
    (pod / remove).unlink()
    with pytest.raises(ConfigError, match=f"in-cluster configuration: {said}.*No such file"):
        in_pod(pod)


def test_a_pod_without_a_service_account_is_told_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="automountServiceAccountToken"):
        in_pod(tmp_path / "nowhere")


def test_with_no_configuration_at_all_the_message_says_what_was_tried(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match=r"nothing in .*/\.kube/config, and this is not a pod; set KUBECONFIG"
    ):
        load_config(environment={}, home=tmp_path)
    with pytest.raises(ConfigError, match=r"nothing in /x, /y, and this is not a pod"):
        load_config(environment={"KUBECONFIG": "/x:/y"}, home=tmp_path)


def test_the_home_folder_is_that_of_the_environment(tmp_path: Path) -> None:
    write(tmp_path / ".kube/config", kubeconfig("home"))
    assert load_config(environment={"HOME": str(tmp_path)}).server == "https://home:6443"


def test_a_pod_without_a_home_folder_uses_its_service_account(
    pod: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / ".kube/config", kubeconfig("somebody-elses"))
    monkeypatch.setenv("HOME", str(tmp_path))
    environment = {"KUBERNETES_SERVICE_HOST": "10.0.0.1", "KUBERNETES_SERVICE_PORT": "443"}
    config = load_config(environment=environment, service_account=pod)
    assert config.server == "https://10.0.0.1:443"


def test_a_process_in_the_place_of_a_pod_has_its_service_account_below_its_root(
    pod: Path, tmp_path: Path
) -> None:
    place = tmp_path / "root/var/run/secrets/kubernetes.io/serviceaccount"
    place.parent.mkdir(parents=True)
    place.symlink_to(pod)
    environment = {
        "KUBERNETES_SERVICE_HOST": "127.0.0.1",
        "KUBERNETES_SERVICE_PORT": "6443",
        "WINDLASS_POD_ROOT": str(tmp_path / "root"),
    }
    config = load_config(environment=environment)
    assert (config.server, config.ca) == ("https://127.0.0.1:6443", place / "ca.crt")


def test_without_a_home_folder_the_message_says_so() -> None:
    with pytest.raises(ConfigError, match="no home folder is known, and this is not a pod; set KUBECONFIG"):
        load_config(environment={})


def test_a_context_needs_a_kubeconfig_even_in_a_pod(pod: Path) -> None:
    environment = {"KUBERNETES_SERVICE_HOST": "10.0.0.1", "KUBERNETES_SERVICE_PORT": "443"}
    with pytest.raises(ConfigError, match=r'context "dev" cannot be used: there is no kubeconfig'):
        load_config(context="dev", environment=environment, home=pod, service_account=pod)


def test_the_text_of_a_configuration_shows_no_secret(tmp_path: Path, issue: Issue) -> None:
    chain, key = issue("alice")
    (tmp_path / "key").write_bytes(key)
    plugin = {
        "command": "x",
        "apiVersion": "client.authentication.k8s.io/v1beta1",
        "args": ["--password=s3cret"],
        "env": [{"name": "PASSWORD", "value": "s3cret"}],
    }
    inline = {
        "client_certificate_data": b64encode(chain).decode(),
        "client_key_data": b64encode(key).decode(),
    }
    configs = [
        load(tmp_path, token="s3cret"),
        load(tmp_path, username="a", password="s3cret"),
        load(tmp_path, token="s3cret", tokenFile="nowhere"),
        load(tmp_path, exec=plugin),
        replace(load(tmp_path, **inline), proxy=Proxy("http://u:s3cret@proxy:3128")),
    ]
    text = repr(configs) + repr(read_kubeconfig([tmp_path / "config"]))
    assert "s3cret" not in text
    assert b64encode(b"a:s3cret").decode() not in text
    assert "PRIVATE KEY" not in text
    assert "Proxy('http://proxy:3128')" in text


def test_a_configuration_can_be_written_by_hand_and_is_checked() -> None:
    assert ClusterConfig(server="http://127.0.0.1:8001").namespace == "default"
    with pytest.raises(ConfigError, match="does not start with https://"):
        ClusterConfig(server="127.0.0.1")
    with pytest.raises(ConfigError, match="exclude each other"):
        ClusterConfig(server="https://h", ca=b"x", verify=False)
    with pytest.raises(ConfigError, match="connections must be at least 1"):
        ClusterConfig(server="https://h", connections=0)
    with pytest.raises(ConfigError, match="to act as"):
        Impersonation(user="a\r\nX: y")
