"""Conversion by a webhook."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

import orjson
from typing_extensions import override

from windlass.api import Kind
from windlass.apiserver.crd.conversion import Converter
from windlass.apiserver.outside import (
    Question,
    Target,
    Unanswered,
    Unreachable,
    current_answers,
    read_review,
)
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.validation.label import validate_labels
from windlass.apiserver.validation.meta import validate_annotations
from windlass.errors import WindlassError
from windlass.schema import Path, json_kind, type_name

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from windlass.apiserver.world import World

Object = dict[str, Any]

_GROUP: Final = "apiextensions.k8s.io"
_KIND: Final = "ConversionReview"
_VERSIONS: Final = ("v1", "v1beta1")
_LIMIT: Final = timedelta(seconds=30)


class _Failed(WindlassError):
    """A webhook did not convert; the message says why."""


class Webhook(Converter):
    """The strategy `Webhook`: somebody outside converts."""

    faithful = False

    def __init__(self, webhook: Object) -> None:
        self.target = Target.of(webhook["clientConfig"])
        known = (each for each in webhook.get("conversionReviewVersions") or () if each in _VERSIONS)
        self.version = next(known, "")

    @override
    def convert(self, obj: Object, api_version: str) -> Object:
        if obj.keys() == {"kind", "apiVersion"}:  # nobody is asked what becomes of nothing
            return {**obj, "apiVersion": api_version}
        (found,) = current_answers().of(_Conversion(self, [obj], api_version))
        if isinstance(found, _Failed):
            raise Refusal(500, str(found), "") from found
        converted: Object = orjson.loads(found)
        return converted

    @override
    def prepare(self, objects: Iterable[Object], api_version: str) -> None:
        answers = current_answers()
        missing = [
            obj
            for obj in objects
            if obj["apiVersion"] != api_version
            and _Conversion(self, [obj], api_version).keys[0] not in answers
        ]
        if missing:
            raise Unanswered(_Conversion(self, missing, api_version))


class _Conversion(Question):
    """Objects to be converted, in one call. The answers are texts, or the same failure for all of them."""

    def __init__(self, webhook: Webhook, objects: Sequence[Object], api_version: str) -> None:
        self._webhook = webhook
        self._objects = objects
        self._api_version = api_version
        self._keys = [(webhook.target, api_version, orjson.dumps(obj)) for obj in objects]

    @property
    @override
    def keys(self) -> Sequence[Hashable]:
        return self._keys

    @override
    async def ask(self, world: World) -> Sequence[bytes | _Failed]:
        try:
            return await self._converted(world)
        except _Failed as failed:
            return [failed] * len(self._objects)

    async def _converted(self, world: World) -> Sequence[bytes]:
        webhook, first = self._webhook, self._objects[0]
        if not webhook.version:
            raise _Failed("no supported conversion review versions")
        subject = f"conversion webhook for {first['apiVersion']}, Kind={first['kind']}"
        uid = world.uid()
        request = {"uid": uid, "desiredAPIVersion": self._api_version, "objects": self._objects}
        review = {"kind": _KIND, "apiVersion": f"{_GROUP}/{webhook.version}", "request": request}
        kind = Kind(_GROUP, webhook.version, _KIND, "", namespaced=False)
        try:
            answer = await world.network.post(webhook.target, orjson.dumps(review), _LIMIT, world)
            found = _objects_of(read_review(answer, kind), uid, strict=webhook.version == "v1")
        except (Unreachable, _Failed) as error:
            raise _Failed(f"{subject} failed: {error}") from error
        if len(found) != len(self._objects):
            raise _Failed(f"{subject} returned {len(found)} objects, expected {len(self._objects)}")
        for new in found:
            _check_form(new)
        try:
            pairs = zip(self._objects, found, strict=True)
            return [orjson.dumps(_checked(obj, new, self._api_version)) for obj, new in pairs]
        except _Failed as failed:
            raise _Failed(f"{subject} returned invalid {failed}") from failed


def _objects_of(review: Object, uid: str, *, strict: bool) -> Sequence[Any]:
    """The objects of an answer."""
    response = review.get("response")
    if strict:
        group, _, version = review.get("apiVersion", "").rpartition("/")
        kind = review.get("kind", "")
        if (group, version, kind) != (_GROUP, "v1", _KIND):
            got = f"{group}/{version}, Kind={kind}"
            raise _Failed(f"expected webhook response of {_GROUP}/v1, Kind={_KIND}, got {got}")
    if response is None:
        raise _Failed("no response provided")
    if strict and response.get("uid", "") != uid:
        raise _Failed(f'expected response.uid="{uid}", got "{response.get("uid", "")}"')
    result = response.get("result") or {}
    if result.get("status") != "Success":
        said = f"response.result.status was '{result.get('status', '')}', not 'Success'"
        raise _Failed(result.get("message") or said)
    return response.get("convertedObjects") or ()


def _check_form(new: Any) -> None:
    """Refuse what is no object, in the words of Go's decoder and of nobody else."""
    if new is None:
        raise _Failed("unexpected end of JSON input")
    if not isinstance(new, dict):
        raise _Failed(
            f"json: cannot unmarshal {json_kind(new)} into Go value of type map[string]interface {{}}"
        )
    if not new.get("kind"):
        shown = orjson.dumps(new, option=orjson.OPT_SORT_KEYS).decode()
        raise _Failed(f"Object 'Kind' is missing in '{shown}'")


def _checked(obj: Object, new: Object, api_version: str) -> Object:
    """A converted object with the metadata that it had, but for labels and annotations."""
    version, kind = new.get("apiVersion", ""), new.get("kind", "")
    if version != api_version:
        expected = f"(expected {api_version}, received {version})"
        raise _Failed(f"object at index 0: invalid groupVersion {expected}")
    if kind != obj["kind"]:
        raise _Failed(f"object at index 0: invalid kind (expected {obj['kind']}, received {kind})")
    before, after = obj.get("metadata") or {}, new.get("metadata")
    for name, label in (("name", "name"), ("namespace", "namespace"), ("uid", "UID")):
        was, now = before.get(name, ""), (after if isinstance(after, dict) else {}).get(name, "")
        if was != now:
            raise _Failed(f"object: must have the same {label}: {was} != {now}")
    if not isinstance(after, dict):
        raise _Failed("metadata: missing metadata in converted object")
    return {**new, "metadata": _restored(before, after)}


def _restored(before: Object, after: Object) -> Object:
    meta = dict(before)
    for field, check in (("labels", validate_labels), ("annotations", validate_annotations)):
        given = after.get(field)
        if given is None:
            meta.pop(field, None)
            continue
        if not isinstance(given, dict):
            raise _Failed(
                f"metadata: invalid metadata.{field} of type {type_name(given)} in converted object"
            )
        for key, value in given.items():
            if not isinstance(value, str):
                what = f"must be a string, but is {type_name(value)} in converted object"
                raise _Failed(f"metadata: metadata.{field}[{key}] {what}")
        if given != meta.get(field):
            shown = field.replace("annotations", "annotation")  # as it is spelt there
            faults = [str(fault) for fault in check(given, Path("metadata").child(shown))]
            if faults:
                raise _Failed(f"metadata: {faults[0] if len(faults) == 1 else f'[{chr(44).join(faults)}]'}")
        meta[field] = given
    return meta
