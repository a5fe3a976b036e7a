"""Selectors, quantities and times: on random values, Windlass and the real server are of one opinion.

Where they are not, the last tests of each part say so.
"""

from __future__ import annotations

import asyncio
import re
from contextlib import AsyncExitStack
from datetime import datetime, timedelta, timezone
from random import Random
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from real import administrator
from windlass.api import ObjectMeta, Quantity, Selector
from windlass.client import Request
from windlass.errors import BadRequest, Invalid
from windlass.kinds.coordination.v1 import Lease, LeaseSpec
from windlass.kinds.core.v1 import ConfigMap
from windlass.testing.namespace import create_namespace, delete_namespace

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator

    from windlass.client import Client
    from windlass.testing import Access

KEYS = ["a", "b", "tier", "example.com/a", "in", "notin", "x.y_z-1"]
VALUES = ["", "1", "2", "10", "007", "web", "in", "A.b_c-d", str(2**63 - 1), str(2**63)]
LARGEST = 2**63 - 1


def label_sets() -> dict[str, dict[str, str]]:
    """Thirty objects by name, each with some labels."""
    chance = Random(7)
    return {
        f"c{index:02}": {key: chance.choice(VALUES) for key in chance.sample(KEYS, chance.randint(0, 5))}
        for index in range(30)
    }


class Server:
    """Asks the real server, from tests that are not coroutines because Hypothesis calls them many times."""

    def __init__(self, runner: asyncio.Runner, client: Client, namespace: str) -> None:
        self._runner = runner
        self._client = client
        self._namespace = namespace
        self.labels = label_sets()
        objects = [
            ConfigMap(metadata=ObjectMeta(name=name, labels=labels)) for name, labels in self.labels.items()
        ]
        self._all(*(client.create(each) for each in objects))

    def selected(self, *selectors: str) -> list[set[str] | None]:
        """The objects that each selector selects; None where it is refused."""
        return self._all(*(self._selected(each) for each in selectors))

    def takes_label(self, key: str, value: str) -> bool:
        """Whether an object may have this label."""
        return bool(self._all(self._takes_label(key, value))[0])

    def quantities(self, *texts: str) -> list[str] | None:
        """What the server makes of these quantities, all in one request; None where it refuses them."""
        told: list[str] | None = self._all(self._quantities(texts))[0]
        return told

    def lease_times(self, acquired: datetime, renewed: datetime) -> tuple[datetime | None, datetime | None]:
        """Two times as they come back."""
        spec = LeaseSpec(acquire_time=acquired, renew_time=renewed)
        lease = Lease(metadata=ObjectMeta(name="a"), spec=spec)
        (made,) = self._all(self._client.using(dry_run=True).create(lease))
        return made.spec.acquire_time, made.spec.renew_time

    def _all(self, *calls: Coroutine[Any, Any, Any]) -> list[Any]:
        async def together() -> list[Any]:
            return await asyncio.gather(*calls)

        return self._runner.run(together())

    async def _selected(self, selector: str) -> set[str] | None:
        try:
            found = await self._client.list(ConfigMap, self._namespace, labels=selector)
        except BadRequest:
            return None
        return {each.metadata.name for each in found}

    async def _takes_label(self, key: str, value: str) -> bool:
        labelled = ConfigMap(metadata=ObjectMeta(name="new", labels={key: value}))
        try:
            await self._client.using(dry_run=True).create(labelled)
        except Invalid:
            return False
        return True

    async def _quantities(self, texts: tuple[str, ...]) -> list[str] | None:
        # The capacities of devices are the one place where the server takes any quantity, also below zero.
        devices = [
            {"name": f"d{index}", "capacity": {"amount": {"value": text}}} for index, text in enumerate(texts)
        ]
        pool = {"name": "a", "generation": 1, "resourceSliceCount": 1}
        spec = {"driver": "a.example.com", "allNodes": True, "pool": pool, "devices": devices}
        body = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "a"}}
        request = Request(
            method="POST",
            path="/apis/resource.k8s.io/v1/resourceslices",
            query=(("dryRun", "All"),),
            headers={"Content-Type": "application/json"},
            body=orjson.dumps(body | {"spec": spec}),
        )
        try:
            made = await self._client.json(request)
        except BadRequest:
            return None
        return [each["capacity"]["amount"]["value"] for each in made["spec"]["devices"]]


