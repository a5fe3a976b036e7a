"""Hashes that kube-controller-manager 1.36 gave to the same templates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from windlass.cluster.controller.template_hash import safe_encoded, template_hash

if TYPE_CHECKING:
    from windlass.api import Json

POD: Json = {
    "containers": [
        {
            "name": "main",
            "image": "web:v1",
            "imagePullPolicy": "IfNotPresent",
            "resources": {},
            "terminationMessagePath": "/dev/termination-log",
            "terminationMessagePolicy": "File",
        }
    ],
    "dnsPolicy": "ClusterFirst",
    "restartPolicy": "Always",
    "schedulerName": "by-hand",
    "securityContext": {},
    "terminationGracePeriodSeconds": 30,
}


def template(**container: Any) -> Json:
    containers = [{**POD["containers"][0], **container}]
    return {"metadata": {"labels": {"app": "web"}}, "spec": {**POD, "containers": containers}}


def test_a_template_has_the_hash_that_a_real_cluster_gives_it() -> None:
    assert template_hash(template()) == "7cd5997f44"
    assert template_hash(template(image="web:broken")) == "bfbfffb7b"


def test_what_is_not_set_is_as_good_as_empty() -> None:
    said = template(args=[], env=None, ports=[])
    said["metadata"] |= {"annotations": {}, "creationTimestamp": None}

    assert template_hash(said) == template_hash(template())


def test_each_collision_gives_another_hash() -> None:
    found = {template_hash(template(), count) for count in (None, 1, 2, 300)}

    assert len(found) == 4


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"resources": {"limits": {"cpu": "1"}}}, {"resources": {"limits": {"cpu": "1m"}}}),
        ({"resources": {"limits": {"cpu": "1"}}}, {"resources": {"requests": {"cpu": "1"}}}),
        ({"resources": {"limits": {"memory": "100Ti"}}}, {"resources": {"limits": {"memory": "200Ti"}}}),
        ({"resources": {"limits": {"memory": "1e3"}}}, {"resources": {"limits": {"memory": "1k"}}}),
        ({"livenessProbe": {"tcpSocket": {"port": 80}}}, {"livenessProbe": {"tcpSocket": {"port": "80"}}}),
        ({"stdin": True}, {"tty": True}),
        ({"securityContext": {}}, {}),
        ({"env": [{"name": "A", "value": "1"}]}, {"env": [{"name": "A1"}]}),
    ],
)
def test_templates_that_differ_have_hashes_that_differ(one: Json, other: Json) -> None:
    assert template_hash(template(**one)) != template_hash(template(**other))


def test_hashes_have_no_vowels() -> None:
    assert safe_encoded("0123456789") == "456789bcdf"
