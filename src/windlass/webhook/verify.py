"""Proof that the API server reaches the webhooks of a deployed operator, by dry runs of sample objects.

A webhook server answers a dry run of this field manager with a warning that names the webhook. So it is seen
which webhooks were called, also where a failure would be ignored.
"""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from windlass.api import Definition, ObjectMeta, Untyped
from windlass.client import NO_RETRY, Client, ListOptions, WriteOptions, find_kind
from windlass.errors import ApiError, Conflict, NotFound
from windlass.webhook.configuration import hooks_of
from windlass.webhook.conversion import Conversion
from windlass.webhook.declare import Webhook
from windlass.webhook.review import VERIFIER
from windlass.webhook.takeover import diverted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Json, Resource
    from windlass.client import Request
    from windlass.webhook.configuration import Part
    from windlass.webhook.place import Place

_NAME: Final = "windlass-verify-"
_SERVER_FAULT: Final = 500
_SOME: Final = 10

Samples = dict[tuple[str, str], "Json"]
"""Sample objects by apiVersion and kind."""


class Verification:
    """Has the API server call each webhook of an operator, and convert an object of each kind.

    `samples` are those of the operator, and `namespace` is where they are created, in dry runs. `unverified`
    are the parts that no dry run reaches, with the reason, once `missing` has returned nothing.
    """

    def __init__(
        self, client: Client, parts: Sequence[Part], place: Place, samples: Samples, namespace: str
    ) -> None:
        self._parts = parts
        self._place = place
        self._samples = samples
        self._namespace = namespace
        self._called: set[str] = set()
        write = WriteOptions(field_manager=VERIFIER, dry_run=True)
        options = replace(client.options, write=write, on_warning=self._note, retry=NO_RETRY)
        self._client = Client(client.transport, options)
        self._real = client
        self.unverified: dict[str, str] = {}

    async def missing(self) -> str:
        """What the API server does not call yet; empty if it calls everything that can be seen to be called.

        Raises:
            ApiError: an object cannot be read.
        """
        if elsewhere := await diverted(self._real, self._parts, self._place):
            return elsewhere
        self.unverified = {}
        guards = [each for each in hooks_of(self._parts) if each not in self._parts]
        for hook in (*self._parts, *(each for each in guards if not each.options.conditions)):
            if isinstance(hook, Webhook) and (problem := await self._webhook(hook)):
                return problem
        for part in self._parts:
            if isinstance(part, Conversion) and (problem := await self._conversion(part)):
                return problem
        return ""

    @property
    def verified(self) -> frozenset[str]:
        """The webhooks and conversions that were seen to answer."""
        return frozenset(self._called)

    async def _webhook(self, hook: Webhook[Any]) -> str:
        """Why a webhook has not been called; empty if it was, or cannot be seen to be."""
        creates = not {"create", "*"}.isdisjoint(hook.verbs)
        outcome = _out_of_reach(hook) or await self._try(hook.of, updates=not creates)
        if hook.name in self._called:
            return ""
        if isinstance(outcome, str):
            return self._give_up(hook.name, outcome)
        if _is_fault(outcome):
            return f"webhook {hook.name} does not answer the API server: {outcome}"
        selects = hook.options.conditions or hook.options.objects or hook.options.namespaces
        if outcome is None and not selects:
            return f"webhook {hook.name} is not called by the API server"
        left_out = "its conditions or selectors leave out the sample"
        return self._give_up(hook.name, f"the sample is refused before: {outcome}" if outcome else left_out)

    async def _conversion(self, part: Conversion[Any]) -> str:
        """Why an object of a kind has not been converted; empty if it was, or cannot be."""
        for kind in part.versions.values():
            said = kind.__definition__ or Definition()
            name = f"conversion of {kind.__kind__}"
            if said.storage or not said.served or name in self._called:
                continue
            outcome = await self._try(kind, updates=False)
            if outcome is None:
                self._called.add(name)
            elif isinstance(outcome, str):
                self._give_up(name, outcome)
            elif _is_fault(outcome):
                return f"{name} fails: {outcome}"
            else:
                self._give_up(name, f"the sample is refused: {outcome}")
        return ""

    async def _try(self, kind: type[Resource], *, updates: bool) -> ApiError | str | None:
        """Create a sample, or update an object, in a dry run; return the refusal, or why there is nothing."""
        known = kind.__kind__
        try:
            served = await find_kind(self._client, known.api_version, known.name)
            if updates:
                return await self._update(served)
            sample = self._samples.get((known.api_version, known.name))
            if sample is None:
                return f"there is no sample of {known}"
            made = served.from_wire(sample)
            made.metadata = ObjectMeta(
                generate_name=_NAME,
                namespace=self._namespace if known.namespaced else "",
                labels=made.metadata.labels,
                annotations=made.metadata.annotations,
            )
            await self._client.create(made)
        except ApiError as error:
            return error
        return None

    async def _update(self, kind: type[Untyped]) -> ApiError | str | None:
        """Write an object back as it is."""
        options = ListOptions(page_size=_SOME)
        async with aclosing(self._client.pages(kind, options=options)) as pages:
            first = await anext(pages)
        for each in first:
            try:
                await self._client.update(each)
            except (Conflict, NotFound):
                continue
            except ApiError as error:
                return error
            return None
        return f"it is called for updates only, and there is no {kind.__kind__.name}"

    def _give_up(self, name: str, why: str) -> str:
        self.unverified[name] = why
        return ""

    def _note(self, _request: Request, text: str) -> None:
        manager, _, name = text.partition(": ")
        if manager == VERIFIER:
            self._called.add(name)


def _out_of_reach(hook: Webhook[Any]) -> str:
    """Why no dry run of an object reaches a webhook; empty if one may."""
    if hook.options.subresource:
        return f"it is about the subresource {hook.options.subresource}"
    if not {"create", "update", "*"} & set(hook.verbs):
        return f"it is called for {' and '.join(hook.verbs)} only"
    return ""


def _is_fault(outcome: ApiError | None) -> bool:
    """Whether a webhook could not be called, rather than the sample be refused."""
    return outcome is not None and outcome.answer.code >= _SERVER_FAULT


def samples_by_kind(documents: Sequence[Json]) -> Samples:
    """The first sample of each version of each kind."""
    found: Samples = {}
    for each in documents:
        found.setdefault((each["apiVersion"], each["kind"]), each)
    return found
