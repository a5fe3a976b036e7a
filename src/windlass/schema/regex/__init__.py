r"""Regular expressions as Go's `regexp` package knows them, which the patterns of a schema are written in.

Python's `re` has another syntax, and some expressions keep it busy for hours on a short text. `Regex` takes
what Go takes, refuses the rest in Go's words, and reads each character of a text once:

    compiled("^[a-z]+$").search("abc")

`find` tells where, as Go does, but knows no groups. A script (`\p{Greek}`) is told by the Unicode names of
its characters, which is not quite Unicode's own table of scripts.
"""

from windlass.schema.regex.automaton import Regex as Regex
from windlass.schema.regex.automaton import compiled as compiled

__all__ = ["Regex", "compiled"]
