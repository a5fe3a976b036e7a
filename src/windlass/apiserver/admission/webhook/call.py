"""One call of a webhook: the review that is sent, and what is made of the answer."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import orjson
from typing_extensions import override

from windlass.api import Kind
from windlass.apiserver.admission.request import request_of
from windlass.apiserver.outside import Question, Unreachable, Untrustworthy, read_review
from windlass.apiserver.refusal import Refusal
from windlass.errors import WindlassError

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from windlass.apiserver.admission.review import Review
    from windlass.apiserver.admission.webhook.hook import Hook
    from windlass.apiserver.world import World

Object = dict[str, Any]

_VERSIONS: Final = ("v1", "v1beta1")
_GROUP: Final = "admission.k8s.io"
_KIND: Final = "AdmissionReview"
_ERROR: Final = 400
_JSON_PATCH: Final = "JSONPatch"


class CallFailed(WindlassError):
    """A webhook could not be asked, or its answer is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a webhook says."""

    allowed: bool
    result: Object = field(default_factory=dict)
    patch: bytes = b""
    patch_type: str = ""
    warnings: tuple[str, ...] = ()
    annotations: Object = field(default_factory=dict)


class HookCall(Question):
    """A review that is put to a webhook. The answer is a `Verdict`, or the `CallFailed` that came of it."""

    def __init__(self, hook: Hook, review: Review, *, mutating: bool, turn: int = 0) -> None:
        self._hook = hook
        self._mutating = mutating
        self._request = request_of(review)
        self._turn = turn
        self._version = next((each for each in hook.versions if each in _VERSIONS), "")

    @property
    @override
    def keys(self) -> Sequence[Hashable]:
        return ((self._hook.uid, self._hook.target, self._turn, orjson.dumps(self._request)),)

    @override
    async def ask(self, world: World) -> Sequence[Verdict | CallFailed]:
        try:
            return (await self._answered(world),)
        except CallFailed as failed:
            return (failed,)

    async def _answered(self, world: World) -> Verdict:
        if not self._version:
            raise CallFailed(
                "could not create admission objects: "
                "webhook does not accept known AdmissionReview versions (v1, v1beta1)"
            )
        uid = world.uid()
        review = {
            "kind": _KIND,
            "apiVersion": f"{_GROUP}/{self._version}",
            "request": {"uid": uid, **self._request},
        }
        hook = self._hook
        try:
            answer = await world.network.post(hook.target, orjson.dumps(review), hook.limit, world)
            document = read_review(answer, Kind(_GROUP, self._version, _KIND, "", namespaced=False))
        except Untrustworthy as error:
            raise CallFailed(f"could not get REST client: {error}") from error
        except Unreachable as error:
            raise CallFailed(f"failed to call webhook: {error}") from error
        try:
            return self._verdict(document, uid)
        except CallFailed as failed:
            raise CallFailed(f"received invalid webhook response: {failed}") from failed

    def _verdict(self, review: Object, uid: str) -> Verdict:
        response = review.get("response")
        if response is None:
            raise CallFailed("webhook response was absent")
        if self._version == "v1":
            _check_v1(review, response, uid, mutating=self._mutating)
        patch = base64.b64decode(response.get("patch", "")) if self._mutating else b""
        return Verdict(
            allowed=response.get("allowed", False),
            result=response.get("status") or {},
            patch=patch,
            patch_type=response.get("patchType", "") if self._version == "v1" else _JSON_PATCH,
            warnings=tuple(response.get("warnings", ())),
            annotations=response.get("auditAnnotations", {}),
        )


def seen_in(review: Review, version: str, *, mutating: bool) -> Review:
    """An object in the version that a webhook wants it in; this is before anybody validated the object.

    Raises:
        Refusal: 500, it cannot be converted.
    """
    try:
        return review.seen_in(version)
    except Refusal as refusal:
        if refusal.reason:
            raise
        wrapped = Refusal.internal(refusal.message)
        raise (Refusal.internal(wrapped.message) if mutating else wrapped) from refusal


def tell(review: Review, hook: Hook, verdict: Verdict) -> None:
    """Pass on what a webhook says beside its verdict: warnings, and annotations of the audit trail."""
    for text in verdict.warnings:
        review.operation.call.warn(text)
    for key, value in verdict.annotations.items():
        review.operation.call.annotate(f"{hook.name}/{key}", value)


def refusal_of(hook: Hook, verdict: Verdict) -> Refusal:
    """What somebody is told whom a webhook does not let pass: in its words, and by its code."""
    result = verdict.result
    denied = f'admission webhook "{hook.name}" denied the request'
    said = result.get("message") or result.get("reason")
    message = f"{denied}: {said}" if said else f"{denied} without explanation"
    code = result.get("code", 0)
    return Refusal(max(code, _ERROR), message, result.get("reason", ""), result.get("details"))


def failure_of(hook: Hook, failed: CallFailed) -> Refusal:
    """500: a webhook that must be asked cannot be."""
    return Refusal.internal(f'failed calling webhook "{hook.name}": {failed}')


def check_dry_run(hook: Hook, review: Review) -> None:
    """Refuse a trial that a webhook would act upon.

    Raises:
        Refusal: 400.
    """
    if review.dry_run and not hook.harmless:
        raise Refusal.bad_request(f'admission webhook "{hook.name}" does not support dry run')


def _check_v1(review: Object, response: Object, uid: str, *, mutating: bool) -> None:
    if response.get("uid", "") != uid:
        raise CallFailed(f'expected response.uid="{uid}", got "{response.get("uid", "")}"')
    group, _, version = review.get("apiVersion", "").rpartition("/")
    kind = review.get("kind", "")
    if (group, version, kind) != (_GROUP, "v1", _KIND):
        raise CallFailed(
            f"expected webhook response of {_GROUP}/v1, Kind={_KIND}, got {group}/{version}, Kind={kind}"
        )
    patch, form = response.get("patch"), response.get("patchType")
    if not mutating:
        if patch:
            raise CallFailed("validating webhook may not return response.patch")
        if form is not None:
            raise CallFailed("validating webhook may not return response.patchType")
        return
    if patch and form is None:
        raise CallFailed("webhook returned response.patch but not response.patchType")
    if not patch and form is not None:
        raise CallFailed("webhook returned response.patchType but not response.patch")
    if form == "":
        raise CallFailed(f'webhook returned invalid response.patchType of "{form}"')
