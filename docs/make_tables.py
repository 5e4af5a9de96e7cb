"""Write the generated tables of the documentation from the declarations: `python docs/make_tables.py`.

A table is between `<!-- made: NAME -->` and `<!-- end -->`.
"""

import argparse
import ast
import inspect
import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from gpuplanner.cli import arguments
from gpuplanner.domain.figures import subjects
from gpuplanner.domain.figures.figure import Figure, Quantity, leaf
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.assumptions import ASSUMPTIONS, AssumptionSpec, AssumptionValue
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS
from gpuplanner.files.system.resources import rows_of
from gpuplanner.ui.words.commands import COMMANDS
from gpuplanner.ui.words.glossary import TERMS

DOCS: Final = Path(__file__).resolve().parent
Rows = Iterable[tuple[Text, ...]]
MADE: Final = re.compile(r"(<!-- made: ([^>]+?) -->\n).*?(<!-- end -->)", re.S)


# --- Declarations -------------------------------------------------------------------------------


def sentence_of(figure: Figure) -> str:
    """The first sentence of its formula; of an input empty."""
    words = "" if figure.formula is None else inspect.getdoc(figure.formula) or ""
    return words.partition("\n")[0].rstrip(".")


# --- Tables, by name -----------------------------------------------------------------------------


def assumption_rows() -> Rows:
    """Name, title, unit, default and range of every assumption."""
    for spec in ASSUMPTIONS:
        low, high = (shown(spec, bound) for bound in (spec.low, spec.high))
        words = "true, false" if spec.kind == "flag" else ", ".join(spec.choices)
        span = words or f"{low} to {high}".replace("-", "\u2212")
        yield f"`{spec.name}`", spec.title, spec.unit, shown(spec, spec.default), span


def shown(spec: AssumptionSpec, value: AssumptionValue) -> str:
    """A value as `--set` takes it."""
    if value is None:
        return "not set"
    if spec.kind == "flag":
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    return f"{100 * float(value):g}%" if spec.kind == "ratio" else f"{float(value):g}"


def shortcut_rows() -> Rows:
    """The commands of the window that have a shortcut."""
    for command in COMMANDS:
        if command.shortcut:
            yield f"`{command.shortcut}`", command.title.rstrip("\u2026").replace("/", ", ")


def term_rows(group: str) -> Rows:
    """Yield the terms of a part of the glossary of *Help*, each with its meaning."""
    for term in TERMS.values():
        if term.group == group:
            yield term.word, term.meaning


SUBJECTS: Final = {one.name: one for one in subjects.SUBJECTS}


def figure_rows(names: str) -> Rows:
    """Figures of some subjects that have a formula; one of several subjects is shown for the first of them."""
    for name in names.split():
        for figure in SUBJECTS[name].figures:
            if figure.formula is not None and first_subjects()[figure.key, figure.formula] == name:
                unit = str(figure.unit.label).removesuffix(" in the lookback period")
                yield (
                    f"`{figure.key}`{', ' if unit else ''}{unit}",
                    sentence_of(figure),
                    f"`{formula_of(figure)}`",
                    example_of(name, figure),
                )


@cache
def first_subjects() -> dict[tuple[str, Callable[..., object] | None], str]:
    """By key and formula the first subject that has the figure."""
    return {
        (one.key, one.formula): name
        for name, of in reversed(SUBJECTS.items())
        for one in reversed(of.figures)
    }


def figure_sources(names: str) -> str:
    """Modules of the formulas of some subjects, from the package on."""
    modules = {
        one.formula.__module__
        for name in names.split()
        for one in SUBJECTS[name].figures
        if one.formula is not None
    }
    paths = (f"`{module.removeprefix('gpuplanner.').replace('.', '/')}.py`" for module in sorted(modules))
    return f"Source: {', '.join(paths)}.\n"


