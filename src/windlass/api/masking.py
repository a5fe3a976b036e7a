"""Texts without the values of the Secrets that the running code has read."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from codecs import getincrementaldecoder
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import quote, quote_plus

from windlass.api.uncached import is_mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MASK: Final = "***"
"""Stands for a value of a Secret."""

WITHHELD: Final = "(withheld: more values of Secrets were read than can be masked)"
"""Stands for a whole text."""

_SHORTEST: Final = 6
_LONGEST: Final = 4096
_BEGINNING: Final = 240  # a multiple of 3, as base64 counts
_MOST_VALUES: Final = 10_000
_MOST_BYTES: Final = 16_000_000
_PROBE: Final = 6
_FEW_PROBES: Final = 64
_PROBED: Final = 48  # bytes that decide all probes of a value; a multiple of 3, so that base64 has no rest
_WORDS: Final = ("cluster.local", "default", "kube-node-lease", "kube-public", "kube-system", "localhost")


class _Value(NamedTuple):
    """A value to be masked, and what it reads as, if it is a text.

    Of one that `is_cut`, only the beginning is known; whatever follows that in a text is masked, too.
    """

    content: bytes
    text: str | None
    is_cut: bool

    @property
    def beginning(self) -> _Value:
        """As much of it as decides where a text may hold it."""
        return _Value(self.content[:_PROBED], None if self.text is None else self.text[:_PROBED], self.is_cut)


class _Noted(NamedTuple):
    """A value as it stands in a Secret, perhaps its beginning alone."""

    value: str
    is_encoded: bool
    is_cut: bool

    @property
    def content(self) -> bytes:
        """The bytes that it means."""
        if self.is_encoded:
            with suppress(ValueError):  # else no server sent it
                return b64decode(self.value)
        return self.value.encode(errors="surrogatepass")


class SecretValues:
    """The values of Secrets that a run has read, and texts without them.

    `public` are names that texts show anyway: a value that is a part of one is not masked. Neither is a value
    that is a part of the name of its own Secret or namespace, equals the key of a value, or has less than
    6 bytes. Until a text has to be masked, a value costs no more than its place in a dictionary.

    It may be used by several threads.
    """

    def __init__(self, public: Iterable[str] = ()) -> None:
        self._public = (*_WORDS, *public)
        self._keys: set[str] = set()
        self._noted: dict[_Noted, tuple[str, str]] = {}
        self._bytes = 0
        self._learned = 0
        self._probes: dict[str, list[_Value]] = {}
        self._widths: tuple[int, ...] = ()
        self._lock = Lock()

    def __bool__(self) -> bool:
        """Whether there is anything to mask."""
        return bool(self._noted)

    def note(self, secret: Mapping[str, Any]) -> None:
        """Mask the values of a Secret, given as it stands on the wire, from now on."""
        metadata = secret.get("metadata") or {}
        names = str(metadata.get("name", "")), str(metadata.get("namespace", ""))
        with self._lock:
            for field, is_encoded in (("data", True), ("stringData", False)):
                values = secret.get(field)
                for key, value in values.items() if isinstance(values, dict) else ():
                    self._keys.add(key)
                    if isinstance(value, str) and not is_mark(value):
                        self._keep(value, names, is_encoded=is_encoded)

    def mask(self, text: str) -> str:
        """Return a text with `***` in place of each value."""
        if not text or not self._noted:
            return text
        with self._lock:
            if len(self._noted) > _MOST_VALUES or self._bytes > _MOST_BYTES:
                return WITHHELD
            if self._learned < len(self._noted):
                self._learn()
            return self._masked(text)

    def _keep(self, value: str, names: tuple[str, str], *, is_encoded: bool) -> None:
        is_cut = len(value) > (_LONGEST * 4 // 3 if is_encoded else _LONGEST)
        if is_cut:
            value = value[: _BEGINNING * 4 // 3 if is_encoded else _BEGINNING]
        noted = _Noted(value, is_encoded, is_cut)
        if noted not in self._noted and len(self._noted) <= _MOST_VALUES and self._bytes <= _MOST_BYTES:
            self._noted[noted] = names
            self._bytes += len(value)

    def _learn(self) -> None:
        """Work out how the texts begin that stand for the values that are new."""
        for noted, names in list(self._noted.items())[self._learned :]:
            content = noted.content
            bare = content.lstrip() if noted.is_cut else content.strip()
            if len(bare) < _SHORTEST or self._is_public(bare, names):
                continue
            known = [_Value(bare, _read(bare, is_cut=noted.is_cut), noted.is_cut)]
            if content != bare:  # whose text is no other, but for the space around it
                known.append(_Value(content, None, noted.is_cut))
            for value in known:
                for probe in {form[:_PROBE] for form in _forms(value.beginning)}:
                    self._probes.setdefault(probe, []).append(value)
        self._learned = len(self._noted)
        self._widths = tuple(sorted({len(probe) for probe in self._probes}, reverse=True))

    def _is_public(self, content: bytes, names: tuple[str, str]) -> bool:
        text = content.decode(errors="replace")
        return text in self._keys or any(text in word for word in (*self._public, *names))

    def _masked(self, text: str) -> str:
        probes = self._probes
        if len(probes) <= _FEW_PROBES and not any(probe in text for probe in probes):
            return text
        parts, begin, at = [], 0, 0
        while at < len(text):
            end = self._end_of_value(text, at)
            if end:
                parts += [text[begin:at], MASK]
                begin = at = end
            else:
                at += 1
        return "".join([*parts, text[begin:]]) if parts else text

    def _end_of_value(self, text: str, at: int) -> int:
        """Return where the longest value ends that begins here; 0 if none does."""
        end = 0
        for width in self._widths:
            for value in self._probes.get(text[at : at + width], ()):
                for form in _forms(value):
                    if text.startswith(form, at):
                        end = max(end, len(text) if value.is_cut else at + len(form))
        return end


_values: ContextVar[SecretValues | None] = ContextVar("windlass_secret_values", default=None)


@contextmanager
def masking_secrets(*public: str) -> Iterator[SecretValues]:
    """Mask in this task, for the length of a block, the values of the Secrets that are read within it.

    Tasks and threads that are started in the block go on to do so after its end.
    """
    values = SecretValues(public)
    token = _values.set(values)
    try:
        yield values
    finally:
        _values.reset(token)


def note_secret(secret: Mapping[str, Any]) -> None:
    """Take note that a Secret was read or is about to be written, given as it stands on the wire."""
    values = _values.get()
    if values is not None:
        values.note(secret)


def notes_secrets() -> bool:
    """Whether the running code has read a Secret whose values are to be masked."""
    values = _values.get()
    return values is not None and bool(values)


def mask(text: str) -> str:
    """Return a text without the values of the Secrets that the running code has read."""
    values = _values.get()
    return text if values is None else values.mask(text)


def mask_all(value: Any) -> Any:
    """Return plain data with every text in it masked; of anything else, the masked text if it has a value."""
    if _values.get() is None or value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return mask(value)
    if type(value) is dict:
        return {mask_all(name): mask_all(each) for name, each in value.items()}
    if type(value) in (list, tuple):
        return type(value)(mask_all(each) for each in value)
    try:
        text = str(value)
    except Exception:  # noqa: BLE001 - a class of another library; there is no text to mask
        return value
    masked = mask(text)
    return value if masked == text else masked


def _read(content: bytes, *, is_cut: bool) -> str | None:
    """Return what bytes read as; None if they are no text. The cut may have parted the last character."""
    try:
        return getincrementaldecoder("utf-8")().decode(content, not is_cut)
    except UnicodeDecodeError:
        return None


def _forms(value: _Value) -> Iterator[str]:
    """The texts that stand for a value: itself, as JSON, Python and URLs write it, and as base64."""
    if value.text is not None:
        yield from _text_forms(value.text)
    if value.text is None or not value.text.isascii():
        yield "".join([repr(bytes((each,)))[2:-1] for each in value.content])
    for encoded in (b64encode(value.content).decode(), *_inner_base64(value)):
        yield from _base64_forms(encoded)


def _text_forms(text: str) -> Iterator[str]:
    yield text
    if text.isascii() and text.isalnum():
        return
    yield json.dumps(text)[1:-1]
    yield json.dumps(text, ensure_ascii=False)[1:-1]
    yield quote(text, safe="", errors="replace")
    yield quote(text, errors="replace")
    yield quote_plus(text, errors="replace")
    python = "".join([repr(each)[1:-1] for each in text])
    yield python
    yield python.replace("'", "\\'")


def _inner_base64(value: _Value) -> Iterator[str]:
    """What base64 of a longer text holds that has the value in it, at each place where it may begin."""
    for before in range(3):
        encoded = b64encode(b"\0" * before + value.content).decode()
        yield encoded[-(-before * 8 // 6) : (before + len(value.content)) * 8 // 6]


def _base64_forms(encoded: str) -> Iterator[str]:
    plain = encoded.rstrip("=")
    web = plain.replace("+", "-").replace("/", "_")
    yield encoded
    yield plain
    if web != plain:
        yield web + encoded[len(plain) :]
        yield web
