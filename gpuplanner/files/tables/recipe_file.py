"""Recipes as JSON files, and files read by the steps of a recipe."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, get_type_hints

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Issue
from gpuplanner.files.sources.issue_texts import issue_message
from gpuplanner.files.sources.source import Source, as_csv
from gpuplanner.files.system.output_file import unreadable
from gpuplanner.files.tables.delimited import header_columns
from gpuplanner.files.tables.fields import FIELDS
from gpuplanner.files.tables.layout import SAMPLE_ROWS, layout_of
from gpuplanner.files.tables.recipe import (
    ColumnsToRows,
    FillDown,
    HeaderRow,
    PercentOnTop,
    Recipe,
    RecipeTable,
    Reword,
    SkipRows,
    Step,
    TableStep,
    apply_recipe,
    table_of,
)
from gpuplanner.files.tables.small_table import TableRead, Value
from gpuplanner.lazy_dataclass import fields, replace

NAMES: Final[Mapping[str, type[TableStep]]] = {
    "header_row": HeaderRow,
    "skip_rows": SkipRows,
    "fill_down": FillDown,
    "reword": Reword,
    "percent_on_top": PercentOnTop,
    "columns_to_rows": ColumnsToRows,
}
"""Steps by their name in JSON."""
KINDS: Final = ("contracts", "prices", "users", "sites")
VERSION: Final = 1


def recipe_json(recipe: Recipe) -> dict[str, Any]:
    """Return a recipe as a JSON object: version, kind, steps."""
    return {"recipe": VERSION, "kind": recipe.kind, "steps": [*map(_step_json, recipe.steps)]}


def _step_json(step: Step) -> object:
    """Return a step as JSON: words of --map as text, others as {name: values}."""
    if isinstance(step, str):
        return step
    name = next(name for name, kind in NAMES.items() if isinstance(step, kind))
    values = {part.name: getattr(step, part.name) for part in fields(type(step))}
    stated = {key: value for key, value in values.items() if value or key == "becomes"}
    return {name: {key: [*value] if isinstance(value, tuple) else value for key, value in stated.items()}}


def read_recipe(path: str) -> Recipe:
    """Read a recipe from a JSON file. Errors: PlannerError file_missing, file_unreadable."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise PlannerError(path, "file_missing", worded("file not found"), worded("check the path")) from None
    except (OSError, UnicodeError):
        raise _bad(path, worded("it cannot be read as UTF-8 text")) from None
    try:
        value = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        raise _bad(path, worded("it is no JSON")) from None
    return recipe_of(value, path)


def recipe_of(value: object, path: str) -> Recipe:
    """Return the recipe of a JSON value. path: for errors. Errors: PlannerError file_unreadable."""
    if not isinstance(value, dict) or value.get("recipe") != VERSION or value.get("kind") not in KINDS:
        raise _bad(
            path, worded("it has no recipe of version {version} and a known kind", version=str(VERSION))
        )
    steps = value.get("steps")
    if not isinstance(steps, list):
        raise _bad(path, worded("it has no list of steps"))
    return Recipe(kind=value["kind"], steps=tuple(_step_of(step, path) for step in steps))


def _step_of(value: object, path: str) -> Step:
    """Return a step. Errors: PlannerError file_unreadable."""
    if isinstance(value, str) and "=" in value:
        return value
    if isinstance(value, dict) and len(value) == 1:
        ((name, values),) = value.items()
        kind = NAMES.get(name)
        if kind is not None and isinstance(values, dict):
            wanted = get_type_hints(kind)
            given: dict[str, Any] = {
                key: _value_of(values[key], wanted[key]) for key in values if key in wanted
            }
            if len(given) == len(values) and None not in given.values():
                try:
                    return kind(**given)
                except TypeError:  # a value is missing
                    pass
    raise _bad(path, worded("unknown step {step}", step=json.dumps(value)[:80]))


def _value_of(value: object, wanted: object) -> object:
    """Return a value in the type of a step's field; None if it is of another."""
    if wanted is int:
        return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
    if wanted is str:
        return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None
    is_texts = isinstance(value, list) and value and all(isinstance(text, str) for text in value)
    return tuple(value) if is_texts and isinstance(value, list) else None


def _bad(path: str, problem: Message) -> PlannerError:
    """Return the error for a file that is no recipe."""
    return unreadable(path, problem, worded("export the recipe again"))


class RecipeSource(NamedTuple):
    """A file after the steps of a recipe, and the lines that these skipped."""

    source: Source
    skipped: Sequence[int]


def with_recipe(source: Source, recipe: Recipe) -> RecipeSource:
    """Return a file after the steps of a recipe that change its table; as it is without any.

    Errors: PlannerError missing_column, file_unreadable.
    """
    if not recipe.table_steps:
        return RecipeSource(source, ())
    layout = layout_of(source, recipe.kind) if recipe.kind in FIELDS else None
    delimiter = header_columns(source.head).delimiter if layout is None else layout.delimiter
    with source.rows(delimiter) as rows:
        table = apply_recipe(table_of(rows, recipe), recipe)
    first = [[*table.headings], *([*cells] for _, cells in table.rows[:SAMPLE_ROWS])]
    lines = table.rows[-1][0] if table.rows else table.header_row
    changed = replace(source, head=as_csv(first), opened=partial(_opened, table), lines=lines)
    return RecipeSource(changed, table.skipped)


@contextmanager
def _opened(table: RecipeTable) -> Iterator[Iterator[tuple[int, list[str]]]]:
    """Open the rows of a table, its headings first."""
    yield iter([(table.header_row, [*table.headings]), *((line, [*cells]) for line, cells in table.rows)])


def of_recipe(read: TableRead[Value], recipe: Recipe, skipped: Sequence[int]) -> TableRead[Value]:
    """Return what was read by a recipe: skipped rows are counted as ignored, and its facts have the recipe."""
    known = [issue for issue in read.intake.issues if issue.code == NOT_A_ROW]
    others = tuple(issue for issue in read.intake.issues if issue.code != NOT_A_ROW)
    count = len(skipped) + sum(issue.count for issue in known)
    lines = [*skipped, *(issue.first_row for issue in known if issue.first_row is not None)]
    issues = (Issue(NOT_A_ROW, count, min(lines), issue_message(NOT_A_ROW)),) if count and lines else ()
    intake = replace(
        read.intake,
        rows_read=read.intake.rows_read + len(skipped),
        rows_ignored=read.intake.rows_ignored + len(skipped),
        issues=others,
        facts=(*read.intake.facts, ("recipe", recipe_json(recipe))),
    )
    return replace(read, intake=intake).with_issues(issues)


NOT_A_ROW: Final = "not_a_row"
"""The issue of rows that are skipped."""
