"""Every parser of the server, on input that chance has damaged: an answer each time, and never a failure."""

from __future__ import annotations

import base64
import logging
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contract_protobuf import sent
from damaged import damaged
from logged import logged
from windlass.apiserver import ApiServer, Call, Query, ServerOptions, User

if TYPE_CHECKING:
    from collections.abc import Callable

CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"
DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies"
REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews"
PROTOBUF = "application/vnd.kubernetes.protobuf"
CONFIG_MAP = {
    "kind": "ConfigMap",
    "apiVersion": "v1",
    "metadata": {"name": "a", "labels": {"app": "a"}},
    "data": {"a": "b"},
}
DEPLOYMENT = {
    "kind": "Deployment",
    "apiVersion": "apps/v1",
    "metadata": {"name": "a"},
    "spec": {
        "selector": {"matchLabels": {"app": "a"}},
        "template": {
            "metadata": {"labels": {"app": "a"}},
            "spec": {
                "containers": [
                    {"name": "a", "image": "a", "ports": [{"containerPort": 80}], "env": [{"name": "A"}]}
                ]
            },
        },
    },
}
PATCHES = [
    [
        {"op": "add", "path": "/data/x~1y", "value": {"a": [1, 2.5, None]}},
        {"op": "remove", "path": "/data/a"},
    ],
    [{"op": "test", "path": "/metadata/name", "value": "a"}, {"op": "move", "from": "/data", "path": "/b"}],
    {"data": {"a": None, "b": "c"}, "metadata": {"$retainKeys": ["name"], "labels": {"x": "y"}}},
    {"spec": {"template": {"spec": {"containers": [{"name": "a", "$patch": "delete"}]}}}},
    {"spec": {"template": {"spec": {"$setElementOrder/containers": [{"name": "a"}]}}}},
]
EXPRESSIONS = [
    "self.a.all(x, x > 1 && x in [1, 2u, 3.0]) || self.b.matches('^a+$')",
    "has(self.c) ? self.c.map(k, v, k + v)[?0].orValue('x') : b'\\x00\\377' == bytes(r'\\d')",
    "oldSelf.d < duration('1h30m') && timestamp(self.t).getHours('America/New_York') >= -1",
    "quantity('1.5Gi').isGreaterThan(quantity('1')) && ip('::1').isLoopback() && {'a': 1, ?'b': self.?x}.a == 1",
    "'%s %d %.3f %x'.format(['a', 1, 2.5, b'x']) != \"\"\"a\nb\"\"\" && cidr('10.0.0.0/8').containsIP('10.1.2.3')",
]


@dataclass(frozen=True)
class Parser:
    """Samples of what a parser reads, and the request that brings it one."""

    samples: list[bytes]
    request: Callable[[bytes], Call]


def text(sample: bytes) -> str:
    return sample.decode(errors="replace")


def post(path: str, content_type: str = "application/json") -> Callable[[bytes], Call]:
    return lambda sample: Call(method="POST", path=path, body=sample, headers={"content-type": content_type})


def patch(path: str, content_type: str) -> Callable[[bytes], Call]:
    headers = {"content-type": content_type}
    query = Query([("fieldManager", "me"), ("dryRun", "All")])
    return lambda sample: Call(method="PATCH", path=path, body=sample, headers=headers, query=query)


def ask(parameter: str, *more: tuple[str, str]) -> Callable[[bytes], Call]:
    def call(sample: bytes) -> Call:
        return Call(method="GET", path=CONFIG_MAPS, query=Query([(parameter, text(sample)), *more]))

    return call


def header(name: str) -> Callable[[bytes], Call]:
    return lambda sample: Call(method="GET", path=CONFIG_MAPS, headers={name: text(sample)})


def definition(sample: bytes) -> Call:
    """A definition with a rule, and a message that is an expression too."""
    rule = {"rule": text(sample), "messageExpression": text(sample)}
    shape: dict[str, Any] = {
        "type": "object",
        "x-kubernetes-validations": [rule],
        "properties": {
            "a": {"type": "array", "items": {"type": "integer"}, "maxItems": 3},
            "b": {"type": "string", "maxLength": 9},
            "c": {"type": "object", "additionalProperties": {"type": "string"}},
            "d": {"type": "string", "format": "duration"},
            "t": {"type": "string", "format": "date-time"},
        },
    }
    names = {"plural": "as", "singular": "a", "kind": "A", "listKind": "AList"}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": shape}}}
    versions = [{"name": "v1", "served": True, "storage": True, "schema": schema}]
    spec = {"group": "example.com", "scope": "Namespaced", "names": names, "versions": versions}
    return post(DEFINITIONS)(orjson.dumps({"metadata": {"name": "as.example.com"}, "spec": spec}))


