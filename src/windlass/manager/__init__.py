"""One process of an operator: controllers, election, health, metrics and logs under one roof."""

from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.manager.election import Election as Election
    from windlass.manager.election_options import ElectionOptions as ElectionOptions
    from windlass.manager.election_options import ElectionState as ElectionState
    from windlass.manager.election_options import unique_identity as unique_identity

__lazy__ = {
    "Election": "windlass.manager.election",
    "ElectionOptions": "windlass.manager.election_options",
    "ElectionState": "windlass.manager.election_options",
    "unique_identity": "windlass.manager.election_options",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
