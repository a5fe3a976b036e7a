from __future__ import annotations

import hashlib
import logging
from collections import defaultdict
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from typing_extensions import override

from windlass.reconcile.cause import Cause
from windlass.reconcile.check import check_period
from windlass.reconcile.source import Sink, Source

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

    from windlass.api import Key

T = TypeVar("T")

_LOG = logging.getLogger(__name__)
_LONGEST = timedelta(minutes=10)
_DIGEST_BYTES = 16


class Poll(Source, Generic[T]):
    """Asks an outside system again and again, and wakes the objects whose part of the answer changed.

    `call` returns items, `key_of` says which object each concerns, None for none. What an item was like is
    kept as a digest: an object is woken when its items are new, differ, or are gone, and after the first
    answer once. A call that fails is logged, and tried again ever later, at most ten minutes or `every`; the
    failures that follow are not logged until it has worked again.

        sources = (Poll(api.list_services, timedelta(minutes=1), lambda service: key_by_id[service.id]),)
    """

    def __init__(
        self,
        call: Callable[[], Awaitable[Iterable[T]]],
        every: timedelta,
        key_of: Callable[[T], Key | None],
    ) -> None:
        check_period("Poll", every)
        self._call = call
        self._every = every
        self._key_of = key_of

    @override
    async def run(self, sink: Sink) -> None:
        known: Mapping[Key, bytes] = {}
        failures = 0
        while True:
            try:
                found = self._digests(await self._call())
            except Exception:  # noqa: BLE001 - whatever somebody else's code raises, the next answer may be good
                if not failures:
                    _LOG.warning("a poll failed; it is tried again, ever later", exc_info=True)
                failures += 1
            else:
                if failures:
                    _LOG.info("a poll works again after %d failures", failures)
                failures = 0
                _wake(sink, known, found)
                known = found
            await sink.clock.sleep(self._wait(failures))

    def _wait(self, failures: int) -> timedelta:
        doubled: timedelta = self._every * 2 ** min(failures, 16)
        return min(doubled, max(self._every, _LONGEST))

    def _digests(self, items: Iterable[T]) -> dict[Key, bytes]:
        """One digest for each key, whatever the order in which its items were told."""
        single: dict[Key, list[bytes]] = defaultdict(list)
        for item in items:
            key = self._key_of(item)
            if key is not None:
                single[key].append(_digest(item))
        return {key: _hash(b"".join(sorted(digests))) for key, digests in single.items()}


def _wake(sink: Sink, known: Mapping[Key, bytes], found: Mapping[Key, bytes]) -> None:
    for key, digest in found.items():
        if key not in known:
            sink.wake(key, Cause("poll found it"))
        elif known[key] != digest:
            sink.wake(key, Cause("poll found a change"))
    for key in known:
        if key not in found:
            sink.wake(key, Cause("poll found it gone"))


def _digest(item: Any) -> bytes:
    import orjson

    options = orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS
    return _hash(orjson.dumps(item, default=_plain, option=options))


def _plain(value: Any) -> Any:
    """What JSON does not know, in terms of what it does; for anything else, what it prints as."""
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=repr)
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    return vars(value) if hasattr(value, "__dict__") else repr(value)


def _hash(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_DIGEST_BYTES).digest()
