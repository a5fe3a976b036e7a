from __future__ import annotations

from typing import TYPE_CHECKING, Self

from windlass.errors import WindlassError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Json


class Refusal(WindlassError):
    """The account refuses a request, in PagerDuty's own words: a status, a code, and what is wrong."""

    def __init__(self, status: int, code: int, message: str, errors: Sequence[str] | None = None) -> None:
        super().__init__(f"{status} {message}" + (f": {'; '.join(errors)}" if errors else ""))
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    @property
    def body(self) -> Json:
        """As it goes on the wire; `errors` is left out where PagerDuty leaves it out."""
        error: Json = {"message": self.message, "code": self.code}
        if self.errors is not None:
            error["errors"] = list(self.errors)
        return {"error": error}

    @classmethod
    def invalid(cls, *errors: str) -> Self:
        """400: the request cannot be, for these reasons."""
        return cls(400, 2001, "Invalid Input Provided", errors)

    @classmethod
    def not_found(cls) -> Self:
        """404: no such route, no such object, or a reference to an object that does not exist."""
        return cls(404, 2100, "Not Found")

    @classmethod
    def no_service(cls) -> Self:
        """404 as the routes of dependencies word it, which repeat the status as the code."""
        return cls(404, 404, "Service Not Found", ())

    @classmethod
    def lacking(cls, ability: str) -> Self:
        """402: the account has not paid for this."""
        return cls(402, 2012, "Your account does not have the ability to do this", [f"{ability} is required"])

    @classmethod
    def throttled(cls) -> Self:
        """429: too many requests in this minute."""
        return cls(429, 2020, "Rate Limit Exceeded")

    @classmethod
    def failed(cls, status: int) -> Self:
        """A status that a fault asks for."""
        return cls.throttled() if status == 429 else cls(status, 2000, "Internal Server Error")  # noqa: PLR2004


class UserlessKey(Refusal):
    """`/users/me` asked with a key of the account: the one refusal whose `error` is a text."""

    def __init__(self) -> None:
        super().__init__(400, 2001, "There is no current user: this is an account-level access token")

    @property
    def body(self) -> Json:
        """The text alone."""
        return {"error": self.message}
