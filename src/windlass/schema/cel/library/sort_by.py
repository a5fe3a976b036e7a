"""`self.items.sortBy(item, item.name)`: the list is bound to a name, and sorted by the list of its keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.schema.cel.ast import Call, Comprehension, Identifier, ListLiteral, Select
from windlass.schema.cel.declare import Macro
from windlass.schema.cel.parse import Fold, collected, variable

if TYPE_CHECKING:
    from windlass.schema.cel.ast import Expression
    from windlass.schema.cel.parse import Expander

_INPUT: Final = "@__sortBy_input__"
_UNUSED: Final = "#unused"


def _sort_by(expander: Expander, call: Call) -> Expression:
    if not isinstance(call.target, (ListLiteral, Select, Identifier, Comprehension, Call)):
        if call.target is None:
            raise AssertionError("sortBy is a macro of members only")
        message = "sortBy can only be applied to a list, identifier, comprehension, call or select expression"
        raise expander.error(call.target, message)
    name = variable(expander, call.arguments[0], "argument is not an identifier")
    keys = expander.loop(expander.identifier(_INPUT), (name,), collected(expander, call.arguments[1], None))
    fold = Fold(
        start=call.target,
        condition=expander.literal(False),  # noqa: FBT003 - the constant `false`
        step=expander.identifier(_INPUT),
        result=expander.call("@sortByAssociatedKeys", keys, target=expander.identifier(_INPUT)),
        accumulator=_INPUT,
    )
    return expander.loop(expander.sequence(), (_UNUSED,), fold)


SORT_BY: Final = Macro("sortBy", 2, member=True, expand=_sort_by)
