"""Named formats of text: `format.dns1123Label().validate(self.name)`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, Final

from windlass.schema.cel.declare import Library
from windlass.schema.cel.library.own import Own
from windlass.schema.cel.library.signature import function, method, plain
from windlass.schema.cel.library.uri import parse_request_uri
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import STRING, Type, list_of, object_type, optional_of
from windlass.schema.cel.value import NONE, Optional
from windlass.schema.custom.format import judge_of
from windlass.schema.naming import dns_1035_label, dns_label, dns_subdomain, label_key, label_value

FORMAT: Final = object_type("kubernetes.NamedFormat")
_Rule = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Form(Own):
    """A format; `regex_size` is how long its expression is taken to be, by which costs are told."""

    cel_type: ClassVar[Type] = FORMAT
    name: str
    rule: _Rule = field(compare=False)
    regex_size: int = field(compare=False)


def _prefix(rule: _Rule) -> _Rule:
    """A rule for the beginning of a name, which may end in a dash."""
    return lambda text: rule(f"{text[:-2]}a" if len(text) > 1 and text.endswith("-") else text)


def _uri(text: str) -> Sequence[str]:
    try:
        parse_request_uri(text)
    except EvaluationError as error:
        return [str(error)]
    return ()


def _judged(form: str, otherwise: str) -> _Rule:
    def rule(text: str) -> Sequence[str]:
        judge = judge_of(form)
        return () if judge is None or judge(text) else [otherwise]

    return rule


_FORMS: Final = {
    "dns1123Label": Form("DNS1123Label", dns_label, 30),
    "dns1123Subdomain": Form("DNS1123Subdomain", dns_subdomain, 60),
    "dns1035Label": Form("DNS1035Label", dns_1035_label, 30),
    "qualifiedName": Form("QualifiedName", label_key, 60),
    "dns1123LabelPrefix": Form("DNS1123LabelPrefix", _prefix(dns_label), 30),
    "dns1123SubdomainPrefix": Form("DNS1123SubdomainPrefix", _prefix(dns_subdomain), 60),
    "dns1035LabelPrefix": Form("DNS1035LabelPrefix", _prefix(dns_1035_label), 30),
    "labelValue": Form("LabelValue", label_value, 40),
    "uri": Form("URI", _uri, 1103),
    "uuid": Form("uuid", _judged("uuid", "does not match the UUID format"), 70),
    "byte": Form("byte", _judged("byte", "invalid base64"), 84),
    "date": Form("date", _judged("date", "invalid date"), 71),
    "datetime": Form("datetime", _judged("datetime", "invalid datetime"), 71),
}


def _named(name: str) -> Optional:
    form = _FORMS.get(name)
    return NONE if form is None else Optional(form)


def _validate(form: Form, text: str) -> Optional:
    problems = form.rule(text)
    return Optional(list(problems)) if problems else NONE


def _constant(form: Form) -> Form:
    return form


FORMATS: Final = Library(
    "kubernetes.format",
    (
        function(
            "validate", method("format-validate", (FORMAT, STRING), optional_of(list_of(STRING)), _validate)
        ),
        function("format.named", plain("format-named", (STRING,), optional_of(FORMAT), _named)),
        *(
            function(f"format.{name}", plain(f"format.{name}", (), FORMAT, partial(_constant, form)))
            for name, form in _FORMS.items()
        ),
    ),
)
