from __future__ import annotations

import json
import traceback
from base64 import b64encode
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from windlass.client.kubeconfig import read_kubeconfig
from windlass.client.loader import load_config
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Issue = Callable[..., tuple[bytes, bytes]]


class Parts(NamedTuple):
    """The pieces of a kubeconfig that works, for a test to break."""

    whole: dict[str, Any]
    cluster: dict[str, Any]
    user: dict[str, Any]
    context: dict[str, Any]
    folder: Path
    issue: Issue

    def write(self, name: str, data: bytes) -> str:
        (self.folder / name).write_bytes(data)
        return name


@pytest.fixture
def parts(tmp_path: Path, issue: Issue) -> Parts:
    cluster, user = {"server": "https://127.0.0.1:6443"}, {"token": "t0ken"}
    context = {"cluster": "prod", "user": "alice"}
    whole = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "dev",
        "clusters": [{"name": "prod", "cluster": cluster}],
        "users": [{"name": "alice", "user": user}],
        "contexts": [{"name": "dev", "context": context}],
    }
    return Parts(whole, cluster, user, context, tmp_path, issue)


def b64(data: bytes) -> str:
    return b64encode(data).decode()


def inline_pair(parts: Parts, chain: bytes, key: bytes) -> None:
    parts.user.update({"client-certificate-data": b64(chain), "client-key-data": b64(key)})


def mismatched_pair(parts: Parts) -> None:
    inline_pair(parts, parts.issue("alice")[0], parts.issue("bob")[1])


def chain_that_is_not_pem(parts: Parts) -> None:
    inline_pair(parts, b"hello", parts.issue("alice")[1])


def key_that_is_not_pem(parts: Parts) -> None:
    inline_pair(parts, parts.issue("alice")[0], b"hello")


def encrypted_key(parts: Parts) -> None:
    from cryptography.hazmat.primitives import serialization as s

    chain, key = parts.issue("alice")
    locked = s.load_pem_private_key(key, None).private_bytes(
        s.Encoding.PEM, s.PrivateFormat.PKCS8, s.BestAvailableEncryption(b"secret")
    )
    inline_pair(parts, chain, locked)


def empty_token_file(parts: Parts) -> None:
    parts.user.clear()
    parts.user["tokenFile"] = parts.write("token", b"\n")


def exec_without(field: str) -> Callable[[Parts], None]:
    def change(parts: Parts) -> None:
        plugin = {
            "command": "login",
            "apiVersion": "client.authentication.k8s.io/v1",
            "interactiveMode": "Never",
        }
        del plugin[field]
        parts.user.clear()
        parts.user["exec"] = plugin

    return change


def exec_with(**fields: object) -> Callable[[Parts], None]:
    def change(parts: Parts) -> None:
        exec_without("command")(parts)
        parts.user["exec"].update({"command": "login", **fields})

    return change


def setting(part: str, **values: object) -> Callable[[Parts], None]:
    """Set fields of a part; underscores in their names stand for dashes."""

    def change(parts: Parts) -> None:
        getattr(parts, part).update({name.replace("_", "-"): value for name, value in values.items()})

    return change


