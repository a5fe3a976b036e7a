"""Log records without the values of the Secrets that the running code has read."""

from __future__ import annotations

import logging
import traceback
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.api.masking import mask, mask_all, notes_secrets

if TYPE_CHECKING:
    from collections.abc import Callable

_STANDARD: Final = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"}


class SecretFilter(logging.Filter):
    """Mask the values of the Secrets that a reconcile has read in what is logged while it runs.

    Add it to the handlers of a program that configures logging itself; `windlass run` does it, and so do the
    loggers of Windlass. It drops no record, and changes one in place: its message, its exception with all
    that caused it, and its further fields.
    """

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        if not notes_secrets():
            return True
        _mask_message(record)
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            shown = masked_error(error)
            if shown is not error:
                record.exc_info = (type(shown), shown, shown.__traceback__)
        for name in ("exc_text", "stack_info"):
            text = getattr(record, name, None)
            if text:
                setattr(record, name, mask(text))
        for name, value in vars(record).items():
            if name not in _STANDARD:
                setattr(record, name, mask_all(value))
        return True


def _mask_message(record: logging.LogRecord) -> None:
    try:
        message = record.getMessage()
    except Exception:  # noqa: BLE001 - its handlers will find out, too, and print what does not fit
        record.msg, record.args = mask(str(record.msg)), mask_all(record.args)
        return
    masked = mask(message)
    if masked != message:
        record.msg, record.args = masked, None


def masked_logger(name: str) -> logging.Logger:
    """Return the logger of this name, whose own records are masked whatever handles them."""
    logger = logging.getLogger(name)
    if not any(isinstance(each, SecretFilter) for each in logger.filters):
        logger.addFilter(SecretFilter())
    return logger


def masked_error(error: BaseException) -> BaseException:
    """Return an exception that reads like this one, with all that caused it, without values of Secrets.

    It is the same one if there is nothing to mask.
    """
    text = "".join(traceback.format_exception(error))
    return error if mask(text) == text else _stand_in(error, {})


def _stand_in(error: BaseException, made: dict[int, BaseException]) -> BaseException:
    if id(error) in made:
        return made[id(error)]
    if isinstance(error, BaseExceptionGroup):
        parts = [_stand_in(each, made) for each in error.exceptions]
        shown: BaseException = BaseExceptionGroup(mask(error.message), parts)
    else:
        shown = _reading(error, mask(_text_of(error)))
    made[id(error)] = shown
    shown.__traceback__ = error.__traceback__
    shown.__suppress_context__ = error.__suppress_context__
    for name in ("__cause__", "__context__"):
        linked = getattr(error, name)
        if linked is not None:
            suppressed = shown.__suppress_context__
            setattr(shown, name, _stand_in(linked, made))
            shown.__suppress_context__ = suppressed  # which setting a cause changes
    for note in getattr(error, "__notes__", ()):
        shown.add_note(mask(str(note)))
    return shown


def _reading(error: BaseException, text: str) -> BaseException:
    """Make an exception of the same class, if that can be, and name, that has this text."""
    bases: tuple[type[BaseException], ...] = (type(error), Exception)
    if isinstance(error, SyntaxError):  # which is shown by what it holds
        bases = (Exception,)
    for base in bases:
        shown = _made(base, type(error), lambda _: text)
        if shown is not None:
            return shown
    return Exception(f"{type(error).__name__}: {text}")


def _made(
    base: type[BaseException], named: type[BaseException], text: Callable[[BaseException], str]
) -> BaseException | None:
    names = {"__module__": named.__module__, "__qualname__": named.__qualname__}
    try:
        made: type[BaseException] = type(
            named.__name__, (base,), {"__str__": text, "__repr__": text, **names}
        )
        return made.__new__(made)
    except Exception:  # noqa: BLE001 - a class may refuse to be derived from; then another is taken
        return None


def _text_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - as the standard library does where an exception has no text
        return "<exception str() failed>"
