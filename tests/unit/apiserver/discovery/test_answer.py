import orjson
import pytest

from described import builtin_resources
from windlass.apiserver.discovery import Discovery, answer_discovery
from windlass.apiserver.exchange import Call, Reply
from windlass.apiserver.refusal import Refusal

DISCOVERY = Discovery(builtin_resources())
AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
OLDER = AGGREGATED.replace("v=v2", "v=v2beta1")


def get(path: str, accept: str = "", **headers: str) -> Reply:
    named = {"accept": accept, "host": "server:1"} | {n.replace("_", "-"): v for n, v in headers.items()}
    return answer_discovery(Call(method="GET", path=path, headers=named), DISCOVERY)


@pytest.mark.parametrize(
    "accept", ["", "*/*", "application/json", f"{OLDER},application/json", "a/b,application/*"]
)
def test_who_asks_for_nothing_else_gets_the_groups_alone(accept: str) -> None:
    assert orjson.loads(get("/apis", accept).body) == DISCOVERY.group_list()
    assert orjson.loads(get("/api/", accept).body) == DISCOVERY.core_versions("server:1")


@pytest.mark.parametrize("path", ["/api", "/apis"])
def test_who_asks_for_everything_gets_it_with_a_type_that_says_so(path: str) -> None:
    reply = get(path, f"{AGGREGATED},{OLDER},application/json")

    assert reply.body == DISCOVERY.aggregated(core=path == "/api").body
    assert reply.content_type == AGGREGATED
    assert reply.headers["vary"] == "Accept"
    assert reply.headers["cache-control"] == "public"


def test_who_has_it_already_does_not_get_it_again() -> None:
    tag = get("/apis", AGGREGATED).headers["etag"]

    assert (
        get("/apis", AGGREGATED, if_none_match=tag).status,
        get("/apis", AGGREGATED, if_none_match="x").status,
    ) == (304, 200)


@pytest.mark.parametrize("accept", [OLDER, "text/html", "application/json;as=Nonsense"])
def test_a_form_that_there_is_not_is_not_acceptable(accept: str) -> None:
    with pytest.raises(Refusal, match="only the following media types are accepted") as refused:
        get("/apis", accept)

    assert (refused.value.code, refused.value.reason) == (406, "NotAcceptable")
