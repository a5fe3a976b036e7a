"""Values of Secrets that a reconcile has read stay out of what others see of it."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import pytest

from operating import install, operating
from polling import soon, until
from widget import Widget, WidgetStatus
from windlass.api import Key, ObjectMeta, Selection, Untyped
from windlass.client import Client, ClientOptions, JsonPatch, MergePatch, WriteOptions
from windlass.cluster import Cluster
from windlass.controller import plan
from windlass.errors import Terminal
from windlass.kinds.core.v1 import ConfigMap, Secret
from windlass.kinds.events.v1 import Event
from windlass.manager import LogOptions, configure_logging
from windlass.reconcile import Context, Digest, Index, Owns, Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from operating import Operating

WORD = "correct horse"  # by a name, so that no other line of source has it
ENCODED = b64encode(WORD.encode()).decode()
DIGEST: Digest[Secret, int] = Digest(Secret, lambda secret: len(secret.data))
ALL: Index[Secret] = Index(Secret, lambda _: "all")
AnySecret = Untyped.of(Secret.__kind__)


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Log as `windlass run` does, for the length of a test."""
    root, level = logging.getLogger(), logging.getLogger().level
    before = list(root.handlers)
    stream = io.StringIO()
    configure_logging(LogOptions(level="debug", format="json", stream=stream))
    yield stream
    root.handlers[:] = before
    root.setLevel(level)
    logging.captureWarnings(capture=False)


class Acting(Reconciler[Widget]):
    owns: Any = (ConfigMap,)
    reads: Any = (Watch(Secret, by=lambda widget: widget.spec.secret_name), Watch(AnySecret))
    indexes: Any = (ALL,)

    def __init__(self, act: Callable[[Widget, Context], Awaitable[Any]]) -> None:
        self._act = act

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        result = await self._act(resource, ctx)
        return result if isinstance(result, Result) else Result.ready()


class Owning(Acting):
    owns: Any = (Owns(Secret), ConfigMap)
    reads: Any = ()


async def password_of(ctx: Context) -> str:
    found = await ctx.get(Secret, "token")
    assert found is not None
    return found.data["password"].decode()


async def shown_of(operator: Operating, reason: str) -> str:
    """Everything that others see of an object, once its condition has this reason."""
    widget = await operator.ready(reason=reason)
    await operator.quiet()
    journal = operator.manager.journal.find(name="w")
    return json.dumps([widget.to_wire(), journal], default=str, ensure_ascii=False)


async def get(ctx: Context) -> None:
    await ctx.get(Secret, "token")


async def get_untyped(ctx: Context) -> None:
    await ctx.get(AnySecret, "token")


async def live_get(ctx: Context) -> None:
    await ctx.live.get(Secret, "token", "default")


async def live_list(ctx: Context) -> None:
    await ctx.live.list(Secret, "default")


async def digests(ctx: Context) -> None:
    await ctx.digests(DIGEST, index=ALL, value="all")


async def listed(ctx: Context) -> None:
    await ctx.list(Secret)


async def beside(ctx: Context) -> None:
    await asyncio.create_task(ctx.get(Secret, "token"))


async def in_a_thread(ctx: Context) -> None:
    await ctx.thread(asyncio.run, _nothing())
    await get(ctx)


async def _nothing() -> None:
    return


@pytest.mark.parametrize(
    "read", [get, get_untyped, live_get, live_list, digests, listed, beside, in_a_thread]
)
async def test_a_value_is_known_however_it_was_read(read: Callable[[Context], Awaitable[None]]) -> None:
    async def act(_: Widget, ctx: Context) -> Result[Any]:
        await read(ctx)
        return Result.waiting("Refused", f"the password {WORD} is wrong, as is {ENCODED}")

    async with operating(Acting(act)) as operator:
        await make_secret(operator)
        await operator.make(secret_name="token")
        shown = await shown_of(operator, "Refused")

    assert "the password *** is wrong, as is ***" in shown
    assert WORD not in shown


