from __future__ import annotations

import gzip
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from windlass._collector import collector_at_rest
from windlass.apiserver.access import Gate
from windlass.apiserver.dispatch import Dispatcher
from windlass.apiserver.exchange import BROKEN_ESCAPE, Cut, Reply, User
from windlass.apiserver.failure import report
from windlass.apiserver.negotiate import negotiate_status
from windlass.apiserver.refusal import Refusal, Unknown
from windlass.apiserver.resource import Catalog
from windlass.apiserver.route import route
from windlass.apiserver.store import Unwritable
from windlass.apiserver.upkeep import Upkeep
from windlass.apiserver.verb.answer import written
from windlass.apiserver.warning import warning_headers
from windlass.apiserver.world import World

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from windlass.apiserver.access import Audit
    from windlass.apiserver.exchange import Call
    from windlass.apiserver.fault import Injector
    from windlass.apiserver.route import Route
    from windlass.apiserver.store import Journal, Store
    from windlass.apiserver.verb.operation import View
    from windlass.pki import KeyPair

_COMPRESSED_FROM: Final = 128 * 1024
_LONGEST_ID: Final = 64
_OLD_VERBS: Final = frozenset({"proxy", "watch"})
"""What stood in a path before what it was about; with nothing after it, a path makes no sense."""
_UNCLEAR: Final = (
    'Internal Server Error: "{0}": failed to create RequestInfo: '
    "unable to determine kind and namespace from url, {0}\n"
)
FAULTS_PATH: Final = "/windlass/faults"
"""Where those who may say what is to go wrong; no request to it ever does."""
LARGEST_BODY: Final = 3 * 2**20
"""The most bytes that a request may bring."""


@dataclass(frozen=True, kw_only=True)
class ServerOptions:
    """What a server is given: its world, the bearer tokens of its users, and the key for its own tokens.

    `upkeep`: whether quotas are counted and roles that are made of others made, as controllers of a real
    cluster do. Without it a quota limits what its status says, which is nothing before somebody writes it,
    and `admin`, `edit` and `view` allow nothing.
    `service_accounts`: whether a pod needs a ServiceAccount, which a controller of a real cluster makes.
    """

    world: World = field(default_factory=World)
    tokens: Mapping[str, User] = field(default_factory=dict)
    signing_key: KeyPair | None = None
    upkeep: bool = True
    service_accounts: bool = False


