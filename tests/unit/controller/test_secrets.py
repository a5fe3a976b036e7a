"""Values of Secrets in a reconcile: real where an object owns or names them, unreadable elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from operating import operating, operating_again
from polling import soon, until
from widget import Widget, WidgetStatus
from windlass.api import Key, ObjectMeta, Selection, Untyped
from windlass.client import MergePatch
from windlass.errors import NotCachedError
from windlass.kinds.core.v1 import Secret
from windlass.reconcile import Context, Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from operating import Operating
    from windlass.cache import Informer
    from windlass.controller import Run

PASSWORD = b"correct horse battery"
AnySecret = Untyped.of(Secret.__kind__)


class Acting(Reconciler[Widget]):
    owns: Any = (Secret,)

    def __init__(self, act: Callable[[Context], Any]) -> None:
        self._act = act

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        return Result.ready(WidgetStatus(note=str(await self._act(ctx))))


class Naming(Acting):
    owns: Any = ()
    reads: Any = (Watch(Secret, by=lambda widget: widget.spec.secret_name),)


async def keep_password(ctx: Context) -> str:
    """Create a password once, and apply the same value from then on."""
    found = await ctx.get(Secret, "password")
    value = found.data["value"] if found else PASSWORD
    await ctx.apply(Secret(metadata=ObjectMeta(name="password"), data={"value": value}))
    return value.decode()


def informer_of(operator: Operating) -> Informer[Any]:
    (found,) = [each for each in operator.manager.cache.informers if each.kind.__kind__.name == "Secret"]
    return found


def runs(operator: Operating) -> Sequence[Run]:
    return operator.manager.journal.recent()


async def again(operator: Operating) -> Run:
    """Have the object reconciled once more, and return that run."""
    size = (await operator.widget()).spec.size
    await operator.client.patch(Widget, "w", MergePatch({"spec": {"size": size + 1}}), "default")
    await operator.ready()
    await operator.quiet()
    return runs(operator)[0]


async def secret_is(operator: Operating, name: str, data: dict[str, bytes]) -> None:
    """Wait until a Secret has these values and the operator rests."""

    async def is_so() -> bool:
        return (await operator.client.get(Secret, name, "default")).data == data

    await until(is_so)
    await operator.quiet()
    assert await is_so()


async def make_secret(operator: Operating, name: str = "token", value: bytes = b"hunter2") -> Secret:
    metadata = ObjectMeta(name=name, namespace="default")
    return await operator.client.create(Secret(metadata=metadata, data={"value": value}))


async def read_token(ctx: Context) -> str:
    found = await ctx.get(Secret, "token")
    return found.data["value"].decode() if found else "none"


async def test_a_password_that_is_read_and_applied_again_stays_the_same() -> None:
    async with operating(Acting(keep_password)) as operator:
        await operator.make()
        await operator.ready()
        for _ in range(3):
            await again(operator)
            secret = await operator.client.get(Secret, "password", "default")
            assert secret.data == {"value": PASSWORD}
        assert [call for call in operator.writes if "/secrets/" in call] == operator.writes[:1]
        assert informer_of(operator).live_reads == 0


async def test_a_password_survives_a_restart_of_the_operator() -> None:
    async with operating(Acting(keep_password)) as operator:
        await operator.make()
        await operator.ready()
        await operator.stop()
        async with operating_again(operator, Acting(keep_password)):
            await again(operator)
            assert (await operator.client.get(Secret, "password", "default")).data == {"value": PASSWORD}


async def test_a_secret_that_an_object_names_is_read_from_memory_with_its_values() -> None:
    async with operating(Naming(read_token)) as operator:
        await make_secret(operator)
        await operator.make(secret_name="token")
        assert (await operator.ready()).status.note == "hunter2"

        await operator.client.patch(Secret, "token", MergePatch({"stringData": {"value": "new"}}), "default")

        async def is_noted() -> bool:
            return (await operator.widget()).status.note == "new"

        await until(is_noted)
        reads = informer_of(operator).live_reads
        await again(operator)
        assert informer_of(operator).live_reads == reads <= 1


async def test_values_are_not_kept_once_no_object_names_their_secret() -> None:
    async with operating(Naming(read_token)) as operator:
        await make_secret(operator)
        await operator.make(secret_name="token")
        await operator.ready()
        where = Key("default", "token")
        kept = informer_of(operator).snapshot(where)
        assert kept is not None
        assert not kept.is_uncached

        await operator.client.patch(Widget, "w", MergePatch({"spec": {"secretName": ""}}), "default")
        await soon(lambda: (found := informer_of(operator).snapshot(where)) and found.is_uncached)
        released = informer_of(operator).snapshot(where)
        assert released is not None
        assert b"aHVudGVyMg" not in released.raw


async def test_values_of_other_secrets_are_read_from_the_server_and_not_listed() -> None:
    class Reading(Acting):
        owns = ()
        reads = (Watch(Secret),)

    async def act(ctx: Context) -> str:
        (listed,) = await ctx.list(Secret, "default")
        with pytest.raises(NotCachedError, match=r"Secret default/token: the value of 'value' is not cached"):
            listed.data["value"]
        with pytest.raises(NotCachedError):
            await ctx.apply(listed, owned=False)
        return await read_token(ctx)

    async with operating(Reading(act)) as operator:
        await make_secret(operator)
        await operator.make()
        assert (await operator.ready()).status.note == "hunter2"
        assert (await operator.client.get(Secret, "token", "default")).data == {"value": b"hunter2"}


async def test_an_untyped_secret_without_its_values_cannot_be_written_either() -> None:
    class Reading(Acting):
        owns = ()
        reads = (Watch(AnySecret),)

    async def act(ctx: Context) -> str:
        (listed,) = await ctx.list(AnySecret, "default")
        for attempt in (listed["data"].items, lambda: dict(listed["data"]), lambda: listed["data"]["value"]):
            with pytest.raises(NotCachedError):
                attempt()
        with pytest.raises(NotCachedError):
            await ctx.apply(listed, owned=False)
        return "refused"

    async with operating(Reading(act)) as operator:
        await make_secret(operator)
        await operator.make()
        assert (await operator.ready()).status.note == "refused"


async def test_metadata_alone_has_no_values_that_could_be_taken_for_none() -> None:
    class Reading(Acting):
        owns = ()
        reads = (Watch(Secret, selection=Selection(metadata_only=True)),)

    async def act(ctx: Context) -> str:
        (listed,) = await ctx.list(Secret, "default")
        for attempt in (lambda: len(listed.data), lambda: "value" in listed.data, listed.to_wire):
            with pytest.raises(NotCachedError):
                attempt()
        with pytest.raises(NotCachedError, match=r"ctx\.live\.get"):
            await read_token(ctx)
        return (await ctx.live.get(Secret, "token", "default")).data["value"].decode()

    async with operating(Reading(act)) as operator:
        await make_secret(operator)
        await operator.make()
        assert (await operator.ready()).status.note == "hunter2"


async def test_a_secret_of_no_owner_is_applied_and_repaired_without_keeping_its_values() -> None:
    class Applying(Acting):
        owns = ()
        reads = (Watch(Secret, to=lambda _: [Key("default", "w")]),)

    async def act(ctx: Context) -> str:
        wanted = Secret(metadata=ObjectMeta(name="shared"), string_data={"value": "hunter2"})
        return (await ctx.apply(wanted, owned=False)).data["value"].decode()

    async with operating(Applying(act)) as operator:
        await operator.make()
        assert (await operator.ready()).status.note == "hunter2"
        await operator.quiet()
        before = operator.writes
        await again(operator)
        assert [each for each in operator.writes[len(before) :] if "secrets" in each] == []
        assert informer_of(operator).live_reads == 0

        await operator.client.patch(Secret, "shared", MergePatch({"stringData": {"value": "x"}}), "default")
        await secret_is(operator, "shared", {"value": b"hunter2"})


@pytest.mark.parametrize(
    "edit",
    [
        {"stringData": {"password": "mine"}},
        {"data": {"password": "bWluZQ=="}},
        {"data": {"password": None}},
        {"data": None},
    ],
)
@pytest.mark.parametrize("field", ["data", "string_data"])
async def test_values_that_were_edited_or_removed_are_put_back(field: str, edit: dict[str, Any]) -> None:
    values: Any = {"password": "generated", "user": "me"}
    if field == "data":
        values = {name: value.encode() for name, value in values.items()}

    async def act(ctx: Context) -> None:
        await ctx.apply(Secret(metadata=ObjectMeta(name="login"), **{field: values}))

    async with operating(Acting(act)) as operator:
        await operator.make()
        await operator.ready()
        await operator.client.patch(Secret, "login", MergePatch(edit), "default")
        await secret_is(operator, "login", {"password": b"generated", "user": b"me"})


async def test_a_key_of_string_data_that_is_no_longer_wanted_is_removed() -> None:
    names = ["a", "b"]

    async def act(ctx: Context) -> None:
        await ctx.apply(Secret(metadata=ObjectMeta(name="login"), string_data=dict.fromkeys(names, "x")))

    async with operating(Acting(act)) as operator:
        await operator.make()
        await operator.ready()
        names.remove("b")
        await again(operator)
        await secret_is(operator, "login", {"a": b"x"})


async def test_no_value_is_in_the_journal() -> None:
    async def act(ctx: Context) -> None:
        await keep_password(ctx)

    async with operating(Acting(act)) as operator:
        await operator.make()
        await operator.ready()
        edited = MergePatch({"stringData": {"value": "somebody else's"}})
        await operator.client.patch(Secret, "password", edited, "default")
        await operator.quiet()
        await secret_is(operator, "password", {"value": b"somebody else's"})
        told = repr([run.to_dict() for run in runs(operator)])
        for secret in ("correct horse", "Y29ycmVjd", "somebody", "c29tZWJvZHk"):
            assert secret not in told
        assert ".data.value" in told