async def make_secret(operator: Operating) -> None:
    metadata = ObjectMeta(name="token", namespace="default")
    await operator.client.create(Secret(metadata=metadata, string_data={"password": WORD}))


async def apply_data(ctx: Context) -> None:
    await ctx.apply(Secret(metadata=ObjectMeta(name="made"), data={"password": WORD.encode()}))


async def apply_text(ctx: Context) -> None:
    await ctx.apply(Secret(metadata=ObjectMeta(name="made"), string_data={"password": WORD}))


async def apply_untyped(ctx: Context) -> None:
    made = AnySecret(metadata=ObjectMeta(name="made"))
    made["stringData"] = {"password": WORD}
    await ctx.apply(made, owned=False)


async def apply_in_vain(ctx: Context) -> None:
    metadata = ObjectMeta(name="made", namespace="nowhere")
    await ctx.apply(Secret(metadata=metadata, string_data={"password": WORD}), owned=False)


async def create(ctx: Context) -> None:
    metadata = ObjectMeta(generate_name="made-")
    await ctx.create(Secret(metadata=metadata, data={"password": WORD.encode()}), owned=False)


async def merge(ctx: Context) -> None:
    await ctx.patch(Secret, "nothing", MergePatch({"stringData": {"password": WORD}}))


async def operations(ctx: Context) -> None:
    await ctx.patch(Secret, "nothing", JsonPatch([{"op": "add", "path": "/data/password", "value": ENCODED}]))


async def whole_data(ctx: Context) -> None:
    patch = JsonPatch([{"op": "add", "path": "/data", "value": {"password": ENCODED}}])
    await ctx.patch(Secret, "nothing", patch)


WRITES = [apply_in_vain, apply_data, apply_text, apply_untyped, create, merge, operations, whole_data]


@pytest.mark.parametrize("write", WRITES)
async def test_a_value_is_known_that_was_written_even_in_vain(
    write: Callable[[Context], Awaitable[None]],
) -> None:
    async def act(_: Widget, ctx: Context) -> None:
        try:
            await write(ctx)
        except Exception as error:
            raise Terminal("Failed", f"{error}: {WORD}") from error
        raise Terminal("Failed", f"made: {WORD}")

    class Writing(Owning):
        owns: Any = (Secret, Owns(AnySecret))

    async with operating(Writing(act)) as operator:
        await operator.make()
        shown = await shown_of(operator, "Failed")

    assert ": ***" in shown
    assert WORD not in shown
    assert ENCODED not in shown


async def told_of(operator: Operating, *reasons: str) -> dict[str, str]:
    """The notes of the events by their reasons, once there are all of these."""
    found = await until(
        lambda: operator.client.list(Event, "default"),
        lambda found: set(reasons) <= {each.reason for each in found},
    )
    return {str(each.reason): str(each.note) for each in found}


async def test_conditions_events_effects_and_the_journal_are_masked() -> None:
    async def act(widget: Widget, ctx: Context) -> Result[Any]:
        password = await password_of(ctx)
        ctx.event("Tried", f"logged in with {password}", warning=True)
        await ctx.progress("Trying", f"with {password}")
        await ctx.apply(ConfigMap(metadata=ObjectMeta(name="w"), data={"login": f"root:{password}"}))
        await ctx.effect(f"log in with {password}", _nothing)
        raise RuntimeError(f"refused {password}")

    async with operating(Acting(act)) as operator:
        await make_secret(operator)
        await operator.make(secret_name="token")
        shown = await shown_of(operator, "ReconcileFailed")
        events = await told_of(operator, "Tried", "ReconcileFailed")
        settings = await operator.client.get(ConfigMap, "w", "default")

    assert WORD not in shown
    assert "refused ***" in shown
    assert "log in with ***" in shown
    assert "root:***" in shown
    assert events["Tried"] == "logged in with ***"
    assert events["ReconcileFailed"] == "refused ***"
    assert settings.data == {"login": f"root:{WORD}"}  # what is written is data


