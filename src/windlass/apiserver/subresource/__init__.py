"""What stands below an object, beside its status: its scale, and what is done to it.

`handle` answers every verb on every subresource but `/status`, which is a verb on the object itself. Each
subresource is a function of a module of its own, loaded when it is first asked for.
"""

from windlass.apiserver.subresource.registry import handle

__all__ = ["handle"]
