"""Recipes: each step by hand, recipes as JSON, and files that are read by them."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.import_tables import import_prices
from gpuplanner.files.lists.place_tables import import_places
from gpuplanner.files.tables.recipe import (
    ColumnsToRows,
    FillDown,
    HeaderRow,
    PercentOnTop,
    Recipe,
    Reword,
    SkipRows,
    Step,
    apply_recipe,
    result_of,
    table_of,
)
from gpuplanner.files.tables.recipe_file import read_recipe, recipe_json, recipe_of

ROWS = (
    (1, ["Prices 2026"]),
    (2, ["GPU", "Price", "VAT"]),
    (3, ["H100", "$2.00", "19"]),
    (5, ["", "n/a", "7"]),
)


def table(*steps: Step) -> list[list[str]]:
    """Return the headings and rows of ROWS after the steps."""
    recipe = Recipe(kind="prices", steps=(HeaderRow(row=2), *steps))
    read = apply_recipe(table_of(ROWS, recipe), recipe)
    return [[*read.headings], *([*cells] for _, cells in read.rows)]


def test_each_step_changes_the_table_as_it_says() -> None:
    assert table(SkipRows(column="GPU", values=("h100",))) == [["GPU", "Price", "VAT"], ["", "n/a", "7"]]
    assert [row[0] for row in table(FillDown(column="GPU"))] == ["GPU", "H100", "H100"]
    assert [row[1] for row in table(Reword(column="Price", value="N/A", becomes=""))] == [
        "Price",
        "$2.00",
        "",
    ]
    assert [row[1] for row in table(PercentOnTop(column="Price", percent="19"))] == [
        "Price",
        "2.38 USD",
        "n/a",
    ]
    assert [row[1] for row in table(PercentOnTop(column="Price", percent_column="VAT"))][1] == "2.38 USD"
    turned = table(ColumnsToRows(columns=("Price", "VAT"), name="What", value="Amount"))
    assert turned == [
        ["GPU", "What", "Amount"],
        ["H100", "Price", "$2.00"],
        ["H100", "VAT", "19"],
        ["", "Price", "n/a"],
        ["", "VAT", "7"],
    ]


def test_a_recipe_says_in_numbers_what_it_gives() -> None:
    steps = (HeaderRow(row=2), SkipRows(column="GPU", values=("H100",)), "gpu_model=GPU", "-=VAT")
    recipe = Recipe(kind="prices", steps=steps)
    read = apply_recipe(table_of(ROWS, recipe), recipe)
    assert result_of(read, recipe) == (1, 1, 3, 2) and read.skipped == (3,)
    with pytest.raises(PlannerError, match="missing_column"):
        table(FillDown(column="Vendor"))


TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
STEPS = st.one_of(
    st.builds(HeaderRow, row=st.integers(1, 99)),
    st.builds(SkipRows, column=TEXTS, values=st.lists(TEXTS, min_size=1, max_size=3).map(tuple)),
    st.builds(FillDown, column=TEXTS),
    st.builds(Reword, column=TEXTS, value=TEXTS, becomes=st.text(max_size=3)),
    st.builds(PercentOnTop, column=TEXTS, percent=TEXTS),
    st.builds(
        ColumnsToRows, columns=st.lists(TEXTS, min_size=1, max_size=3).map(tuple), name=TEXTS, value=TEXTS
    ),
    TEXTS.map(lambda text: f"gpus={text}"),
)


@given(st.lists(STEPS, max_size=4).map(tuple))
def test_a_recipe_is_read_back_as_it_was_written(steps: tuple[Step, ...]) -> None:
    recipe = Recipe(kind="prices", steps=steps)
    assert recipe_of(json.loads(json.dumps(recipe_json(recipe))), "r.json") == recipe


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"recipe": 2, "kind": "prices", "steps": []}',
        '{"recipe": 1, "kind": "jobs", "steps": []}',
        '{"recipe": 1, "kind": "prices", "steps": [{"explode": {}}]}',
        '{"recipe": 1, "kind": "prices", "steps": [{"fill_down": {}}]}',
        '{"recipe": 1, "kind": "prices", "steps": [{"header_row": {"row": 0}}]}',
        '{"recipe": 1, "kind": "prices", "steps": ["words"]}',
    ],
)
def test_what_is_no_recipe_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "recipe.json"
    path.write_text(text)
    with pytest.raises(PlannerError, match="file_unreadable"):
        read_recipe(str(path))


def test_a_price_list_is_read_by_a_recipe_and_every_row_is_counted(tmp_path: Path) -> None:
    """$2.00 with 10% on top is $2.20, in two regions; a row of totals is ignored."""
    path = tmp_path / "prices.csv"
    path.write_text("Our offer\nGPU,us,eu,Fee %\nH100,2.00,2.10,10\nAll,4,4,10\n")
    steps: tuple[Step, ...] = (
        HeaderRow(row=2),
        SkipRows(column="GPU", values=("All",)),
        ColumnsToRows(columns=("us", "eu"), name="Region", value="Price per GPU-hour"),
        PercentOnTop(column="Price per GPU-hour", percent_column="Fee %"),
        "gpu_model=GPU",
    )
    read = import_prices([str(path)], {str(path): Recipe(kind="prices", steps=steps)}, refuses_unread=True)
    assert [(offer.region, float(offer.rate_usd_per_gpu_hour or 0)) for offer in read.offers] == [
        ("eu", 2.31),
        ("us", 2.2),
    ]
    (file,) = read.intake
    assert (file.rows_read, file.rows_accepted, file.rows_ignored) == (3, 2, 1)
    assert "not_a_row" in {issue.code for issue in file.issues} and "recipe" in dict(file.facts)


def test_users_are_read_by_a_recipe(tmp_path: Path) -> None:
    path = tmp_path / "users.csv"
    path.write_text("Town;Lat;Lng;Heads\nOslo;59,9;10,7;41.200\nSum;0;0;41.200\n")
    steps: tuple[Step, ...] = (SkipRows(column="Town", values=("sum",)), "users=Heads")
    read = import_places(
        [str(path)], mappings={"users": Recipe(kind="users", steps=steps)}, refuses_unread=True
    )
    assert [city.users for city in read.cities or ()] == [41_200] and read.intake[0].rows_ignored == 1