async def test_progress_is_masked() -> None:
    seen: list[str] = []

    async def act(widget: Widget, ctx: Context) -> None:
        await ctx.progress("Trying", f"with {await password_of(ctx)}")
        live = await ctx.live.get(Widget, "w", "default")
        seen.extend(each.message for each in live.status.conditions)

    async with operating(Acting(act)) as operator:
        await make_secret(operator)
        await operator.make(secret_name="token")
        await operator.ready()

    assert set(seen) == {"with ***"}


async def test_a_value_as_a_reason_is_another_reason_that_the_server_takes() -> None:
    async def act(widget: Widget, ctx: Context) -> Result[Any]:
        ctx.event(WORD.replace(" ", ""), "an event")
        return Result.waiting(WORD.replace(" ", ""), "hm")

    async def with_secret(widget: Widget, ctx: Context) -> Result[Any]:
        await ctx.get(Secret, "token")
        return await act(widget, ctx)

    async with operating(Acting(with_secret)) as operator:
        metadata = ObjectMeta(name="token", namespace="default")
        word = WORD.replace(" ", "")
        await operator.client.create(Secret(metadata=metadata, string_data={"password": word}))
        await operator.make(secret_name="token")
        shown = await shown_of(operator, "Masked")
        events = await told_of(operator, "Masked")

    assert word not in shown
    assert set(events) == {"Masked"}


async def test_the_status_that_code_returns_is_data() -> None:
    async def act(widget: Widget, ctx: Context) -> Result[Any]:
        return Result.ready(WidgetStatus(note=await password_of(ctx)))

    async with operating(Acting(act)) as operator:
        await make_secret(operator)
        await operator.make(secret_name="token")
        widget = await operator.ready()
        await operator.quiet()
        journal = json.dumps(operator.manager.journal.find(name="w"), default=str)

    assert widget.status.note == WORD
    assert WORD not in journal


async def test_the_name_of_the_object_is_left_in_messages() -> None:
    async def act(widget: Widget, ctx: Context) -> Result[Any]:
        await ctx.get(Secret, "token")
        return Result.waiting("Named", "default/my-widget is not token, but other-value")

    async with operating(Acting(act)) as operator:
        metadata = ObjectMeta(name="token", namespace="default")
        values = {"a": "my-widget", "b": "default", "c": "other-value"}
        await operator.client.create(Secret(metadata=metadata, string_data=values))
        await operator.make("my-widget", secret_name="token")
        widget = await operator.ready("my-widget", "Named")

    assert widget.status.conditions[0].message == "default/my-widget is not token, but ***"


def refuse(password: str) -> None:
    try:
        dict[str, str]()[password]
    except KeyError as error:
        raise ValueError("no login") from error


async def test_logs_of_the_reconcile_and_of_others_within_it_are_masked(lines: io.StringIO) -> None:
    async def act(widget: Widget, ctx: Context) -> None:
        password = await password_of(ctx)
        ctx.log.info("have %s", password)
        ctx.log.info("with a field", extra={"login": {"password": password}})
        logging.getLogger("some.library").warning("sent %r", {"password": password})
        await ctx.thread(logging.getLogger("in.thread").info, "sent %s", password)
        refuse(password)

    async with operating(Acting(act)) as operator:
        await make_secret(operator)
        await operator.make(secret_name="token")
        await operator.ready(reason="ReconcileFailed")
        await operator.quiet()

    text = lines.getvalue()
    found = [json.loads(line) for line in text.splitlines()]
    assert WORD not in text
    assert {"have ***", "sent ***", "sent {'password': '***'}"} <= {each["msg"] for each in found}
    assert any(each.get("login") == {"password": "***"} for each in found)
    trace = next(each for each in found if each["msg"] == "Reconciler error")
    assert trace["error"] == "ValueError: no login"
    assert "KeyError: '***'" in trace["stacktrace"]