CLUSTER, USER, CONTEXT = 'cluster "prod"', 'user "alice"', 'context "dev"'
BROKEN: dict[str, tuple[Callable[[Parts], None], list[str]]] = {
    "wrong kind": (setting("whole", kind="Pod"), ["kind Pod", "kind Config"]),
    "wrong version": (setting("whole", apiVersion="v2"), ["apiVersion v2"]),
    "section is no list": (setting("whole", users={"alice": {}}), ["users must be a list"]),
    "entry without a name": (setting("whole", users=[{"user": {}}]), ["entry 1 of users has no name"]),
    "name is a number": (setting("whole", users=[{"name": 1}]), ["entry 1 of users", "quotes"]),
    "name twice": (setting("whole", users=[{"name": "a"}] * 2), ['users holds "a" twice']),
    "entry is no mapping": (setting("whole", users=[{"name": "a", "user": "x"}]), ["must be a mapping"]),
    "current-context is a number": (setting("whole", current_context=1), ["current-context", "quotes"]),
    "no current context": (setting("whole", current_context=""), ["no current-context", "use-", '"dev"']),
    "unknown current context": (setting("whole", current_context="x"), ["current-context", '"x"', '"dev"']),
    "unknown cluster": (setting("context", cluster="x"), [CONTEXT, 'cluster "x" does not exist', '"prod"']),
    "unknown user": (setting("context", user="x"), [CONTEXT, 'user "x" does not exist', '"alice"']),
    "context without a cluster": (setting("context", cluster=""), [CONTEXT, "names no cluster", '"prod"']),
    "missing server": (setting("cluster", server=""), [CLUSTER, "server is missing", "https://HOST:PORT"]),
    "server without a scheme": (setting("cluster", server="h:6443"), [CLUSTER, "h:6443", "https://"]),
    "server of another scheme": (setting("cluster", server="ftp://h"), [CLUSTER, "does not start with"]),
    "server without a host": (setting("cluster", server="https://:6443"), [CLUSTER, "names no host"]),
    "server with a wild port": (setting("cluster", server="https://h:99999"), [CLUSTER, "is not a URL"]),
    "server with a blank": (setting("cluster", server="https://h h"), [CLUSTER, "blank"]),
    "server with a long name": (setting("cluster", server=f"https://{'a' * 64}.b"), [CLUSTER, "DNS"]),
    "server with a hole in its name": (setting("cluster", server="https://a..b"), [CLUSTER, "DNS"]),
    "server with port 0": (setting("cluster", server="https://h:0"), [CLUSTER, "port 0"]),
    "server with a password": (setting("cluster", server="https://u:pw@h"), [CLUSTER, "holds a user name"]),
    "server with a query": (setting("cluster", server="https://h?x=1"), [CLUSTER, "query"]),
    "server is a number": (setting("cluster", server=6443), [CLUSTER, "server must be a string", "a number"]),
    "CA is not base64": (
        setting("cluster", certificate_authority_data="-----abcd"),
        [CLUSTER, "certificate-authority-data is not valid base64"],
    ),
    "CA is not PEM": (
        setting("cluster", certificate_authority_data=b64(b"hello")),
        [CLUSTER, "certificate-authority-data", "PEM"],
    ),
    "CA file is missing": (
        setting("cluster", certificate_authority="ca.pem"),
        [CLUSTER, "certificate-authority names", "ca.pem", "No such file", "correct the path"],
    ),
    "flag is a string": (
        setting("cluster", insecure_skip_tls_verify="yes"),
        [CLUSTER, "insecure-skip-tls-verify must be true or false"],
    ),
    "server name has a blank": (setting("cluster", tls_server_name="a b"), [CLUSTER, "tls-server-name 'a b'"]),
    "server name starts with a dot": (
        setting("cluster", tls_server_name=".svc"),
        [CLUSTER, "tls-server-name '.svc'", "DNS cannot hold", "kubernetes.default.svc"],
    ),
    "server name is too long": (setting("cluster", tls_server_name="a" * 64), [CLUSTER, "DNS cannot hold"]),
    "proxy is socks": (setting("cluster", proxy_url="socks5://h:1"), [CLUSTER, "socks5", "http://"]),
    "proxy is no URL": (setting("cluster", proxy_url="ftp://h"), [CLUSTER, "proxy-url", "http://"]),
    "proxy has a wild port": (setting("cluster", proxy_url="http://h:x"), [CLUSTER, "proxy-url"]),
    "token with a line break": (setting("user", token="a\nb"), [USER, "line break"]),
    "token is a number": (setting("user", token=12), [USER, "token must be a string", "quotes"]),
    "token and password": (setting("user", username="u", password="p"), [USER, "keep one of the two"]),
    "password alone": (setting("user", token="", password="p"), [USER, "without a username"]),
    "token file is missing": (
        setting("user", token="", tokenFile="nowhere"),
        [USER, "tokenFile names", "nowhere", "No such file"],
    ),
    "token file is empty": (empty_token_file, [USER, "is empty"]),
    "certificate without key": (
        setting("user", client_certificate_data=b64(b"x")),
        [USER, "client-certificate is given without client-key"],
    ),
    "key without certificate": (
        setting("user", client_key_data=b64(b"x")),
        [USER, "client-key is given without client-certificate"],
    ),
    "certificate file is missing": (
        setting("user", client_certificate="a.pem", client_key="b.pem"),
        [USER, "client-certificate names", "a.pem", "No such file"],
    ),
    "certificate is not PEM": (chain_that_is_not_pem, [USER, "client certificate is not in PEM form"]),
    "key is not PEM": (key_that_is_not_pem, [USER, "client key is not a private key in PEM form"]),
    "key is encrypted": (encrypted_key, [USER, "passphrase"]),
    "key of another certificate": (mismatched_pair, [USER, "does not match"]),
    "auth-provider": (setting("user", auth_provider={"name": "gcp"}), [USER, "gke-gcloud-auth-plugin"]),
    "unknown auth-provider": (setting("user", auth_provider={"name": "x"}), [USER, '"x"', "exec plugin"]),
    "groups without a user to act as": (setting("user", as_groups=["g"]), [USER, "as: NAME"]),
    "groups are numbers": (setting("user", **{"as": "bob", "as_groups": [1]}), [USER, "must be a list"]),
    "name to act as with a line break": (setting("user", **{"as": "a\nb"}), [USER, "to act as"]),
    "exec is no mapping": (setting("user", token="", exec="login"), [USER, "exec must be a mapping"]),
    "exec without a command": (exec_without("command"), [USER, "exec has no command"]),
    "exec without a version": (exec_without("apiVersion"), [USER, "apiVersion", "k8s.io/v1"]),
    "exec of an old version": (
        exec_with(apiVersion="client.authentication.k8s.io/v1alpha1"),
        [USER, "v1alpha1", "not supported", "newer version of the plugin"],
    ),
    "exec v1 without a mode": (exec_without("interactiveMode"), [USER, "interactiveMode", "IfAvailable"]),
    "exec with an unknown mode": (exec_with(interactiveMode="Maybe"), [USER, '"Maybe"', "Never"]),
    "exec with a nameless variable": (exec_with(env=[{"value": "x"}]), [USER, "exec.env needs a name"]),
    "exec with a bare variable": (exec_with(env=["X=1"]), [USER, "env must be a list of mappings"]),
}  # fmt: skip


