from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Final

from typing_extensions import override

from windlass.api import Selection
from windlass.kinds.core.v1 import Secret
from windlass.operators.pagerduty.controllers.chain import run_chain
from windlass.operators.pagerduty.controllers.subject import R, Subject
from windlass.operators.pagerduty.controllers.token import token_secret
from windlass.reconcile import Follow, Reconciler, Watch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.operators.pagerduty.adapter import Adapter
    from windlass.operators.pagerduty.controllers.subject import Desk, Subroutine
    from windlass.operators.pagerduty.options import PagerDutyOptions
    from windlass.reconcile import Context, Result, Source

SECRETS: Final = Selection(fields="type=Opaque")
"""Tokens and keys lie in these; releases of Helm and tokens of accounts need not be in memory."""


class Upkeep(Reconciler[R]):
    """Keeps an object of PagerDuty as its resource says: a chain of subroutines, and another to delete it."""

    first_retry = timedelta(seconds=1)  # each run may call PagerDuty
    adapter: ClassVar[Adapter]
    chain: ClassVar[Sequence[Subroutine]]
    farewell: ClassVar[Sequence[Subroutine]]

    def __init__(self, desk: Desk, *, sources: Sequence[Source] = ()) -> None:
        self._desk = desk
        self.sources = tuple(sources)
        self.follows = (Follow(self.of, desk.census.see),)
        self.reads = (*self.watches(desk.options), *_operator_secret(desk.options))

    @classmethod
    def watches(cls, options: PagerDutyOptions) -> tuple[Watch[Any], ...]:
        """What wakes an object, given how the operator is set up."""
        return (Watch(Secret, by=lambda each: token_secret(each, options), selection=SECRETS),)

    @override
    async def reconcile(self, resource: R, ctx: Context) -> Result[Any]:
        return await run_chain(self.chain, self._subject(resource, ctx), ctx)

    @override
    async def finalize(self, resource: R, ctx: Context) -> Result[Any]:
        return await run_chain(self.farewell, self._subject(resource, ctx), ctx)

    def _subject(self, resource: R, ctx: Context) -> Subject[R]:
        return Subject(resource, self.adapter, self._desk, ctx.now)


def _operator_secret(options: PagerDutyOptions) -> tuple[Watch[Any], ...]:
    """The Secret of the operator's own token, which may lie where it does not look otherwise."""
    secret = options.token_secret
    if secret is None:
        return ()
    only = Selection(namespace=secret.namespace, fields=f"metadata.name={secret.name}")
    return (Watch(Secret, by=lambda each: token_secret(each, options), selection=only),)