@cache
def examples() -> dict[str, float]:
    """Inputs of worked examples, by figure or by subject and figure."""
    return tomllib.loads((DOCS / "examples.toml").read_text("utf-8"))


@cache
def worked_example(name: str) -> dict[str, Quantity]:
    """Every figure of a subject, worked out by its formula from the inputs of its example.

    Errors: KeyError for an input that has none.
    """
    subject, given = SUBJECTS[name], examples()
    needed = {key for figure in subject.figures for key in figure.parameters}
    return subject.worked_out(
        {
            figure.key: leaf(
                given.get(f"{name}.{figure.key}", given.get(figure.key)), figure.unit, figure.name
            )
            for figure in subject.figures
            if figure.formula is None and figure.key in needed
        }
    )


def example_of(name: str, figure: Figure) -> str:
    """The formula with the numbers of the example, and its result."""
    found = worked_example(name)
    result = found[figure.key]
    inputs = {key: ast.Name(in_digits(found[key], 6)) for key in figure.parameters}
    return f"{written(Filled(inputs).visit(expression_of(figure)))} = **{in_digits(result)}**"


def in_digits(quantity: Quantity, digits: int = 4) -> str:
    """So many significant digits, or all digits of a whole number."""
    value = quantity.number
    if value is None:
        return "unknown"
    if abs(value) >= 1000 or value == round(value):
        return f"{value:,.0f}".replace("-", "\u2212")
    return f"{value:.{digits}g}".replace("-", "\u2212")


def formula_of(figure: Figure) -> str:
    """A formula in one line, with the signs of arithmetic."""
    return written(expression_of(figure))


def expression_of(figure: Figure) -> ast.expr:
    """What a formula returns: its steps and helpers replaced by their arithmetic, constants by their numbers.

    Errors: ValueError for a formula that does more than assign names and return.
    """
    formula = figure.formula
    (function,) = ast.parse(inspect.getsource(formula) if formula is not None else "").body
    numbers = {name: ast.Name(f"{value:.12g}") for name, value in constants_of(formula).items()}
    steps: dict[str, ast.expr] = {**numbers}
    for line in getattr(function, "body", []):
        if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name):
            steps[line.targets[0].id] = Filled(steps).visit(line.value)
        elif isinstance(line, ast.Return) and line.value is not None:
            result: ast.expr = Filled(steps).visit(line.value)
            return result
    raise ValueError(f"{figure.key}: its formula cannot be written in one line")


def constants_of(formula: Callable[..., object] | None) -> dict[str, float]:
    """Numbers that a formula reads from its module, by name."""
    names: dict[str, object] = getattr(formula, "__globals__", {})
    return {name: value for name, value in names.items() if name.isupper() and isinstance(value, int | float)}


IN_ARITHMETIC: Final = {
    "share": "a / b",
    "share_of": "a / b",
    "share_of_all": "a / b",
    "utilization": "a / b",
    "mean_gpus": "a / b",
    "priced": "a * b",
    "is_below": "a < b",
    "if_any": "b",
    "if_enough": "c",
    "discounted": "(1 + a) ** (-b / 12)",
    "least": "min(a, b)",
    "repaid": "((1 + a) ** (1 / 12) - 1) / (1 - (1 + a) ** (-b / 12))",
}
"""Helpers of formulas as arithmetic, by their first operands a, b and c."""


