"""What the smallest steps cost."""

from typing import Final

SELECT: Final = 1
LIST: Final = 10
MAP: Final = 30
OBJECT: Final = 40
TEXT_FACTOR: Final = 0.1
"""To read or write a character."""

REGEX_FACTOR: Final = 0.25
"""To have a character in a regular expression: about four make one state of its automaton."""

CHECK: Final = 350_000
"""To ask the authorizer: two questions to an expression."""

REQUIREMENTS_PER_CHARACTER: Final = 0.5
"""A requirement of a selector takes two characters at least: `k,`."""
