"""The commands that the pages mention, at a prompt and in their prose."""

from __future__ import annotations

import re
import shlex
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import readme

if TYPE_CHECKING:
    from collections.abc import Iterator

_PLACEHOLDER = re.compile(r"[A-Z]+|…|<.*>")
_HISTORY = "CHANGELOG.md"


class Mention(NamedTuple):
    """A command without its program, and the page that has it."""

    page: str
    words: tuple[str, ...]


def mentions(program: str) -> list[Mention]:
    """What the pages have people type after the name of a program; what changed once may be gone since."""
    found = {
        Mention(page, tuple(words[1:]))
        for page in readme.pages()
        if page != _HISTORY
        for text in (*_spans(page), *(command for command, _ in readme.dialogue(page)))
        for words in _simple(text)
        if words[0] == program
    }
    return sorted(found)


def is_placeholder(word: str) -> bool:
    """Whether readers put something else in its place: `NAME`, `…`."""
    return _PLACEHOLDER.fullmatch(word) is not None


def _spans(page: str) -> Iterator[str]:
    """What stands in backticks, on one line or two."""
    for paragraph in readme.prose(page).split("\n\n"):
        for _, span in re.findall(r"(`+)(.+?)\1", paragraph, re.DOTALL):
            yield " ".join(span.split())


def _simple(text: str) -> Iterator[list[str]]:
    """The simple commands of a line of shell, without what is assigned before them."""
    uncommented = re.sub(r"\s#.*", "", text)
    lexer = shlex.shlex(uncommented, posix=True, punctuation_chars=True)
    lexer.commenters = ""
    lexer.wordchars += "[]…:@%,+"
    try:
        words = list(lexer)
    except ValueError:  # an apostrophe in something that is no command
        return
    for is_operator, group in groupby(words, lambda word: set(word) <= set("();<>|&")):
        command = list(group)
        while command and re.match(r"\w+=", command[0]):
            del command[0]
        if command and not is_operator:
            yield command
