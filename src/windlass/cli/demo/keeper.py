from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.api import Key, Selection
from windlass.cli.demo.board import Board, children_by_owner, last_events, line_of
from windlass.cli.demo.cast import ready_condition
from windlass.kinds.apps.v1 import DaemonSet, Deployment
from windlass.kinds.core.v1 import ConfigMap, Secret, Service, ServiceAccount
from windlass.kinds.events.v1 import Event
from windlass.kinds.networking.v1 import Ingress
from windlass.kinds.node.v1 import RuntimeClass
from windlass.operators.ptemplate.simulator import Module
from windlass.reconcile import Context, KeyReconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from windlass.api import Resource
    from windlass.cli.demo.board import Line
    from windlass.cli.demo.cast import Player

_BOARD: Final = Key("", "board")
_CHILDREN: Final = (
    ConfigMap,
    DaemonSet,
    Deployment,
    Ingress,
    Module,
    RuntimeClass,
    Secret,
    Service,
    ServiceAccount,
)
_MARKS: Final = Selection(metadata_only=True)


class BoardKeeper(KeyReconciler):
    """Shows the board anew whenever something on it changes."""

    name = "board"

    def __init__(self, cast: Sequence[Player], show: Callable[[Board], None]) -> None:
        self._cast = cast
        self._show = show
        self._expected = frozenset(each for player in cast for each in player.expected)
        shown = [kind for player in cast for kind in player.shown]
        self.reads = (
            *(Watch(kind, to=_wake) for kind in shown),
            *(Watch(kind, to=_wake, selection=_MARKS) for kind in _CHILDREN),
            Watch(Event, to=_wake),
        )

    @override
    async def reconcile(self, key: Key, ctx: Context) -> Result[Any]:
        children = children_by_owner({kind.__name__: await ctx.list(kind) for kind in _CHILDREN})
        events = last_events(await ctx.list(Event))
        lines: list[Line] = []
        for player in self._cast:
            for kind in player.shown:
                for each in await ctx.list(kind):
                    uid, key = each.metadata.uid, Key(each.metadata.namespace, each.metadata.name)
                    has = ", ".join(filter(None, (children.get(uid), children.get(str(key)))))
                    about = has, events.get(uid, "")
                    lines.append(line_of(player.name, each, ready_condition(kind), *about))
        self._show(Board(lines=lines, expected=self._expected))
        return Result.ready()


def _wake(_: Resource) -> Iterable[Key]:
    return (_BOARD,)
