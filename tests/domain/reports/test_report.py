"""What a report is, on a report of fruit that is written here: rows and rests, columns, roundings and documents."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.figures.writing import COUNT, GPU_HOURS, GPUS, MONEY, SHARE
from gpuplanner.domain.reports import report
from gpuplanner.domain.reports.report import Column, Medium, Report

HOURS = Figure(key="gpu_hours", title="GPU-hours asked", unit=GPU_HOURS, short="Hours")
COST = Figure(key="cost", title="Cost", unit=MONEY, json="usd")
FRUIT = Subject("fruit", (HOURS, COST, Figure(key="weight", title="Weight", unit=COUNT)))


def row(name: str = "apple", **values: object) -> SimpleNamespace:
    return SimpleNamespace(name=name, figures={}, **values)


# --- Rows: in a medium's order, the first ones where it lists no more, and a rest for the others

NUMBERS = Report(
    title="Numbers",
    order={Medium.WINDOW: lambda number: -number},
    limits={Medium.WINDOW: 2, Medium.TERMINAL: 2},
    rest=sum,
    total=len,
    total_media=report.WINDOW,
)


@pytest.mark.parametrize(
    ("medium", "rows", "listed", "rest"),
    [
        (Medium.WINDOW, [1, 2, 3, 4], [4, 3], 3),
        (Medium.TERMINAL, [1, 2, 3, 4], [1, 2], 7),
        (Medium.WINDOW, [1, 2, 3], [3, 2, 1], None),  # a row alone is no rest
        (Medium.WINDOW, [1, 2], [2, 1], None),
        (Medium.WINDOW, [1], [1], None),
        (Medium.WINDOW, [], [], None),
        (Medium.BRIEF, [1, 2, 3, 4], [1, 2, 3, 4], None),
    ],
)
def test_a_medium_lists_its_first_rows_and_a_rest_of_several(
    medium: Medium, rows: list[int], listed: list[int], rest: int | None
) -> None:
    assert (NUMBERS.rows_in(medium, rows), NUMBERS.rest_in(medium, rows)) == (listed, rest)


def test_without_a_row_for_a_rest_every_limit_holds() -> None:
    cut = replace(NUMBERS, rest=None)
    assert [cut.rows_in(Medium.WINDOW, list(range(count))) for count in (2, 3, 5)] == [[1, 0], [2, 1], [4, 3]]
    assert cut.rest_in(Medium.WINDOW, list(range(5))) is None


def test_a_total_stands_in_its_own_media() -> None:
    assert NUMBERS.total_of(Medium.WINDOW, [1, 2]) == 2
    assert NUMBERS.total_of(Medium.TERMINAL, [1, 2]) is None
    assert replace(NUMBERS, total=None).total_of(Medium.WINDOW, [1, 2]) is None


# --- Columns


def test_a_heading_is_short_but_where_the_column_is_in_full() -> None:
    short, full = Column(figure=HOURS), Column(figure=HOURS, is_in_full=True)
    title = Column(key="name", title="Name")
    assert title.heading(", ") == title.heading(", ", is_short=True) == "Name"
    assert str(short.heading(", ")) == str(full.heading(", ", is_short=True)) == str(full.heading(", "))
    assert str(short.heading(", ")).startswith("GPU-hours asked")
    assert str(short.heading(", ", is_short=True)).startswith("Hours")


def test_a_unit_that_stands_over_the_table_is_in_no_heading() -> None:
    of_hours = Report(title="Fruit", unit_once=GPU_HOURS)
    assert of_hours.heading(Column(figure=HOURS), ", ") == "Hours"
    assert of_hours.heading(Column(figure=replace(HOURS, short="")), ", ") == "GPU-hours asked"
    assert str(of_hours.heading(Column(figure=COST), ", ")) == str(Column(figure=COST).heading(", "))
    assert str(of_hours.heading(Column(figure=COST), ", ")) != "Cost"
    assert of_hours.heading(Column(key="name", title="Name"), ", ") == "Name"
    short = [
        str(of.heading(Column(figure=HOURS), ", ", is_short=True)) for of in (Report(title="Fruit"), of_hours)
    ]
    assert short[0] != short[1] == "Hours"


def test_a_column_is_named_by_its_figure_or_its_key() -> None:
    assert (Column(figure=COST).name, Column(figure=COST).json_name) == ("cost", "usd")
    assert (Column(figure=COST, key="price").name, Column(figure=COST, key="price").json_name) == (
        "cost",
        "price",
    )
    assert (Column(key="name").name, Column(key="name").json_name) == ("name", "name")
    assert Column().json_name == ""


def test_a_value_is_found_by_a_path_a_function_a_field_or_among_figures() -> None:
    apple = row(cost=3.0, tree=SimpleNamespace(age=7))
    apple.figures = {"weight": 5}
    assert Column(figure=COST).of(apple) == 3.0
    assert Column(figure=FRUIT["weight"]).of(apple) == 5
    assert Column(figure=COST, value="tree.age").of(apple) == 7
    assert Column(figure=COST, value=lambda fruit: fruit.cost * 2).of(apple) == 6.0
    assert Column(figure=COST, value="tree.age").of(row(tree=None)) is None


def test_what_is_unknown_is_said_by_the_column_or_its_figure() -> None:
    rare = replace(COST, unknown="No price")
    assert Column(figure=rare).unknown_of(row()).why == "No price"
    assert Column(key="name").unknown_of(row()).why == ""
    assert (
        Column(figure=rare, unknown=lambda fruit: report.Unknown(fruit.name)).unknown_of(row()).why == "apple"
    )


def test_a_rare_column_is_left_out_where_no_row_has_any_of_it() -> None:
    table = Report(title="Fruit", media=report.WINDOW).with_columns(
        Column(key="name"), Column(key="worm", is_rare=True), Column(key="sold", media=report.TERMINAL)
    )
    names = [column.name for column in table.columns_of(Medium.WINDOW, [row(worm=0), row(worm=None)])]
    assert names == ["name"]
    assert [column.name for column in table.columns_of(Medium.WINDOW, [row(worm=0), row(worm=1)])] == [
        "name",
        "worm",
    ]
    assert table.columns_in(Medium.TERMINAL) == ()


# --- Roundings


@pytest.mark.parametrize(
    ("adds_up", "values", "whole"),
    [
        (False, [0.5, 1.4, None, -0.5], [1, 1, None, -1]),
        (True, [1.4, 1.4, 1.4], [2, 1, 1]),  # 4.2 is written as 4
        (False, [1.4, 1.4, 1.4], [1, 1, 1]),
    ],
)
def test_money_is_written_in_whole_amounts(
    adds_up: bool, values: list[float | None], whole: list[int | None]
) -> None:
    rows = [row(cost=value) for value in values]
    assert report.whole_amounts(Report(title="Fruit", adds_up=adds_up), Column(figure=COST), rows) == whole


@pytest.mark.parametrize(
    ("unit", "values", "written"),
    [
        (GPU_HOURS, [1.4, 1.4, 1.4, None], None),
        (GPU_HOURS, [1.4, 1.4, 1.4], [2.0, 1.0, 1.0]),
        (GPUS, [0.14, 0.14, 0.14], [0.2, 0.1, 0.1]),
        (SHARE, [1 / 3, 1 / 3, 1 / 3], [0.334, 0.333, 0.333]),
    ],
)
def test_a_column_that_adds_up_is_rounded_to_its_total(
    unit: object, values: list[float | None], written: list[float] | None
) -> None:
    figure = replace(HOURS, unit=unit)  # type: ignore[arg-type]
    rows = [row(gpu_hours=value) for value in values]
    rounded = report.rounded_values(Column(figure=figure, adds_up=True), rows)
    if written is None:
        assert rounded[-1] is None and all(value is not None for value in rounded[:-1])
    else:
        assert rounded == pytest.approx(written)
    assert report.rounded_values(Column(figure=figure), rows) == values
    assert report.rounded_values(Column(key="gpu_hours", adds_up=True), rows) == values


# --- Documents


def test_a_field_of_documents_has_a_name_or_a_figure_and_its_own_place() -> None:
    plain, elsewhere, of_figure = report.named("name"), report.named("age", "tree.age"), report.named(COST)
    assert (plain.figure, plain.key, plain.value) == (None, "name", None)
    assert elsewhere.value == "tree.age"
    assert (of_figure.figure, of_figure.key, of_figure.json_name) == (COST, "", "usd")
    assert all(column.media == report.DOCUMENT_ALONE for column in (plain, elsewhere, of_figure))
    assert report.fields("name", elsewhere, COST)[1] is elsewhere
    assert [column.json_name for column in report.fields("name", elsewhere, COST)] == ["name", "age", "usd"]


def test_parts_of_a_row_stand_inside_its_object() -> None:
    seed = report.fields("size")
    table = report.fields(
        report.inside("core", seed),
        report.inside("stone", seed, "core"),
        report.each("seeds", seed),
        report.each("pips", seed, "seeds"),
        report.named("picked", "picked_s", "date"),
        report.named("tree.age", "age"),
    )
    apple = row(
        core=SimpleNamespace(size=1),
        seeds=[SimpleNamespace(size=2), SimpleNamespace(size=3)],
        picked_s=0,
        age=4,
    )
    assert report.entry(table, apple) == {
        "core": {"size": 1},
        "stone": {"size": 1},
        "seeds": [{"size": 2}, {"size": 3}],
        "pips": [{"size": 2}, {"size": 3}],
        "picked": "1970-01-01T00:00:00Z",
        "tree": {"age": 4},
    }
    bare = report.entry(table, row(core=None, seeds=[], picked_s=None, age=None))
    assert bare == {
        "core": None,
        "stone": None,
        "seeds": [],
        "pips": [],
        "picked": None,
        "tree": {"age": None},
    }


def test_rows_of_a_report_stand_inside_an_object_too() -> None:
    numbers = Report(title="Numbers", media=report.DOCUMENT_ALONE).with_columns(report.named("size"))
    table = report.fields(report.listed("seeds", numbers, "seeds"))
    assert report.entry(table, row(seeds=[SimpleNamespace(size=2)])) == {"seeds": [{"size": 2}]}


def test_columns_of_a_subject_are_in_documents_or_where_they_are_said_to_be() -> None:
    alone, shown = report.of_subject(FRUIT, "cost"), report.of_subject(FRUIT, "cost", media=report.WINDOW)
    assert (alone[0].media, shown[0].media) == (report.DOCUMENT_ALONE, report.WINDOW)
    assert [column.of(row(tree=SimpleNamespace(age=7))) for column in report.of_part("tree", "age")] == [7]