@pytest.fixture(scope="module")
def server(control_plane: Access) -> Iterator[Server]:
    """The server, with thirty labelled objects in a namespace of their own."""
    namespace = create_namespace(control_plane)
    with asyncio.Runner() as runner:
        opened = AsyncExitStack()
        client = runner.run(opened.enter_async_context(administrator(control_plane, namespace)))
        yield Server(runner, client, namespace)
        runner.run(opened.aclose())
    delete_namespace(control_plane, namespace)


BLANKS = st.text(" \t\r\n", max_size=2)
TERMS = st.one_of(
    st.tuples(BLANKS, st.sampled_from(KEYS), BLANKS),
    st.tuples(BLANKS, st.just("!"), BLANKS, st.sampled_from(KEYS), BLANKS),
    st.tuples(
        BLANKS,
        st.sampled_from(KEYS),
        BLANKS,
        st.sampled_from(["=", "==", "!=", "<", ">"]),
        BLANKS,
        st.sampled_from(VALUES),
        BLANKS,
    ),
    st.tuples(
        BLANKS,
        st.sampled_from(KEYS),
        st.sampled_from([" ", "\t", "  "]),
        st.sampled_from(["in", "notin"]),
        BLANKS,
        st.just("("),
        st.lists(st.tuples(BLANKS, st.sampled_from(VALUES), BLANKS).map("".join), max_size=4).map(",".join),
        st.just(")"),
        BLANKS,
    ),
).map("".join)
SELECTORS = st.lists(TERMS, max_size=4).map(",".join)
NOISE = st.text(" \t\n=!<>(),;ab1in ot./-_A%\u00e9\u00a0", max_size=14)


@st.composite
def damaged(draw: st.DrawFn, whole: st.SearchStrategy[str]) -> str:
    """A text with something taken out of it, and something put in."""
    text = draw(whole)
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 3)))
    return (
        text[:start] + draw(st.one_of(NOISE.filter(lambda noise: len(noise) < 4), st.just(""))) + text[end:]
    )


def selects(selector: str, labels: dict[str, dict[str, str]]) -> set[str] | None:
    """What Windlass makes of a selector."""
    try:
        parsed = Selector.parse(selector)
    except ValueError:
        return None
    return {name for name, each in labels.items() if parsed.matches(each)}


@pytest.mark.property
@given(texts=st.lists(SELECTORS, min_size=1, max_size=10))
def test_a_selector_selects_what_the_server_selects(server: Server, texts: list[str]) -> None:
    assert server.selected(*texts) == [selects(text, server.labels) for text in texts]


@pytest.mark.property
@given(texts=st.lists(st.one_of(damaged(SELECTORS), NOISE), min_size=1, max_size=10))
def test_a_selector_is_refused_when_the_server_refuses_it(server: Server, texts: list[str]) -> None:
    assert server.selected(*texts) == [selects(text, server.labels) for text in texts]


@pytest.mark.property
@given(texts=st.lists(SELECTORS, min_size=1, max_size=10))
def test_the_text_of_a_selector_means_the_same_to_the_server(server: Server, texts: list[str]) -> None:
    known = [text for text in texts if selects(text, server.labels) is not None]

    assert server.selected(*(str(Selector.parse(text)) for text in known)) == server.selected(*known)


@pytest.mark.parametrize(("text", "read_as"), [("\x00", ""), ("a=1\x00,b=1", "a=1")])
def test_where_the_server_and_windlass_differ_about_a_selector(
    server: Server, text: str, read_as: str
) -> None:
    """The server stops reading at a zero byte; to Windlass it is not part of any selector."""
    assert server.selected(text) == [selects(read_as, server.labels)]
    assert selects(text, server.labels) is None


LABEL_TEXT = st.text("aZ0-_./\u00e9 ", max_size=5) | st.integers(60, 66).map("a".__mul__)


