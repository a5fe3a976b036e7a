import orjson
import pytest

from described import builtin_resources
from windlass.apiserver.builtin import library
from windlass.apiserver.exchange import Call, Query, Reply
from windlass.apiserver.openapi import OpenApi, answer_openapi

APPS = "/openapi/v3/apis/apps/v1"
MESSAGE = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"
OPENAPI = OpenApi(builtin_resources(), library())


def get(path: str, given: str = "", **headers: str) -> Reply:
    named = {"accept": "application/json"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    query = Query([("hash", given)] if given else [])
    return answer_openapi(Call(method="GET", path=path, query=query, headers=named), OPENAPI)


def address() -> str:
    return str(OPENAPI.index()["paths"]["apis/apps/v1"]["serverRelativeURL"])


def test_the_index_leads_to_the_documents() -> None:
    assert orjson.loads(get("/openapi/v3").body) == OPENAPI.index()


def test_a_document_under_its_hash_may_be_kept_for_ever() -> None:
    given = address().partition("=")[2]

    reply = get(APPS, given)
    again = get(APPS, given, if_none_match=reply.headers["etag"])

    assert reply.headers["cache-control"] == "public, immutable"
    assert reply.headers["etag"] == f'"{given}"'
    assert (again.status, again.body) == (304, b"")


def test_a_document_under_another_hash_has_moved() -> None:
    reply = get(APPS, "0")

    assert (reply.status, reply.headers["location"]) == (301, address())


def test_a_document_without_a_hash_is_not_kept() -> None:
    reply = get(APPS)

    assert reply.status == 200
    assert "cache-control" not in reply.headers
    assert reply.body == get(APPS, address().partition("=")[2]).body


@pytest.mark.parametrize("path", ["/openapi/v3/api/v9", "/openapi/v3/apis/x/v1", "/openapi/v3/"])
def test_what_is_not_served_has_no_document(path: str) -> None:
    reply = get(path)

    assert (reply.status, reply.body) == (404, b"")


def test_another_form_is_not_acceptable() -> None:
    assert get(APPS, accept="text/html").status == 406
    assert get(APPS, accept="application/com.github.proto-openapi.spec.v3@v1.0+protobuf").status == 406
    assert get(APPS, accept="text/html, application/json;q=0.5").status == 200
    assert get("/openapi/v2", accept="application/yaml").status == 406


def test_the_older_document_has_one_address() -> None:
    assert orjson.loads(get("/openapi/v2").body)["swagger"] == "2.0"


@pytest.mark.parametrize(
    "accept", [MESSAGE, MESSAGE.replace("v2.v1", "v2@v1"), f"{MESSAGE}, application/json"]
)
def test_the_older_document_can_be_had_as_a_message(accept: str) -> None:
    reply = get("/openapi/v2", accept=accept)

    assert reply.content_type == MESSAGE
    assert reply.body == OPENAPI.older_message()
    assert reply.headers["etag"] == get("/openapi/v2").headers["etag"]


def test_who_has_the_message_already_does_not_get_it_again() -> None:
    tag = get("/openapi/v2").headers["etag"]

    again = get("/openapi/v2", accept=MESSAGE, if_none_match=tag)

    assert (again.status, again.body, again.content_type) == (304, b"", "")
