"""The sheet Inference: its figures are the app's, after a recalculation too, and follow what is changed in the book."""

from dataclasses import replace
from decimal import Decimal

import openpyxl
import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.fit.endpoint_sizing import size_endpoint
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.log.traffic import Traffic
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.domain.model.served_model import ServedModel, WeekRates
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.evaluations import evaluated
from tests.files.workbook.recalculate import Recalculator, cells_of, changed_copy
from tests.files.workbook.watched_cells import without_rule
from tests.oracle.crafted import daily
from tests.oracle.projects import Case

DENSE = ServedModel("dense", 8_000_000_000, 32, 8, 128)
MIXED = ServedModel("mixed", 47_000_000_000, 32, 8, 128, 13_000_000_000, 8, 2, 700)
WEEK = WeekRates(tuple(float(3 + 40 * (hour % 24 > 8)) * (hour != 5) for hour in range(168)), "week.csv")
HOUR_S = 1_767_225_600
REQUESTS = Traffic(
    HOUR_S + 1800,
    HOUR_S + 7200,
    ((HOUR_S, 900_000, 30_000), (HOUR_S + 3600, 2_000_000, 90_000)),
    "requests.csv",
    ((600, 40, 4000), (1500, 90, 9000)),
)
COLUMNS = {
    "Memory, GB": lambda cost: cost.row.memory_gb,
    "Fits, 1 yes 0 no": lambda cost: float(cost.row.fits),
    "Requests at once": lambda cost: cost.row.concurrency,
    "Requests/s a replica": lambda cost: cost.row.requests_per_s,
    "Replicas": lambda cost: cost.row.replicas_peak,
    "GPUs, peak": lambda cost: cost.gpus_peak,
    "First token, ms": lambda cost: "unstable" if cost.row.is_unstable else cost.row.ttft_ms,
    "Flat, GPU-h per month": lambda cost: cost.gpu_hours_per_month_flat,
    "Autoscaled, GPU-h per month": lambda cost: cost.row.gpu_hours_per_month_autoscaled,
    "Held for the peak, GPU-h per month": lambda cost: cost.peak_provisioning_gpu_hours,
    "Flat, $ per month": lambda cost: cost.cost_per_month,
    "Held for the peak, $ per month": lambda cost: cost.peak_provisioning_per_month,
    "$ per 1M tokens": lambda cost: cost.cost_per_million_tokens,
}


def crafted(sized=True):
    """Two endpoints: a week of rates with assumed tokens, and a list of requests; one more without a model."""
    hours = 48
    case = Case(hours, sigma=0.0, delta=0.0, **{"lambda": 0.0})
    for name in ("chat", "code", "embed"):
        case.workload("atlas", name, "inference", daily(hours, 2, 4))
    case.contract("a", "atlas", 8, 2.5, ends=5.0)
    case.offers_of("H100", 6.88, {12: 2.75})
    case.offers_of("A100", 2.9, {})
    project = case.project
    keys = {workload.name: workload.key for workload in project.workloads}
    cheap = Offer("small-h100", "H100", PricingCategory.STANDARD, 0, Decimal("0.5"), gpu_memory_gb=40.0)
    project = replace(project, offers=tuple(sorted((*project.offers, cheap), key=lambda one: one.offer_id)))
    if sized:
        project = edits.set_served_model(project, keys["chat"], DENSE)
        project = edits.set_week(project, keys["chat"], WEEK)
        project = edits.set_traffic(project, keys["code"], REQUESTS)
        project = edits.set_served_model(project, keys["code"], MIXED)
        project = edits.set_sized_row(project, keys["code"], "A100", "INT8", 2)
        project = edits.set_week(project, keys["embed"], WEEK)
    return evaluated(project, case.classifications)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    evaluation, book = crafted(), tmp_path_factory.mktemp("inference") / "inference.xlsx"
    write_workbook(evaluation, book, 0)
    return evaluation, book


def sizings_of(evaluation, **assumptions):
    project = evaluation.project
    terms = project.assumptions_in(project.scenarios[0]).with_values(assumptions)
    models = read_tables().gpu_models
    found = (size_endpoint(project, key, terms, project.offers, models) for key in sorted(project.serving))
    return {one.key.rsplit("/", 1)[1]: one for one in found if one is not None}


