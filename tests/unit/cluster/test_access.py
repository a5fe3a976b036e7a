from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
import yaml

from windlass.errors import ConfigError
from windlass.testing import Access, KeyPair

ACCESS = Access(
    server="https://127.0.0.1:6443",
    tokens={"admin": "s3cret", "nobody": "n0thing"},
    authority=KeyPair(certificate="the certificate\n", key="the key\n"),
    folder=Path("/plane"),
)


@pytest.mark.parametrize(("user", "token"), [("admin", "s3cret"), ("nobody", "n0thing")])
def test_a_kubeconfig_leads_to_the_server_as_that_user_and_needs_no_other_file(user: str, token: str) -> None:
    config = yaml.safe_load(ACCESS.kubeconfig_for(user))

    context = {entry["name"]: entry["context"] for entry in config["contexts"]}[config["current-context"]]
    cluster = {entry["name"]: entry["cluster"] for entry in config["clusters"]}[context["cluster"]]
    credentials = {entry["name"]: entry["user"] for entry in config["users"]}[context["user"]]
    ca = base64.b64encode(b"the certificate\n").decode()
    assert (config["apiVersion"], config["kind"]) == ("v1", "Config")
    assert cluster == {"server": "https://127.0.0.1:6443", "certificate-authority-data": ca}
    assert credentials == {"token": token}


def test_an_unknown_user_is_answered_with_those_who_exist_and_the_way_to_add_one() -> None:
    with pytest.raises(ConfigError, match=r"no user 'alice', only admin, nobody; .* option users"):
        ACCESS.token("alice")


def test_access_survives_the_way_to_another_process() -> None:
    assert Access.from_dict(json.loads(json.dumps(ACCESS.to_dict()))) == ACCESS


def test_no_secret_is_shown_when_a_test_prints_what_it_was_given() -> None:
    assert not [
        secret for secret in ("s3cret", "n0thing", "the key") if secret in repr((ACCESS, ACCESS.authority))
    ]


def test_the_kubeconfig_file_lies_in_the_folder_of_the_control_plane() -> None:
    assert ACCESS.kubeconfig == Path("/plane/kubeconfig")