async def test_a_program_with_logging_of_its_own_has_the_same_lines_of_windlass(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def act(widget: Widget, ctx: Context) -> None:
        ctx.log.warning("have %s", await password_of(ctx))
        raise ValueError(await password_of(ctx))

    async with operating(Acting(act)) as operator:
        await make_secret(operator)
        await operator.make(secret_name="token")
        await operator.ready(reason="ReconcileFailed")
        await operator.quiet()

    assert "have ***" in caplog.text
    assert "ValueError: ***" in caplog.text
    assert WORD not in caplog.text


async def test_a_mapper_that_fails_for_a_secret_does_not_tell_its_values(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def mapper(secret: Secret) -> Any:
        raise ValueError(f"no user for {secret.data['password'].decode()}")

    class Mapping(Acting):
        reads: Any = (Watch(Secret, to=mapper, selection=Selection(values=True)),)
        indexes: Any = (Index(Secret, mapper),)

    async def act(widget: Widget, ctx: Context) -> None:
        return None

    async with operating(Mapping(act)) as operator:
        await operator.make()
        await operator.ready()
        await make_secret(operator)
        await soon(lambda: "its mapper raised an error" in caplog.text)

    assert caplog.text.count("ValueError: no user for ***") >= 2  # of the mapper, and of the index
    assert WORD not in caplog.text


async def test_the_next_run_knows_nothing_of_the_values_of_the_last_one() -> None:
    async def act(widget: Widget, ctx: Context) -> Result[Any]:
        if widget.spec.color:
            await ctx.get(Secret, "token")
        return Result.waiting(f"Size{widget.spec.size}", f"{WORD}")

    async with operating(Acting(act)) as operator:
        await make_secret(operator)
        await operator.make(secret_name="token", color="red")
        first = await operator.ready(reason="Size1")
        patch = MergePatch({"spec": {"color": "", "size": 2}})
        await operator.client.patch(Widget, "w", patch, "default")
        second = await operator.ready(reason="Size2")

    assert first.status.conditions[0].message == "***"
    assert second.status.conditions[0].message == WORD


async def test_what_a_digest_knows_already_is_known_to_the_next_run_too() -> None:
    async def act(widget: Widget, ctx: Context) -> Result[Any]:
        await ctx.digests(DIGEST, index=ALL, value="all")
        return Result.waiting(f"Size{widget.spec.size}", WORD)

    async with operating(Acting(act)) as operator:
        await make_secret(operator)
        await operator.make(secret_name="token")
        await operator.ready(reason="Size1")
        await operator.client.patch(Widget, "w", MergePatch({"spec": {"size": 2}}), "default")
        second = await operator.ready(reason="Size2")

    assert second.status.conditions[0].message == "***"


async def test_a_plan_is_masked() -> None:
    async def act(widget: Widget, ctx: Context) -> None:
        password = await password_of(ctx)
        await ctx.apply(ConfigMap(metadata=ObjectMeta(name="w"), data={"login": [f"root:{password}"][0]}))
        await ctx.effect(f"log in with {password}", _nothing)

    async with Cluster() as cluster:
        client = Client(cluster.transport(), ClientOptions(write=WriteOptions(field_manager="windlass")))
        await install(client)
        metadata = ObjectMeta(name="token", namespace="default")
        await client.create(Secret(metadata=metadata, string_data={"password": WORD}))
        spec = {"secretName": "token"}
        await client.create(
            Widget.from_wire({"metadata": {"name": "w", "namespace": "default"}, "spec": spec})
        )
        planned = await plan(Acting(act), client, Key("default", "w"))

    text = str(planned)
    assert WORD not in f"{text} {planned!r}"
    assert "effect: log in with ***" in text
    assert "root:***" in text
    assert planned.ends == "what follows depends on the outcome of: log in with ***"
