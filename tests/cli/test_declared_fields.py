"""A document has the fields that are declared for it: one that a class of results gets besides changes no document."""

import ast
import json
import pkgutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import field, is_dataclass, make_dataclass
from dataclasses import fields as fields_of
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import gpuplanner.cli
import gpuplanner.domain
import gpuplanner.files
from gpuplanner.cli import documents
from gpuplanner.domain.model.book.price_history import PriceMonth
from gpuplanner.domain.reports.report import Column, entry, fields, named
from gpuplanner.domain.serving.calibration import ServingFactor
from tests.golden.projects import PROJECTS

SURPRISE = "surprise"
OF_RESULTS = ("audit", "award", "commitment", "demand", "fit", "serving", "model.book", "model.intake")
CALLS = ("plan", "award", "place", "size_week", "backtest", "flips")
OF_TABLES = {PriceMonth, ServingFactor}
"""Rows of shipped tables, and no results: their fields are the columns that are read."""
ROOT = Path(gpuplanner.domain.__file__).parents[1]


def with_a_surprise(result: Any) -> Any:
    """The same class with one more field."""
    how = result.__dataclass_params__
    more = [(SURPRISE, int, field(default=7))]
    wider: Any = make_dataclass(
        result.__name__,
        more,
        bases=(result,),
        frozen=how.frozen,
        eq=how.eq,
        slots="__slots__" in vars(result),
    )
    if "__slots__" in vars(result):  # by its slots the product knows which figures a class keeps
        wider.__slots__ = (*result.__slots__, SURPRISE)
    return wider


def modules_of(package: ModuleType) -> list[ModuleType]:
    """Every module below a package."""
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    return [import_module(one.name) for one in found]


@pytest.fixture
def surprised(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """Names of the classes of results, each of which has one more field wherever the product names it."""
    starts = tuple(f"gpuplanner.domain.{room}" for room in OF_RESULTS)
    for package in (gpuplanner.domain, gpuplanner.files, gpuplanner.cli):
        modules_of(package)  # one that is read only now would keep the wider classes
    product = [module for name, module in sys.modules.items() if name.startswith("gpuplanner.")]
    results = {
        value
        for module in product
        if module.__name__.startswith(starts)
        for value in vars(module).values()
        if isinstance(value, type) and is_dataclass(value) and value.__module__ == module.__name__
    } - OF_TABLES
    wider = {result: with_a_surprise(result) for result in results}
    forget_answers(product)
    for module in product:
        for name, value in list(vars(module).items()):
            if isinstance(value, type) and value in wider:
                monkeypatch.setattr(module, name, wider[value])
            elif type(value) in wider:  # a constant: else it would equal nothing that is made from now on
                had = {one.name: getattr(value, one.name) for one in fields_of(value)}
                monkeypatch.setattr(module, name, wider[type(value)](**had))
    yield {result.__name__ for result in results}
    forget_answers(product)


def forget_answers(product: list[ModuleType]) -> None:
    """Nothing that was worked out with other classes is used again."""
    for module in product:
        for value in list(vars(module).values()):
            if callable(getattr(value, "cache_clear", None)):
                value.cache_clear()


def calls_of(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, ...]]:
    """Calls for documents with every kind of row, of two projects."""
    for project in PROJECTS:
        if project.name in ("endpoints", "dates"):
            place = folder / project.name
            place.mkdir()
            project.write(place)
            monkeypatch.chdir(place)
            yield from (argv for name, argv in project.calls if name in CALLS)


@pytest.mark.long
def test_a_field_that_a_class_of_results_gets_is_in_no_document(
    call: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, surprised: set[str]
) -> None:
    assert {
        "Totals",
        "SpotAdvice",
        "FitRow",
        "NetworkCost",
        "RowFold",
        "Check",
        "SuspiciousValue",
    } <= surprised
    asked = 0
    for argv in calls_of(tmp_path, monkeypatch):
        said = call(*argv)
        assert said.status == 0, said.err
        assert f'"{SURPRISE}"' not in said.out, argv
        asked += 1
    assert asked == len(CALLS) + 1  # both projects are planned


def test_what_is_written_are_the_declared_fields_in_their_order() -> None:
    class Row:
        start_s, end_s, gpus, more = 0, None, 2, "not declared"

    table = fields(named("start", "start_s", "date"), named("end", "end_s", "date"), "gpus")
    assert json.dumps(entry(table, Row())) == '{"start": "1970-01-01T00:00:00Z", "end": null, "gpus": 2}'


def tables() -> list[tuple[str, tuple[Column, ...]]]:
    """Every table of fields of the documents, by module and name."""
    return [
        (f"{module.__name__}.{name}", value)
        for module in modules_of(documents)
        for name, value in vars(module).items()
        if isinstance(value, tuple) and value and all(isinstance(one, Column) for one in value)
    ]


def test_no_object_declares_a_field_twice() -> None:
    assert len(tables()) > 40
    for where, table in tables():
        names = [column.json_name for column in table]
        assert len(set(names)) == len(names), where


@pytest.mark.parametrize("room", ["cli", "domain/reports"])
def test_nothing_lists_the_fields_of_a_class(room: str) -> None:
    """A document that did would change with the class."""
    lists = {"asdict", "_asdict", "astuple", "vars", "__dict__", "__slots__", "__dataclass_fields__"}
    for source in sorted((ROOT / room).rglob("*.py")):
        tree = ast.parse(source.read_text("utf-8"))
        used = {getattr(node, "attr", getattr(node, "id", "")) for node in ast.walk(tree)}
        imported = {
            name.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == "dataclasses"
            for name in node.names
        }
        assert not lists & used and "fields" not in imported, source
