"""Hardware says what the app says, as values."""

from dataclasses import replace

import pytest

from gpuplanner.domain.fit.rules import Light
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.recalculate import cells_of

WORDS = {Light.RED: "red", Light.AMBER: "amber", Light.GREEN: "green", None: "—"}
ROWS = {
    "memory": "Memory",
    "model_memory": "Memory",
    "interconnect": "Network",
    "training_grade": "Network",
    "bare_metal": "Bare metal",
    "own_cluster": "Own cluster",
    "term": "Term",
}


def of_workload(book, key):
    """What the sheet says of a workload, by heading."""
    sheet = SheetCells(cells_of(book)["Calc workloads"])
    letters, head = sheet.column("Key")
    (row,) = (row for row in sheet.rows(**{letters: key}) if row > head)
    headings = {
        at[: -len(str(head))]: value
        for at, value in sheet.cells.items()
        if at[-len(str(head)) :] == str(head)
    }
    return {value: sheet.cells.get(f"{at}{row}") for at, value in headings.items() if at.isalpha()}


def lights_of(book, evaluation):
    """The lights of each workload as the book says them, by key and heading."""
    found = {}
    for fit in evaluation.fit:
        said = of_workload(book, fit.key)
        found |= {
            (fit.key, heading): said[heading] for heading in ("Light", *(ROWS[row.need] for row in fit.rows))
        }
    return found


def lights_of_app(evaluation):
    found = {(fit.key, "Light"): WORDS[fit.light] for fit in evaluation.fit}
    for fit in evaluation.fit:
        found |= {(fit.key, ROWS[row.need]): WORDS[row.light] for row in fit.rows}
    return found


def test_the_crafted_book_has_every_light(fitted):
    assert {row.light for fit in fitted[0].fit for row in fit.rows} == set(WORDS)


def test_the_lights_of_the_book_are_those_of_the_app(fitted):
    assert lights_of(fitted[1], fitted[0]) == lights_of_app(fitted[0])


@pytest.mark.long
def test_a_book_of_an_evaluation_without_fit_says_the_same(fitted, tmp_path):
    write_workbook(replace(fitted[0], fit=None), tmp_path / "other.xlsx", 0)
    assert lights_of(tmp_path / "other.xlsx", fitted[0]) == lights_of_app(fitted[0])


def test_the_run_on_both_networks_is_that_of_the_app(fitted):
    costs = {fit.key: fit.network for fit in fitted[0].fit if fit.network is not None}
    assert len(costs) == 2
    for key, cost in costs.items():
        said = of_workload(fitted[1], key)
        for heading, value in (
            ("On InfiniBand, h", cost.infiniband.run_hours),
            ("Over Ethernet, h", cost.ethernet.run_hours),
            ("On InfiniBand, $", cost.infiniband.run_usd),
            ("Over Ethernet, $", cost.ethernet.run_usd),
        ):
            assert said[heading] == pytest.approx(value)


def test_dollars_and_hours_come_before_the_lights_and_their_reasons_with_both_numbers(fitted):
    keys = {fit.key.rsplit("/", 1)[1]: fit.key for fit in fitted[0].fit}
    said = of_workload(fitted[1], keys["pretrain"])
    headings = [*said]
    assert headings.index("Today, $ per month") < headings.index("Over Ethernet, h") < headings.index("Light")
    assert "79 GB" in said["Why"] and "80 GB" in said["Why"]
    assert "from the name: 30b" in of_workload(fitted[1], keys["vllm-30b"])["Needs from"]
