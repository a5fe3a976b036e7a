"""The command line, `windlass`: one group, whose commands are loaded when they are called.

To add a command, write it in a module of this package and name it in `windlass.cli.root`.
"""

from windlass.cli.root import main

__all__ = ["main"]
