"""What is particular to the built-in kinds: what the server sets on them, keeps of them, and gives back."""

from windlass.apiserver.kind.fact import DEPRECATED
from windlass.apiserver.kind.registry import traits_of

__all__ = ["DEPRECATED", "traits_of"]