@pytest.mark.property
@given(
    key=LABEL_TEXT | st.tuples(LABEL_TEXT, LABEL_TEXT).map("/".join) | st.sampled_from(KEYS),
    value=LABEL_TEXT | st.sampled_from(VALUES),
)
def test_a_label_can_be_selected_when_the_server_takes_it(server: Server, key: str, value: str) -> None:
    try:
        Selector.of({key: value})
    except ValueError:
        assert not server.takes_label(key, value)
    else:
        assert server.takes_label(key, value)


DIGITS = st.text("0123456789", max_size=22) | st.sampled_from(["0", "1", "1024", "1000", "000", "500"])
SUFFIXES = st.sampled_from([*"numkMGTPE", "", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"]) | st.builds(
    "{}{}{}".format, st.sampled_from("eE"), st.sampled_from(["", "+", "-"]), st.integers(0, 40)
)
QUANTITIES = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(["", "", "+", "-"]),
    DIGITS,
    st.sampled_from(["", "."]),
    DIGITS,
    SUFFIXES,
)
ODD_QUANTITIES = st.one_of(damaged(QUANTITIES), st.text("0123456789+-.eEnumkKMGTPi\u0660", max_size=8))


WITHOUT_DIGITS = re.compile(r"[+-]?\.?([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]+)?")
LARGE_EXPONENT = re.compile(r"[eE][+-]?[0-9]{3}")


def comparable(text: str) -> bool:
    """Whether Windlass and the server mean to agree about a text; the differences stand below.

    The server computes any power of ten, so none is sent that would keep it busy for hours.
    """
    if WITHOUT_DIGITS.fullmatch(text) or LARGE_EXPONENT.search(text) or text != text.strip():
        return text == ""
    try:
        return abs(Quantity(text).to_decimal()) < LARGEST
    except ValueError:
        return True


def canonical(text: str) -> str | None:
    try:
        return str(Quantity(text))
    except ValueError:
        return None


@pytest.mark.property
@given(texts=st.lists(QUANTITIES.filter(canonical).filter(comparable), min_size=1, max_size=60))
def test_a_quantity_means_the_same_to_the_server(server: Server, texts: list[str]) -> None:
    told = server.quantities(*texts)

    assert told is not None
    for text, answer in zip(texts, told, strict=True):
        assert canonical(answer) == canonical(text)
        assert Quantity(answer) == Quantity(text)
        assert answer in (text, canonical(text))  # the server keeps some texts that are not quite canonical


@pytest.mark.property
@given(text=(QUANTITIES | ODD_QUANTITIES).filter(comparable))
def test_a_quantity_is_refused_when_the_server_refuses_it(server: Server, text: str) -> None:
    assert (server.quantities(text) is None) == (canonical(text) is None)


@pytest.mark.parametrize(
    ("text", "told", "ours"),
    [
        (".", "0", None),
        ("-", "0", None),
        ("Ki", "0", None),
        ("e0", "0", None),
        (" 1 ", "1", None),
        ("1E3", "1E3", "1e3"),
        ("+1", "+1", "1"),
        ("1.500", "1.500", "1500m"),
        ("9Ei", str(LARGEST), str(LARGEST)),
        ("100000000000000000000", "100E", str(LARGEST)),
        ("1e40", "10e39", str(LARGEST)),
        ("1000000000000000000000000", "1", str(LARGEST)),
        ("1e99999999999999999999", None, str(LARGEST)),
    ],
    ids=repr,
)
def test_where_the_server_and_windlass_differ_about_a_quantity(
    server: Server, text: str, told: str | None, ours: str | None
) -> None:
    """Without digits it is nothing to us, beyond 63 bits the most that there is, and its text is canonical."""
    assert server.quantities(text) == (None if told is None else [told])
    assert canonical(text) == ours


ZONES = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
TIMES = st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31), timezones=ZONES)  # noqa: DTZ001 - zones are drawn


@pytest.mark.property
@given(acquired=TIMES, renewed=TIMES)
def test_a_time_comes_back_as_it_went(server: Server, acquired: datetime, renewed: datetime) -> None:
    assert server.lease_times(acquired, renewed) == (acquired, renewed)
