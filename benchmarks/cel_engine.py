"""One CEL engine on every case: run by the Python of an environment that has that engine, and nothing else.

python cel_engine.py ENGINE < cases.json > answers.json
"""

import base64
import importlib
import json
import os
import re
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

Variables = dict[str, Any]
Program = Callable[[Variables], Any]
Compile = Callable[[str], Program]

KEYWORDS = (
    "as break const continue else false for function if import in let loop namespace null package return"
)
RESERVED = frozenset(f"{KEYWORDS} true var void while".split())
UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


def celpy() -> Compile:
    """cel-python, in Python."""
    engine = importlib.import_module("celpy")
    types = importlib.import_module("celpy.celtypes")
    environment = engine.Environment()

    def typed(value: Any) -> Any:
        match value:
            case dict():
                return types.MapType({types.StringType(name): typed(each) for name, each in value.items()})
            case list():
                return types.ListType([typed(each) for each in value])
            case bytes():
                return types.BytesType(value)
        return engine.json_to_cel(value)

    def compiled(rule: str) -> Program:
        program = environment.program(environment.compile(rule))
        return lambda variables: bool(program.evaluate({k: typed(v) for k, v in variables.items()}))

    return compiled


def cel_expr() -> Compile:
    """cel-expr-python, around Google's cel-cpp, with each of its libraries that Kubernetes has too."""
    engine = importlib.import_module("cel_expr_python.cel")
    libraries = ("lists", "optional", "sets", "strings", "two-var-comprehensions")
    config = "name: trial\nextensions:\n" + "".join(f"- name: {library}\n" for library in libraries)
    environment = engine.NewEnv(
        config=engine.NewEnvConfigFromYaml(config),
        variables={"self": engine.Type.DYN, "oldSelf": engine.Type.DYN},
    )

    def compiled(rule: str) -> Program:
        program = environment.compile(rule)

        def evaluate(variables: Variables) -> Any:
            result = program.eval(data=variables)
            if result.type() == engine.Type.ERROR:
                raise ValueError(result.value())
            return result.value()

        return evaluate

    return compiled


def cel_rust() -> Compile:
    """common-expression-language, around the Rust crate `cel`, with the functions that it adds in Python."""
    engine = importlib.import_module("cel")
    add_functions = importlib.import_module("cel.stdlib").add_stdlib_to_context

    def compiled(rule: str) -> Program:
        program = engine.compile(rule)

        def evaluate(variables: Variables) -> Any:
            context = engine.Context(variables)
            add_functions(context)
            return program.execute(context)

        return evaluate

    return compiled


def python_cel() -> Compile:
    """python-cel, around a Rust parser and evaluator of its own."""
    engine = importlib.import_module("cel")

    def compiled(rule: str) -> Program:
        program = engine.Program(rule)
        return lambda variables: program.execute(engine.Context(variables))

    def steadied(rule: str) -> Program:
        program = compiled(rule)

        def evaluate(variables: Variables) -> Any:
            try:
                return program(variables)
            except BaseException as panic:
                if type(panic).__name__ != "PanicException":  # of Rust; no Exception, and cannot be imported
                    raise
                raise ValueError("it panics") from panic

        return evaluate

    return steadied


ENGINES: dict[str, Callable[[], Compile]] = {
    "cel-python": celpy,
    "cel-expr-python": cel_expr,
    "common-expression-language": cel_rust,
    "python-cel": python_cel,
}


def bound(schema: dict[str, Any], value: Any) -> Any:
    """The value as the server gives it to CEL: names escaped, strings of some formats as what they mean."""
    if isinstance(value, dict):
        known, other = schema.get("properties", {}), schema.get("additionalProperties")
        named = {escaped(name): bound(known[name], each) for name, each in value.items() if name in known}
        if isinstance(other, dict):
            named |= {name: bound(other, each) for name, each in value.items() if name not in known}
        return named
    if isinstance(value, list):
        return [bound(schema["items"], each) for each in value]
    match schema.get("format"), value:
        case (("date" | "date-time"), str()):
            moment = datetime.fromisoformat(value)
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        case "duration", str():
            parts = re.findall(r"([\d.]+)(h|ms|us|ns|m|s)", value)
            return timedelta(seconds=sum(float(number) * UNITS[unit] for number, unit in parts))
        case "byte", str():
            return base64.b64decode(value)
    return value


def escaped(name: str) -> str:
    """A field's name as rules spell it."""
    if name in RESERVED:
        return f"__{name}__"
    for sign, word in (("__", "underscores"), (".", "dot"), ("-", "dash"), ("/", "slash")):
        name = name.replace(sign, f"__{word}__")
    return name


def verdict(program: Program, variables: Variables) -> tuple[str, str]:
    """Accepted, refused, or an error with what the engine says of it."""
    try:
        answer = program(variables)
    except Exception as error:  # noqa: BLE001 - each engine has errors of its own, some without a common class
        return "error", str(error)
    if answer is True:
        return "accepted", ""
    return ("refused", "") if answer is False else ("error", f"the rule gives {answer!r}")


def answer(compiled: Compile, case: dict[str, Any]) -> dict[str, Any]:
    """What the engine says of a case, and how long each step took in seconds."""
    start = time.perf_counter()
    try:
        program = compiled(case["rule"])
    except Exception as error:  # noqa: BLE001 - see above
        message = f"does not compile: {error}"
        return {
            "compile": time.perf_counter() - start,
            "verdicts": [["error", message] for _ in case["values"]],
        }
    spent = time.perf_counter() - start
    verdicts, evaluating = [], 0.0
    for tried in case["values"]:
        variables = {"self": bound(case["schema"], tried["value"])}
        if tried["old"] is not None:
            variables["oldSelf"] = bound(case["schema"], tried["old"])
        start = time.perf_counter()
        verdicts.append(verdict(program, variables))
        evaluating += time.perf_counter() - start
    return {"compile": spent, "evaluate": evaluating, "verdicts": verdicts}


def resident() -> float:
    """The memory of this process, in MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main(engine: str) -> None:
    """Answer the cases on standard input."""
    before, start = resident(), time.process_time()
    compiled = ENGINES[engine]()
    cost = {"cpu": time.process_time() - start}
    cost["memory_mb"] = resident() - before
    cases = json.load(sys.stdin)
    json.dump({"import": cost, "cases": [answer(compiled, case) for case in cases]}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
