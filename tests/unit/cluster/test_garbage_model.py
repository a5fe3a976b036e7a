"""The garbage collector against a model of a few lines: whatever the order, the same objects are left."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from collecting import KINDS, LABEL, ROLE, ByHand
from windlass.api import Key, Kind, Untyped
from windlass.client import Client, DeleteOptions, MergePatch
from windlass.cluster import Cluster
from windlass.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.client import Propagation

NAMESPACES = ("default", "kube-public")
NOBODY = "00000000-0000-4000-8000-000000000000"
_labels = count()


@dataclass
class Thing:
    """An object of the model. `owners` are numbers of others, or None for one that does not exist.

    `beyond` are those which it cannot have, for it lies in no namespace: with one of them it is never garbage.
    """

    kind: Kind
    namespace: str
    name: str
    owners: list[int | None] = field(default_factory=list)
    beyond: set[int] = field(default_factory=set)
    uid: str = ""


def _named(owner: Thing, *, blocking: bool) -> dict[str, Any]:
    """The reference that means an object."""
    kind = {"apiVersion": owner.kind.api_version, "kind": owner.kind.name}
    return {**kind, "name": owner.name, "uid": owner.uid, "blockOwnerDeletion": blocking}


class Model:
    """What should be left: everything but what was deleted, and what has owners of which none is left."""

    def __init__(self) -> None:
        self.things: list[Thing] = []
        self.gone: set[int] = set()

    def delete(self, number: int) -> None:
        self.gone.add(number)
        self.sweep()

    def orphan(self, number: int) -> None:
        for thing in self.things:
            thing.owners = [each for each in thing.owners if each != number]
            thing.beyond.discard(number)
        self.delete(number)

    def sweep(self) -> None:
        """Let everything go that has lost its owners, until nothing more does."""
        while True:
            lost = {
                number
                for number, thing in enumerate(self.things)
                if number not in self.gone and thing.owners and not thing.beyond
                if all(each is None or each in self.gone for each in thing.owners)
            }
            if not lost:
                return
            self.gone |= lost

    def settle(self) -> None:
        """Everything has been collected, and what is left has forgotten the owners that it lost."""
        self.sweep()
        for thing in self.things:
            if not thing.beyond:
                thing.owners = [each for each in thing.owners if each is not None and each not in self.gone]

    def left(self) -> set[str]:
        return {thing.name for number, thing in enumerate(self.things) if number not in self.gone}


class Story:
    """One random history, told to the server and to the model."""

    def __init__(self, client: Client, draw: Callable[[int], int]) -> None:
        self._client = client
        self._draw = draw
        self._label = f"story-{next(_labels)}"
        self.model = Model()
        self.hand = ByHand(client, self._label)

    async def happen(self) -> None:
        for _ in range(self._draw(3) + 1):
            for _ in range(self._draw(8)):
                await self._create()
                await self._go_on()
            for _ in range(self._draw(3)):
                await self._adopt()
                await self._go_on()
            await self._settle()
            await self._delete("Foreground")  # one at a time: two of a circle would wait for each other
            for _ in range(self._draw(4)):
                await self._go_on()
                await self._delete("Background")
            await self._settle()
            if self._draw(2):
                await self._delete("Orphan")
                await self._settle()

    async def _settle(self) -> None:
        await self.hand.settle(self._draw)
        self.model.settle()

    async def names(self) -> set[str]:
        found = [await self._client.list(Untyped.of(kind), labels=f"{LABEL}={self._label}") for kind in KINDS]
        return {each.metadata.name for those in found for each in those}

    async def _go_on(self) -> None:
        """Let the collector do a few steps, of those that it could do."""
        await self.hand.note()
        for _ in range(self._draw(4)):
            steps: list[Kind | Key] = [*self.hand.untold, *self.hand.wanted]
            if not steps:
                return
            await self.hand.step(steps[self._draw(len(steps))])

    async def _create(self) -> None:
        number, kind = len(self.model.things), KINDS[self._draw(len(KINDS))]
        namespace = NAMESPACES[self._draw(5) // 4] if kind.namespaced else ""
        name = f"{self._label}-{number}"
        thing = Thing(kind, namespace, name)
        owners = dict.fromkeys(self._draw(number) for _ in range(min(self._draw(4), number)))
        references = [self._reference(thing, each) for each in owners]
        if thing.beyond:  # else it would hold its owners back for ever
            references = [{**each, "blockOwnerDeletion": False} for each in references]
        metadata = {"name": name, "labels": {LABEL: self._label}, "ownerReferences": references}
        body = {"metadata": {**metadata, **({"namespace": namespace} if namespace else {})}}
        made = await self._client.create(Untyped.of(kind).from_wire(body))
        thing.uid = made.metadata.uid
        self.model.things.append(thing)

    def _reference(self, thing: Thing, number: int) -> dict[str, Any]:
        """A reference to another object, which in one of a few cases means nobody."""
        owner = self.model.things[number]
        reference = _named(owner, blocking=bool(self._draw(3)))
        flaw = self._draw(12)
        if owner.kind.namespaced and thing.kind is ROLE:
            thing.beyond.add(number)
            return reference
        if flaw == 0:
            thing.owners.append(None)
            return {**reference, "uid": f"{NOBODY[:-4]}{number:04}"}
        if flaw == 1 or owner.namespace not in ("", thing.namespace):
            thing.owners.append(None)
            return {**reference, "name": "nobody"} if flaw == 1 else reference
        thing.owners.append(number)
        return reference

    async def _adopt(self) -> None:
        """Have an older object owned by a younger one, which may close a circle."""
        alive = [each for each in range(len(self.model.things)) if self._is_safe(each)]
        if len(alive) < 2:
            return
        older, younger = alive[self._draw(len(alive) - 1)], alive[-1]
        owner, thing = self.model.things[younger], self.model.things[older]
        fits = owner.namespace in ("", thing.namespace) and not (owner.kind.namespaced and thing.kind is ROLE)
        if older == younger or not fits or younger in thing.owners or thing.beyond:
            return
        untyped = Untyped.of(thing.kind)
        live = (await self._client.get(untyped, thing.name, thing.namespace)).to_wire()["metadata"]
        owners = [*(live.get("ownerReferences") or ()), _named(owner, blocking=True)]
        metadata = {"ownerReferences": owners, "resourceVersion": live["resourceVersion"]}
        patch = MergePatch({"metadata": metadata})
        await self._client.patch(untyped, thing.name, patch, thing.namespace)
        thing.owners.append(younger)

    def _is_safe(self, number: int) -> bool:
        """Whether the collector cannot be about to delete an object, whatever it has heard of."""
        self.model.sweep()
        return number not in self.model.gone

    async def _delete(self, propagation: Propagation) -> None:
        if not self.model.things:
            return
        number = self._draw(len(self.model.things))
        thing = self.model.things[number]
        if propagation == "Orphan" and number in self.model.gone:
            return
        try:
            options = DeleteOptions(propagation=propagation, uid=thing.uid)
            await self._client.delete(Untyped.of(thing.kind), thing.name, thing.namespace, options=options)
        except NotFound:
            assert number in self.model.gone
        if propagation == "Orphan":
            self.model.orphan(number)
        else:
            self.model.delete(number)


# As many as `make soak` asks for, and few otherwise: each is a server. Shrinking one would take minutes.
EXAMPLES = settings().max_examples // 5


@pytest.mark.property
@given(data=st.data())
@settings(max_examples=EXAMPLES, phases=[Phase.explicit, Phase.reuse, Phase.generate])
def test_what_is_left_is_what_still_has_an_owner_in_whatever_order_things_happen(data: st.DataObject) -> None:
    def draw(below: int) -> int:
        return data.draw(st.integers(0, below - 1)) if below > 1 else 0

    async def story() -> None:
        async with Cluster() as cluster:
            told = Story(Client(cluster.transport()), draw)
            await told.happen()
            assert await told.names() == told.model.left()

    asyncio.run(story())