@pytest.mark.parametrize(("change", "fragments"), BROKEN.values(), ids=BROKEN)
def test_a_broken_kubeconfig_is_refused_with_the_file_the_entry_and_the_way_out(
    parts: Parts, change: Callable[[Parts], None], fragments: list[str]
) -> None:
    change(parts)
    file = parts.folder / "config"
    file.write_text(json.dumps(parts.whole))
    with pytest.raises(ConfigError) as refusal:
        load_config(file, environment={})
    message = str(refusal.value)
    assert message.startswith(f"{file}: ")
    assert [fragment for fragment in fragments if fragment not in message] == []
    assert "pw" not in message


def test_the_table_breaks_something_that_works(parts: Parts) -> None:
    file = parts.folder / "config"
    file.write_text(json.dumps(parts.whole))
    assert load_config(file, environment={}).server == "https://127.0.0.1:6443"


def test_a_ca_beside_the_insecure_flag_is_refused(parts: Parts, ca: bytes) -> None:
    parts.cluster.update({"certificate-authority-data": b64(ca), "insecure-skip-tls-verify": True})
    file = parts.folder / "config"
    file.write_text(json.dumps(parts.whole))
    with pytest.raises(
        ConfigError, match=r'config: cluster "prod": .*exclude each other; keep the certificate'
    ):
        load_config(file, environment={})


NO_KUBECONFIG = {
    "unbalanced": ("a: [", "not valid YAML"),
    "tabs": ("a:\n\t- s3cret", "not valid YAML .*line 2"),
    "binary": ("\x00\x01", "not valid YAML"),
    "two documents": ("{}\n---\n{}", "one YAML document, not 2"),
    "a tag that lies": ("token: !!int s3cret", "not valid YAML .*does not fit its tag"),
    "a tag that nobody knows": ("a: 1\ntoken: !secret s3cret", "not valid YAML .*constructor.*line 2"),
    "a list": ("- a", "must be a mapping"),
    "a sentence": ("hello there", "must be a mapping"),
    "nothing": ("", "no current-context"),
}


@pytest.mark.parametrize(("text", "said"), NO_KUBECONFIG.values(), ids=NO_KUBECONFIG)
def test_a_file_that_is_no_kubeconfig_is_refused(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "config"
    file.write_text(text)
    with pytest.raises(ConfigError, match=said) as refusal:
        load_config(file, environment={})
    assert str(refusal.value).startswith(f"{file}: ")
    assert "s3cret" not in "".join(traceback.format_exception(refusal.value))


def test_a_missing_file_that_was_asked_for_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere: the kubeconfig cannot be read \(No such file"):
        load_config(tmp_path / "nowhere", environment={})


def test_a_kubeconfig_is_read_in_the_dialect_of_kubectl(tmp_path: Path) -> None:
    file = tmp_path / "config"
    file.write_text(
        "clusters: [{name: a, cluster: {server: 'https://a', insecure-skip-tls-verify: y}}]\n"
        "contexts: [{name: 12:30, context: {cluster: a}}]\ncurrent-context: 12:30\n"
    )
    assert not load_config(file, environment={}).verify


def test_names_that_look_like_dates_stay_names(tmp_path: Path) -> None:
    file = tmp_path / "config"
    file.write_text("contexts:\n- name: 2026-01-01\n  context: {cluster: 2026-01-02T03:04:05Z}\n")
    context = read_kubeconfig([file]).contexts["2026-01-01"]
    assert context.text("cluster") == "2026-01-02T03:04:05Z"


def test_of_two_entries_with_one_name_the_first_file_wins_whole(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text(json.dumps({"users": [{"name": "a", "user": {"token": "one"}}]}))
    second.write_text(
        json.dumps(
            {
                "current-context": "b",
                "users": [{"name": "a", "user": {"token": "two", "as": "x"}}, {"name": "b"}],
            }
        )
    )
    merged = read_kubeconfig([first, second])
    assert merged.current == "b"
    assert merged.users["a"].data == {"token": "one"}
    assert merged.users["b"].file == second


def test_a_long_list_of_names_is_cut(parts: Parts) -> None:
    parts.whole["contexts"] = [{"name": f"c{number}"} for number in range(30)]
    file = parts.folder / "config"
    file.write_text(json.dumps(parts.whole))
    with pytest.raises(ConfigError, match=r'"c9" and 20 more'):
        load_config(file, environment={})