def policy(sample: bytes) -> Call:
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["pods"]}
    spec = {
        "matchConstraints": {"resourceRules": [rule]},
        "validations": [
            {"expression": text(sample).replace("self", "object").replace("oldSelf", "oldObject")}
        ],
    }
    return post(POLICIES)(orjson.dumps({"metadata": {"name": "a.example.com"}, "spec": spec}))


def token(*parts: dict[str, Any]) -> bytes:
    encoded = [base64.urlsafe_b64encode(orjson.dumps(part)).rstrip(b"=") for part in parts]
    return b".".join([*encoded, base64.urlsafe_b64encode(b"s" * 64).rstrip(b"=")])


TOKENS = [
    token({"alg": "ES256", "kid": "a"}, {"iss": "https://kubernetes.default.svc.cluster.local", "exp": 1}),
    token({"alg": "none"}, {"sub": "system:serviceaccount:default:a", "aud": ["a"], "kubernetes.io": {}}),
]
CONTINUED = base64.urlsafe_b64encode(orjson.dumps({"v": "meta.k8s.io/v1", "rv": 3, "start": "a\0"}))
SHARDS = b"shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')"


@cache
def parsers() -> dict[str, Parser]:
    """Each parser by its name."""
    objects = [orjson.dumps(each) for each in (CONFIG_MAP, DEPLOYMENT)]
    yaml = [b"kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\ndata:\n  a: |\n    b\n  c: !!str 1\n"]
    patches = [orjson.dumps(each) for each in PATCHES]
    expressions = [each.encode() for each in EXPRESSIONS]
    messages = [sent(CONFIG_MAP), sent(DEPLOYMENT)]
    deployment = f"{DEPLOYMENTS}/a"
    return {
        "label selectors": Parser(
            [b"a=b,c!=d,e in (f,g),!h,i notin (),j", b"x.y/z==1,(a)"], ask("labelSelector")
        ),
        "field selectors": Parser([b"metadata.name=a,metadata.namespace!=b\\,c"], ask("fieldSelector")),
        "shard selectors": Parser([SHARDS], ask("shardSelector")),
        "continue tokens": Parser([CONTINUED], ask("continue", ("limit", "1"))),
        "versions": Parser([b"1", b"18446744073709551615"], ask("resourceVersion")),
        "paths": Parser(
            [b"/api/v1/namespaces/default/pods/a/log", b"/apis/apps/v1/deployments"],
            lambda sample: Call(method="GET", path=f"/{quote(sample.lstrip(b'/'), safe='/%')}"),
        ),
        "JSON": Parser(objects, post(CONFIG_MAPS)),
        "YAML": Parser(yaml, post(CONFIG_MAPS, "application/yaml")),
        "protobuf": Parser(messages, post(CONFIG_MAPS, PROTOBUF)),
        "protobuf of deployments": Parser(messages, post(DEPLOYMENTS, PROTOBUF)),
        "JSON patches": Parser(patches[:2], patch(deployment, "application/json-patch+json")),
        "merge patches": Parser(patches[2:], patch(deployment, "application/merge-patch+json")),
        "strategic patches": Parser(patches[2:], patch(deployment, "application/strategic-merge-patch+json")),
        "applied YAML": Parser([*yaml, *objects], patch(deployment, "application/apply-patch+yaml")),
        "delete options": Parser(
            [b'{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":"a"},"dryRun":["All"]}'],
            lambda sample: Call(method="DELETE", path=f"{CONFIG_MAPS}/a", body=sample),
        ),
        "tokens": Parser([b"Bearer " + each for each in TOKENS], header("authorization")),
        "reviewed tokens": Parser(
            TOKENS, lambda sample: post(REVIEWS)(orjson.dumps({"spec": {"token": text(sample)}}))
        ),
        "accepted forms": Parser(
            [b"application/json;as=Table;v=v1;g=meta.k8s.io,*/*;q=0.1", PROTOBUF.encode()], header("accept")
        ),
        "impersonated users": Parser([b"somebody", b"system:masters"], header("impersonate-user")),
        "rules": Parser(expressions, definition),
        "policies": Parser(expressions, policy),
    }


@pytest.fixture(scope="module")
def server() -> ApiServer:
    return ApiServer(ServerOptions(tokens={"admin": User("admin", ("system:masters",))}))


@pytest.mark.property
@pytest.mark.parametrize("name", list(parsers()))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
async def test_whatever_is_sent_is_answered(
    name: str, seed: int, server: ApiServer, caplog: pytest.LogCaptureFixture
) -> None:
    parser, chance = parsers()[name], Random(seed)
    for _ in range(8):
        sample = damaged(chance.choice(parser.samples), parser.samples, chance)
        call = parser.request(sample)
        call.headers = {"authorization": "Bearer admin", **call.headers}

        with caplog.at_level(logging.ERROR, "windlass.apiserver"):
            reply = await server.handle(call)

        assert not logged(caplog), sample
        assert 200 <= reply.status < 600
        if reply.chunks is not None:
            await reply.chunks.aclose()