class ApiServer:
    """An API server: a request goes in, an answer comes out, whatever carries the two.

    It belongs to one event loop. What an answer shows, the store's journal has kept, if there is one.
    """

    def __init__(self, options: ServerOptions | None = None) -> None:
        options = options or ServerOptions()
        self.world = options.world
        self._journal = self.world.store.journal
        self.catalog = Catalog()
        self._gate = Gate(self.world, options.tokens, options.signing_key)
        upkeep = Upkeep(self.world, self.catalog) if options.upkeep else None
        self._dispatcher = Dispatcher(self.world, self.catalog, self._gate, upkeep)
        self._faults: Injector | None = None
        with collector_at_rest():  # a tenth of the time that this takes
            from windlass.apiserver.bootstrap import bootstrap

            bootstrap(self.world, self.catalog, service_accounts=options.service_accounts)
            if upkeep is not None:
                upkeep.begin()

    @property
    def audit(self) -> Audit:
        """What the server is asked, decides and answers: `with server.audit.recording(1000) as events`."""
        return self._gate.audit

    @property
    def faults(self) -> Injector:
        """What is to go wrong: `with server.faults.applied(Faults(busy=0.1))`."""
        if self._faults is None:
            from windlass.apiserver.fault import Injector  # who wants no faults does not pay for them

            self._faults = Injector(self.world)
        return self._faults

    @property
    def is_faulty(self) -> bool:
        """Whether something is to go wrong at present."""
        return self._faults is not None and self._faults.is_on

    async def handle(self, call: Call) -> Reply:
        """The answer to a request; what goes wrong is answered too.

        Raises:
            Cut: the connection is to break, as `faults` have it.
        """
        if "%" in call.path and BROKEN_ESCAPE.search(call.path):
            return _unreadable()
        audit = self._gate.audit
        if audit.is_on:
            call.record = audit.begin(call)
        try:
            reply = await self._answer(call)
            if self._journal is not None:
                await self._keep(reply, self._journal)
        except Unwritable as error:
            reply = _refused(call, Refusal.internal(str(error)))
        except Cut:
            if call.record is not None:
                self._finish(call, reply := Reply())
                audit.tell_cut(call, reply, call.record)
            raise
        except Exception as error:  # noqa: BLE001 - whatever is wrong here, the client is owed an answer
            reply = _refused(call, report(call, error))
        self._finish(call, reply)
        if call.record is not None:
            audit.tell(call, reply, call.record)
        return reply

    def close(self) -> None:
        """End the watches that are being read, as a server does that shuts down."""
        self.world.store.dismiss()
        if self._faults is not None:
            self._faults.clear()  # or those that are silent would never know

    async def _keep(self, reply: Reply, journal: Journal) -> None:
        """Wait until everything is kept that an answer can show: its own write, and what others wrote."""
        store = self.world.store
        await journal.durable(store.revision)
        if reply.chunks is not None:
            reply.chunks = _kept(reply.chunks, store, journal)

    async def _answer(self, call: Call) -> Reply:
        try:
            return await self._carried_out(call)
        except Unknown as unknown:
            return Reply.text(unknown.message, 404)
        except Refusal as refusal:
            return _refused(call, refusal)

    async def _carried_out(self, call: Call) -> Reply:
        watching = call.query.flag("watch")
        found = route(call.method, call.path, watching=watching)
        if found is not None and found.plural in _OLD_VERBS and not found.name:
            return Reply.text(_UNCLEAR.format(call.path), 500)
        call.user = self._gate.identify(call, found)
        self._gate.admit(call, found)
        if len(call.body) > LARGEST_BODY:
            raise Refusal(413, f"Request entity too large: limit is {LARGEST_BODY}")
        if found is None and call.path == FAULTS_PATH:
            from windlass.apiserver.fault.control import answer_control

            return answer_control(call, self.faults)
        if self._faults is not None and self._faults.is_on:
            return await self._faults.befall(call, found, self._serve)
        if found is None:
            return self._dispatcher.document(call)
        return await self._dispatcher.resource(call, found)

    async def _serve(self, call: Call, found: Route | None, view: View | None) -> Reply:
        if found is None:
            return self._dispatcher.document(call)
        return await self._dispatcher.resource(call, found, view)

    def _finish(self, call: Call, reply: Reply) -> None:
        headers = reply.headers
        headers.setdefault("cache-control", "no-cache, private")
        headers["audit-id"] = call.headers.get("audit-id", "")[:_LONGEST_ID] or self.world.uid()
        if reply.content_type:
            headers.setdefault("content-type", reply.content_type)
        if call.warnings:
            reply.warnings = warning_headers(call.warnings)
        if len(reply.body) > _COMPRESSED_FROM and "gzip" in _encodings(call):
            reply.body = gzip.compress(reply.body, 1)
            headers["content-encoding"] = "gzip"
            headers["vary"] = ", ".join(filter(None, ["Accept-Encoding", headers.get("vary")]))


async def _kept(
    chunks: AsyncGenerator[bytes, None], store: Store, journal: Journal
) -> AsyncGenerator[bytes, None]:
    """Each piece of an answer when everything is kept that it can show; if that fails, the answer ends."""
    async with aclosing(chunks):
        async for chunk in chunks:
            try:
                await journal.durable(store.revision)
            except Unwritable:
                return
            yield chunk


def _unreadable() -> Reply:
    """What is answered to a path that is none, before anybody asks who sent it."""
    headers = {"content-type": "text/plain; charset=utf-8", "connection": "close"}
    return Reply(status=400, body=b"400 Bad Request", headers=headers)


def _refused(call: Call, refusal: Refusal) -> Reply:
    """A refusal in the form that was asked for, as far as there is one."""
    if call.record is not None:
        call.record.status = refusal.status
    form = negotiate_status(call.headers.get("accept", ""))
    reply = written(form, call, refusal.status, refusal.code)
    reply.headers.update(refusal.headers)
    return reply


def _encodings(call: Call) -> list[str]:
    return [part.split(";")[0].strip() for part in call.headers.get("accept-encoding", "").split(",")]
