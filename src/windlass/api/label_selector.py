from collections.abc import Mapping
from typing import TYPE_CHECKING

from windlass.api.model import Model

if TYPE_CHECKING:
    from windlass.api.selector import Operator, Requirement, Selector


class LabelSelectorRequirement(Model):
    """One term of a label selector, as objects hold it."""

    key: str
    operator: str
    values: list[str] = []


class LabelSelector(Model):
    """A label selector as objects hold it. An empty one selects everything."""

    match_labels: dict[str, str] = {}
    match_expressions: list[LabelSelectorRequirement] = []

    def selector(self) -> "Selector":
        """The selector that this means.

        Raises:
            ValueError: a term cannot be understood; the message says which.
        """
        from windlass.api.selector import Selector  # most who use the model only read and write it

        return Selector(
            (*Selector.of(self.match_labels).requirements, *map(_understand, self.match_expressions))
        )

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether these labels are selected."""
        return self.selector().matches(labels)


def _understand(term: LabelSelectorRequirement) -> "Requirement":
    from windlass.api.selector import Requirement

    known: tuple[Operator, ...] = ("In", "NotIn", "Exists", "DoesNotExist")
    for operator in known:
        if term.operator == operator:
            return Requirement(term.key, operator, tuple(term.values))
    raise ValueError(f"{term.key}: {term.operator!r} is none of {', '.join(known)}")