class Filled(ast.NodeTransformer):
    """Puts expressions in place of names, and arithmetic in place of helpers."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A name becomes its expression."""
        return self.values.get(node.id, node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """A helper becomes its arithmetic. Errors: KeyError for one that has none."""
        operands: list[ast.expr] = [self.visit(one) for one in node.args]
        name = getattr(node.func, "id", "")
        if name == "min":
            return ast.Call(node.func, operands, [])
        tree = ast.parse(IN_ARITHMETIC[name], mode="eval").body
        filled: ast.expr = Filled(dict(zip("abc", operands, strict=False))).visit(tree)
        return filled


def written(tree: ast.expr) -> str:
    """An expression with the signs of arithmetic and thousands parted."""
    words = re.sub(r"(?<![\w.,])\d{4,}(?![\w.,])", lambda found: f"{int(found[0]):,}", ast.unparse(tree))
    for sign, mark in (
        (" * ", " \u00d7 "),
        (" / ", " \u00f7 "),
        (" - ", " \u2212 "),
        (" ** ", "^"),
        ("-", "\u2212"),
    ):
        words = words.replace(sign, mark)
    return words


@cache
def options() -> dict[str, tuple[str, str, tuple[str, ...]]]:
    """Every option as help lists it: how it is written, its help, the commands that take it so.

    The key is the option, followed by its first command where commands explain it in different words.
    """
    found: dict[str, tuple[str, str, tuple[str, ...]]] = {}
    for option in arguments.OPTIONS:
        name = option.form.partition(" ")[0]
        if name.startswith("--"):
            choices = option.how.get("choices")
            value = f" {'|'.join(choices)}" if choices else ""
            value += {"+": "...", 2: f" {option.form.partition(' ')[2]}"}.get(option.how.get("nargs"), "")
            key = name if name not in found else f"{name} {next(iter(option.commands))}"
            found[key] = f"{option.form}{value}", option.said, tuple(option.commands)
    return found


def shared_table(commands: tuple[str, ...]) -> str:
    """The table of an option that several commands take: all, reading or planning; else empty."""
    if len(commands) == len(arguments.COMMANDS):
        return "all"
    if {"reduce", "audit"} <= {*commands} or {"award", "track"} <= {*commands}:
        return "reading"
    return "planning" if {"plan", "award"} <= {*commands} else ""


def option_rows(name: str) -> Rows:
    """The options of a shared table, or those that a command takes and no shared table has."""
    for written, words, commands in options().values():
        shared = shared_table(commands)
        if shared == name:
            yield f"`{written}`", words, "" if name == "all" else ", ".join(commands)
        elif not shared and name in commands:
            yield f"`{written}`", words


def usage_of(command: str) -> str:
    """How a command is called, in one line, and its help."""
    places = [
        f"[{one.form.split()[1]}]" if one.how.get("nargs") == "?" else one.form.split()[1]
        for one in arguments.OPTIONS
        if command in one.commands and not one.form.startswith("-")
    ]
    words = arguments.COMMANDS[command]
    return f"`{' '.join(['gpuplanner', command, *places])} [options]`: {words}.\n"


SEVERITIES: Final = {"red": "Error", "amber": "Warning", "info": "Info"}


def check_rows() -> Rows:
    """Every check code, as `gpuplanner check --explain` has them."""
    for row in sorted(rows_of("check_texts.csv"), key=lambda row: row["code"]):
        yield f"`{row['code']}`", SEVERITIES[row["severity"]], row["meaning"], row["remedy"]


def issue_rows() -> Rows:
    """Every issue code, as `gpuplanner check --explain` has them; some are checks too."""
    both = (row for row in rows_of("check_texts.csv") if row["code"] in ISSUE_TEXTS)
    for row in sorted((*rows_of("code_texts.csv"), *both), key=lambda row: row["code"]):
        yield f"`{row['code']}`", row["meaning"], row["remedy"]


def json_rows() -> Rows:
    """The common fields of JSON documents, with the first value of each in the demo."""
    documents = [
        json.loads((DOCS.parent / "tests/golden/files/demo" / f"{name}.json").read_text("utf-8"))
        for name in ("plan", "audit")
    ]
    for row in rows_of("json_fields.csv"):
        if row["is_common"]:
            found = (one for document in documents for one in values_at(document, row["path"].split(".")))
            value = json.dumps(next(found)).strip('"')
            yield f"`{row['document']}`", f"`{row['path']}`", row["description"], row["unit"], value


def values_at(value: object, path: list[str]) -> Iterator[object]:
    """The values at a path of a document; `[]` at the end of a name means each item."""
    if not path:
        yield value
    elif isinstance(value, dict):
        inner = value.get(path[0].removesuffix("[]"))
        for one in inner if path[0].endswith("[]") and isinstance(inner, list) else (inner,):
            yield from values_at(one, path[1:])


def layer_rows() -> Rows:
    """Which rooms stand on which, by folder, as import-linter has it."""
    settings = tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))
    for contract in settings["tool"]["importlinter"]["contracts"]:
        if contract["type"] == "layers" and contract["containers"] != ["gpuplanner"]:
            folder = contract["containers"][0].removeprefix("gpuplanner.").replace(".", "/")
            yield f"`{folder}`", " > ".join(f"`{layer}`" for layer in contract["layers"])


