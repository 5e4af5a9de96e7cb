"""Inference says what the app says, as values."""

from math import isclose

import pytest

from gpuplanner.domain.fit.sized_endpoints import size_endpoint
from gpuplanner.domain.reports.serving_words import advice, weighed
from gpuplanner.domain.serving.calibration import PRECISIONS
from gpuplanner.files.system.resources import read_serving_tables
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.answers.crafted_books import crafted_endpoints
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.recalculate import cells_of

COLUMNS = {
    "Memory, GB": lambda cost: cost.row.memory_gb,
    "Fits": lambda cost: "yes" if cost.row.fits else "no",
    "Requests at once": lambda cost: cost.row.concurrency,
    "Requests/s per replica": lambda cost: cost.row.requests_per_s,
    "Replicas": lambda cost: cost.row.replicas_peak,
    "GPUs, peak": lambda cost: cost.gpus_peak,
    "First token, at peak, ms": lambda cost: "unstable" if cost.row.is_unstable else cost.row.ttft_ms,
    "Time per token, replica full, ms": lambda cost: cost.row.tpot_ms,
    "Flat, GPU-h per month": lambda cost: cost.gpu_hours_per_month_flat,
    "Autoscaled, GPU-h per month": lambda cost: cost.row.gpu_hours_per_month_autoscaled,
    "Sized for peak, GPU-h per month": lambda cost: cost.peak_provisioning_gpu_hours,
    "Flat, $ per month": lambda cost: cost.cost_per_month,
    "Sized for peak, $ per month": lambda cost: cost.peak_provisioning_per_month,
    "$ per 1M tokens": lambda cost: cost.cost_per_million_tokens,
    "Measured over predicted, P10": lambda cost: cost.row.low,
    "Measured over predicted, P90": lambda cost: cost.row.high,
}


def sizings_of(evaluation):
    project = evaluation.project
    terms = project.assumptions_in(project.scenarios[0])
    models = read_serving_tables()
    found = (size_endpoint(project, key, terms, project.offers, models) for key in sorted(project.serving))
    return {one.key.rsplit("/", 1)[1]: one for one in found if one is not None}


def rows_of(book):
    """(endpoint, GPU model, precision, GPUs per replica) -> {heading: value} of the lists of sizes."""
    by_row = {}
    for at, value in cells_of(book)["Studies"].items():
        letters = "".join(filter(str.isalpha, at))
        by_row.setdefault(int(at[len(letters) :]), {})[letters] = value
    found, name, head = {}, "", {}
    for number in sorted(by_row):
        row = by_row[number]
        name = str(row["A"]).partition(":")[0] if "every GPU model" in str(row.get("A")) else name
        head = row if "GPUs per replica" in row.values() else head
        if row.get("B") in PRECISIONS:
            key = (name, row["A"], row["B"], int(row["C"]))
            found[key] = {head[letters]: value for letters, value in row.items()}
    return found


def test_the_rows_of_the_book_are_those_of_the_app(sized):
    sizings = sizings_of(sized[0])
    assert set(sizings) == {"chat", "code"}
    assert {cost.row.fits for cost in sizings["code"].costs} == {True, False}
    rows = rows_of(sized[1])
    assert len(rows) == sum(len(sizing.costs) for sizing in sizings.values())
    for name, sizing in sizings.items():
        for cost in sizing.costs:
            found = rows[(name, *cost.row.row_id)]
            for heading, value_of in COLUMNS.items():
                value = value_of(cost)
                wanted = "—" if value is None else value
                if not isinstance(wanted, str):
                    wanted = pytest.approx(wanted, rel=1e-6, abs=1e-9)
                assert found[heading] == wanted, (name, cost.row.row_id, heading)


def test_the_endpoints_stand_on_top_with_the_row_they_are_sized_on(sized):
    values = list(cells_of(sized[1])["Studies"].values())
    assert "2 \u00d7 A100, INT8" in values
    best = sizings_of(sized[0])["chat"].best.row
    assert f"{best.tensor_parallel} \u00d7 {best.gpu_model}, BF16" in values


def test_what_the_panel_says_is_in_the_book(sized):
    values, chat = list(cells_of(sized[1])["Studies"].values()), sizings_of(sized[0])["chat"]
    for sentence in (*advice(chat, chat.drawn), *weighed(chat, chat.drawn)):
        assert str(sentence) in values
    assert any("$0.50" in str(value) and "$2.00" in str(value) for value in values)
    low, high = chat.drawn.row.low, chat.drawn.row.high
    assert any(f" {low:.2f} to {high:.2f} times" in str(value) for value in values)
    assert SheetCells(cells_of(sized[1])["Studies"]).column("Rate terms")
    assert chat.ratios and {"own.json", 2_345.0, *(one.gpu_model for one in chat.ratios)} <= set(values)
    for one in chat.ratios:
        assert any(isinstance(value, float) and isclose(value, one.ratio, abs_tol=1e-3) for value in values)


def test_every_hour_of_requests_has_the_gpus_that_are_held_in_it(sized):
    sheet = SheetCells(cells_of(sized[1])["Studies"])
    (letters, head), (flat, _) = sheet.column("Autoscaled, GPUs"), sheet.column("Sized for peak, GPUs")
    rows = [row for row in sheet.rows(A="chat") if row > head]
    chat = sizings_of(sized[0])["chat"]
    each = chat.best.row.tensor_parallel
    said = [sheet.cells[f"{letters}{row}"] for row in rows]
    assert said == [each * count for count in chat.replicas_by_hour(chat.best)]
    assert len(said) == 168 and max(said) == chat.best.gpus_peak - each * chat.best.row.replicas_spare
    assert chat.best.gpus_peak == sheet.cells[f"{flat}{rows[0]}"]


@pytest.mark.long
def test_a_book_of_nothing_calculated_has_no_studies(tmp_path):
    write_workbook(crafted_endpoints(sized=False), tmp_path / "none.xlsx", 0)
    assert "Studies" not in cells_of(tmp_path / "none.xlsx")
