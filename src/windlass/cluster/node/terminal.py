from __future__ import annotations

from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.apiserver.kubelet import Console

if TYPE_CHECKING:
    from collections.abc import Iterator

_PROMPT: Final = b"/ # "
_ENTER: Final = b"\r\n"
_INTERRUPT, _END, _BACKSPACES = 0x03, 0x04, (0x08, 0x7F)


class Terminal(Console):
    """A person at a terminal: they see what they type, can correct it, and send it line by line.

    Ctrl-C drops the line, Ctrl-D on an empty one ends the input.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._line = bytearray()
        self._typed: Iterator[int] = iter(())
        self._is_over = False

    @override
    async def read(self) -> bytes:
        if self._is_over:
            return b""
        await self._console.write(_PROMPT)
        while (byte := await self._next()) is not None:
            if byte in _ENTER:
                await self._console.write(_ENTER)
                line, self._line = bytes(self._line), bytearray()
                return line + b"\n"
            await self._type(byte)
        self._is_over = True
        return b""

    async def _next(self) -> int | None:
        """What is typed next; None once they have nothing more to say."""
        byte = next(self._typed, None)
        if byte is None:
            self._typed = iter(await self._console.read())
            byte = next(self._typed, None)
        return None if byte == _END and not self._line else byte

    @override
    async def write(self, data: bytes, *, error: bool = False) -> None:
        await self._console.write(data.replace(b"\n", _ENTER))  # a terminal has one stream

    @override
    async def resized(self) -> tuple[int, int]:
        return await self._console.resized()

    async def _type(self, byte: int) -> None:
        if byte == _INTERRUPT:
            self._line.clear()
            await self._console.write(b"^C" + _ENTER + _PROMPT)
        elif byte in _BACKSPACES:
            if self._line:
                del self._line[-1]
                await self._console.write(b"\b \b")
        elif byte != _END:
            self._line.append(byte)
            await self._console.write(bytes([byte]))
