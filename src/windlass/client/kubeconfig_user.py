from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.client.certificate import ClientCertificate
from windlass.client.config import Impersonation
from windlass.client.credentials import (
    CertificateFiles,
    CombinedCredentials,
    Credentials,
    FixedCredentials,
    TokenFile,
)
from windlass.client.exec_plugin import API_VERSIONS, ExecPlugin, InteractiveMode
from windlass.client.kubeconfig_cluster import cluster_info
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.client.entry import Entry

_REPLACEMENTS = {
    "gcp": "gke-gcloud-auth-plugin",
    "azure": "kubelogin",
    "oidc": "kubectl oidc-login (kubelogin)",
    "openstack": "client-keystone-auth",
}


def credentials_of(user: Entry, cluster: Entry, environment: Mapping[str, str] | None) -> Credentials:
    """How a user of a kubeconfig proves who they are, checked as far as that goes without a server.

    A client certificate may stand beside a token. An exec plugin is used only when there is nothing else,
    as kubectl does.

    Raises:
        ConfigError: something in the entry cannot be used.
    """
    _refuse_auth_provider(user)
    authorization = _authorization_of(user)
    certificate = _certificate_of(user)
    if authorization and certificate:
        return CombinedCredentials(authorization, certificate)
    plugin = user.part("exec")
    if authorization or certificate or plugin is None:
        return authorization or certificate or FixedCredentials.anonymous()
    return _plugin_of(plugin, cluster, environment)


def impersonation_of(user: Entry) -> Impersonation | None:
    """Whom the user asks to act as.

    Raises:
        ConfigError: groups, a uid or extras are given without a user to act as.
    """
    name, uid, groups = user.text("as"), user.text("as-uid"), user.texts("as-groups")
    extra = user.part("as-user-extra")
    if not name:
        if uid or groups or extra:
            raise user.fault("as-uid, as-groups and as-user-extra need a user to act as; add `as: NAME`")
        return None
    extras = {key: extra.texts(key) for key in extra.data} if extra else {}
    try:
        return Impersonation(user=name, groups=groups, uid=uid, extra=extras)
    except ConfigError as error:
        raise user.fault(str(error)) from error


def _refuse_auth_provider(user: Entry) -> None:
    provider = user.part("auth-provider")
    if provider is None:
        return
    name = provider.text("name")
    plugin = _REPLACEMENTS.get(name, "the exec plugin of your provider")
    raise user.fault(
        f'auth-provider "{name}" is no longer supported by Kubernetes clients; '
        f"replace it by an `exec` section that runs {plugin}, usually by fetching the kubeconfig anew"
    )


def _authorization_of(user: Entry) -> Credentials | None:
    token, path = user.text("token"), user.path("tokenFile")
    username, password = user.text("username"), user.text("password")
    if (token or path) and (username or password):
        raise user.fault("both a token and a username are given; keep one of the two")
    if password and not username:
        raise user.fault("a password is given without a username; add `username: NAME`")
    if path:
        source = TokenFile(path=path, where=user.where, fallback=token)
        if not token:
            source.read()
        return source
    if token:
        return FixedCredentials.token(token, user.where)
    return FixedCredentials.basic(username, password) if username else None


def _certificate_of(user: Entry) -> Credentials | None:
    chain, key = user.material("client-certificate"), user.material("client-key")
    if chain is None and key is None:
        return None
    if chain is None or key is None:
        given, absent = ("client-certificate", "client-key")[:: 1 if chain else -1]
        raise user.fault(f"{given} is given without {absent}; add {absent} or {absent}-data")
    certificate = ClientCertificate.parse(chain, key, user.where)
    paths = user.path("client-certificate"), user.path("client-key")
    inline = user.text("client-certificate-data") or user.text("client-key-data")
    if inline or not (paths[0] and paths[1]):
        return FixedCredentials.certificate(certificate)
    return CertificateFiles(chain=paths[0], key=paths[1], where=user.where)


def _plugin_of(plugin: Entry, cluster: Entry, environment: Mapping[str, str] | None) -> ExecPlugin:
    command, version = plugin.text("command"), plugin.text("apiVersion")
    if not command:
        raise plugin.fault("exec has no command; add the program that prints the credential")
    if version not in API_VERSIONS:
        raise plugin.fault(
            f'exec has apiVersion "{version}", which is not supported; use one of {", ".join(API_VERSIONS)} '
            "(a newer version of the plugin may be needed)"
        )
    if "/" in command:
        command = str(plugin.path("command"))
    return ExecPlugin(
        command=command,
        api_version=version,
        args=plugin.texts("args"),
        env=_environment_of(plugin),
        mode=_mode_of(plugin),
        cluster=cluster_info(cluster) if plugin.flag("provideClusterInfo") else None,
        install_hint=plugin.text("installHint").strip(),
        where=plugin.where,
        environment=environment,
    )


def _environment_of(plugin: Entry) -> dict[str, str]:
    pairs = {}
    for item in plugin.items("env"):
        name, value = item.get("name"), item.get("value", "")
        if not isinstance(name, str) or not name or not isinstance(value, str):
            raise plugin.fault("each item of exec.env needs a name and a value, both strings")
        pairs[name] = value
    return pairs


def _mode_of(plugin: Entry) -> InteractiveMode:
    """The plugin's wish for a terminal. Version v1 demands one in words; v1beta1 knows a default."""
    text = plugin.text("interactiveMode")
    if not text and plugin.text("apiVersion").endswith("/v1beta1"):
        return InteractiveMode.IF_AVAILABLE
    try:
        return InteractiveMode(text)
    except ValueError as error:
        known = ", ".join(InteractiveMode)
        raise plugin.fault(f'exec has interactiveMode "{text}"; it must be one of {known}') from error