def rows_of(book):
    """(endpoint, GPU model, precision, GPUs a replica) -> {heading: value} of the long table."""
    cells = cells_of(book)["Inference"]
    by_row = {}
    for at, value in cells.items():
        letters = "".join(filter(str.isalpha, at))
        by_row.setdefault(int(at[len(letters) :]), {})[letters] = value
    head = next(row for row in by_row.values() if "GPUs a replica" in row.values())
    return {
        (row["A"], row["B"], row["C"], int(row["D"])): {
            head[letters]: value for letters, value in row.items()
        }
        for row in by_row.values()
        if row.get("C") in ("BF16", "INT8", "INT4")
    }


def check_rows(book, sizings):
    rows = rows_of(book)
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


def test_the_rows_of_the_book_are_those_of_the_app(made):
    sizings = sizings_of(made[0])
    assert set(sizings) == {"chat", "code"}
    assert {cost.row.fits for cost in sizings["code"].costs} == {True, False}
    check_rows(made[1], sizings)


def test_the_endpoints_stand_on_top_with_the_row_they_are_sized_on(made):
    values = list(cells_of(made[1])["Inference"].values())
    assert "2 x A100, INT8" in values
    best = sizings_of(made[0])["chat"].best.row
    assert f"{best.tensor_parallel} x {best.gpu_model}, BF16" in values


@pytest.mark.long
def test_a_book_of_nothing_sized_says_what_to_do(tmp_path):
    write_workbook(crafted(sized=False), tmp_path / "none.xlsx", 0)
    cells = cells_of(tmp_path / "none.xlsx")["Inference"]
    assert "Nothing is sized yet" in cells["A3"] and "panel Inference" in cells["A3"]
    assert len(cells) == 3


@pytest.mark.long
def test_the_book_recalculates_to_the_same_and_follows_a_change(made, need_tool, tmp_path):
    evaluation, book = made
    cells = cells_of(book)
    names = {value: at for at, value in cells["Assumptions"].items()}

    def assumption(name):
        return ("Assumptions", "B" + names[f"assume_{name}"].removeprefix("D"))

    changes = {
        "headroom": 0.5,
        "usable_memory": 0.6,
        "serving_generated_tokens": 600.0,
        "serving_concurrency": 20,
        "serving_compute_share": 0.4,
    }
    changed = changed_copy(
        book, tmp_path / "terms.xlsx", {assumption(name): value for name, value in changes.items()}
    )
    rate = next(at for at, value in cells["Prices"].items() if value == 2.75)
    cheaper = changed_copy(book, tmp_path / "rate.xlsx", {("Prices", rate): 1.75})
    silent = {assumption(f"serving_{name}_tokens"): 0 for name in ("context", "generated")}
    nothing = changed_copy(book, tmp_path / "nothing.xlsx", silent)
    again = Recalculator(need_tool("soffice"), tmp_path).recalculated(book, changed, cheaper, nothing)
    check_rows(again[0], sizings_of(evaluation))
    before, after = cells["Inference"], cells_of(again[0])["Inference"]
    assert before.keys() == after.keys()
    assert all(
        after[at] == (value if isinstance(value, str) else pytest.approx(value, rel=1e-6, abs=1e-9))
        for at, value in before.items()
    )
    check_rows(again[1], sizings_of(evaluation, **changes))
    flat = rows_of(book)
    for key, row in rows_of(again[2]).items():
        if key[1] == "H100" and isinstance(row["Flat, $ per month"], float | int):
            assert row["Flat, $ per month"] == pytest.approx(flat[key]["Flat, $ per month"] * 1.75 / 2.75)
    of_nothing = [row for key, row in rows_of(again[3]).items() if key[0] == "chat"]
    assert {row["Replicas"] for row in of_nothing} == {"—"}  # requests without tokens, and no error cell
    assert not any(str(value).startswith("#") for value in cells_of(again[3])["Inference"].values())


def test_every_yellow_input_says_what_it_takes(made):
    assert without_rule(made[1]) == []


def test_the_list_that_is_printed_repeats_its_headings(made):
    """Not the one of hours below it, which is not printed."""
    sheet = openpyxl.load_workbook(made[1])["Inference"]
    row = int(sheet.print_title_rows.partition(":")[0].strip("$"))
    assert [cell.value for cell in sheet[row]][:3] == ["Endpoint", "GPU model", "Precision"]
