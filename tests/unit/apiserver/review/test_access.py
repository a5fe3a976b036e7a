from typing import Any

import orjson
import pytest

from windlass.apiserver import ApiServer, Call, ServerOptions, User

Object = dict[str, Any]


async def review(**attributes: object) -> Object:
    """What an administrator is told who asks whether they may do something."""
    server = ApiServer(ServerOptions(tokens={"root": User("admin", ("system:masters",))}))
    body = {"spec": {"resourceAttributes": {"verb": "list", "resource": "pods", **attributes}}}
    call = Call(
        method="POST",
        path="/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        headers={"authorization": "Bearer root", "content-type": "application/json"},
        body=orjson.dumps(body),
    )
    status: Object = orjson.loads((await server.handle(call)).body)["status"]
    return status


@pytest.mark.parametrize(
    "attributes",
    [
        {"labelSelector": {"rawSelector": "a in (b)"}},
        {"labelSelector": {"requirements": [{"key": "a", "operator": "Exists"}]}},
        {"fieldSelector": {"rawSelector": "metadata.name=a"}},
        {"fieldSelector": {"requirements": [{"key": "a", "operator": "In", "values": ["b"]}]}},
    ],
)
async def test_selectors_that_are_understood_are_not_spoken_of(attributes: Object) -> None:
    assert await review(**attributes) == {"allowed": True}


@pytest.mark.parametrize(
    ("attributes", "problem"),
    [
        ({"labelSelector": {"rawSelector": "a in ("}}, "labelSelector ignored"),
        ({"fieldSelector": {"rawSelector": "a"}}, "fieldSelector ignored"),
        ({"labelSelector": {"requirements": [{"key": "a", "operator": "Like"}]}}, "labelSelector ignored"),
        (
            {"fieldSelector": {"requirements": [{"key": "a", "operator": "In", "values": ["b", "c"]}]}},
            "fieldSelector ignored",
        ),
        (
            {
                "labelSelector": {
                    "requirements": [{"key": "a", "operator": "Like"}, {"key": "a", "operator": "Exists"}]
                }
            },
            "labelSelector partially ignored",
        ),
    ],
)
async def test_selectors_that_are_not_understood_are_told(attributes: Object, problem: str) -> None:
    assert await review(**attributes) == {
        "allowed": True,
        "evaluationError": f"spec.resourceAttributes.{problem} due to parse error",
    }