def room_rows() -> Rows:
    """Every room below the layers, with the first line of its package."""
    for package in sorted((DOCS.parent / "gpuplanner").glob("*/*/**/__init__.py")):
        room = package.parent.relative_to(DOCS.parent / "gpuplanner").as_posix()
        words = ast.get_docstring(ast.parse(package.read_text("utf-8"))) or ""
        yield f"`{room}`", words.partition("\n")[0].rstrip(".")


TABLES: Final[dict[str, tuple[tuple[str, ...], Callable[[], Rows]]]] = {
    "assumptions": (("Name", "Meaning", "Unit", "Default", "Range"), assumption_rows),
    "shortcuts": (("keys", "what they do"), shortcut_rows),
    "checks": (("code", "severity", "meaning", "remedy"), check_rows),
    "issues": (("code", "meaning", "remedy"), issue_rows),
    "json": (("command", "path", "content", "unit", "example"), json_rows),
    "layers": (("in", "rooms and modules, the highest first"), layer_rows),
    "rooms": (("room", "its job"), room_rows),
}


def table_named(name: str) -> str:
    """A table as Markdown, by the name of its marker. Errors: KeyError for a name that there is not."""
    kind, _, path = name.partition(" ")
    if kind == "usage":
        return usage_of(path)
    if kind == "options":
        rows: Rows = [*option_rows(path)]
        head_of: tuple[str, ...] = ("option", "meaning", "commands")[: len(next(iter(rows)))]
    elif kind == "terms":
        head_of, rows = ("term", "meaning"), term_rows(path)
    elif kind == "figures":
        head_of, rows = ("Figure, unit", "Meaning", "Formula", "Example"), figure_rows(path)
    else:
        head_of, make = TABLES[name]
        rows = make()
    cells = [tuple(str(cell).replace("|", "\\|") for cell in row) for row in rows]
    space = "" if kind in ("figures", "assumptions") else " "
    lines = ["|".join(f"{space}{cell}{space}" if cell else " " for cell in row) for row in (head_of, *cells)]
    lines.insert(1, "|".join(("---",) * len(head_of)))
    table = "".join(f"|{line}|\n" for line in lines)
    return f"{table}\n{figure_sources(path)}" if kind == "figures" else table


def made(text: str) -> str:
    """A page with its tables as the declarations have them."""
    return MADE.sub(lambda found: f"{found[1]}\n{table_named(found[2])}\n{found[3]}", text)


def stale() -> list[Path]:
    """The pages with a table that is not as the declarations have it."""
    return [
        page
        for page in sorted(DOCS.rglob("*.md"))
        if made(page.read_text("utf-8")) != page.read_text("utf-8")
    ]


def main() -> int:
    """Write what is stale; with --check only say it. Exit status: 1 where something is stale and was left so."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; say which pages are stale")
    is_check = parser.parse_args().check
    pages = stale()
    for page in pages:
        sys.stdout.write(f"{page.relative_to(DOCS)}\n")
        if not is_check:
            page.write_text(made(page.read_text("utf-8")), "utf-8")
    return int(bool(pages) and is_check)


if __name__ == "__main__":
    sys.exit(main())
