"""What `kubectl get` prints, and metadata alone: the forms that a server turns objects into on request.

A `Layout` says which columns a kind has and what stands in them; built-in kinds have theirs here, custom
resources bring the columns of their definition.

    layout = builtin_layout("apps", "Deployment")
    table([deployment], {"resourceVersion": "7"}, layout, now)

Everything is a pure function of objects and a moment. Which form is wanted is for the caller to find out.
"""

from windlass.apiserver.table.builtin import builtin_layout
from windlass.apiserver.table.custom import CustomLayout
from windlass.apiserver.table.form import TableForm, partial, partial_list, table
from windlass.apiserver.table.layout import Column, KindLayout, Layout

__all__ = [
    "Column",
    "CustomLayout",
    "KindLayout",
    "Layout",
    "TableForm",
    "builtin_layout",
    "partial",
    "partial_list",
    "table",
]
