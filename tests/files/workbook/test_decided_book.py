"""A contract that runs on, one that ends and minima that are bought whole: the book has the months of the app."""

from decimal import Decimal

import pytest

from gpuplanner.domain.brief.approval import approval_on
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.export.focus import focus_cells, proposed_commitments
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.comparison_months import app_months, assert_same_months, months_of
from tests.files.workbook.evaluations import evaluation_of
from tests.files.workbook.recalculate import Recalculator, cells_of, names_of
from tests.oracle.crafted import daily
from tests.oracle.projects import Case
from tests.oracle.stated import ALWAYS, Planned

HOURS = 192


@pytest.fixture(scope="module")
def decided(tmp_path_factory):
    """Its evaluation and its book."""
    case = Case(HOURS, sigma=0.0, delta=0.004, slices_lived=False, **{"lambda": 0.0})
    case.workload("alpha", "chat", "inference", daily(HOURS, 12, 14))
    case.workload("beta", "embed", "inference", daily(HOURS, 8, 8), model="A100")
    held = {"term_months": 12, "notice_days": 30, "renews_months": 12}
    case.contract("runs", "alpha", 3, 1.2, ends=2.3, **held)
    case.contract("ends", "alpha", 3, 4.2, ends=1.6, **held)
    case.offer("od-H100", 0, 6.88, "H100")
    case.offer("m1", 1, 4.0, "H100", lead_time_hours=48)
    case.offer("min12", 12, 2.0, "H100", lead_time_hours=48, min_gpus=10)
    case.offer("od-A100", 0, 3.5, "A100")
    case.offer("a12", 12, 1.6, "A100", min_gpus=9, lead_time_hours=48)
    evaluation, book = evaluation_of(case), tmp_path_factory.mktemp("decided") / "decided.xlsx"
    write_workbook(evaluation, book, 0)
    return evaluation, book


def assert_agrees(evaluation, book):
    assert_same_months(months_of(book), app_months(evaluation))
    sheet, cell = names_of(book)["all_checks"]
    assert str(cells_of(book)[sheet][cell]).startswith("green")


def test_the_book_has_the_months_of_the_app(decided):
    evaluation, book = decided
    assert [name for name, _ in evaluation.plan.whole_decisions.ends] == ["ends"]
    assert {row.reason for row in evaluation.advice.orders} == {"minimum"}
    assert_agrees(evaluation, book)


@pytest.mark.long
def test_it_has_them_when_it_is_recalculated(decided, need_tool, tmp_path):
    (book,) = Recalculator(need_tool("soffice"), tmp_path).recalculated(decided[1])
    assert_agrees(decided[0], book)


@pytest.fixture(scope="module")
def in_dollars(tmp_path_factory):
    """One commitment in dollars that is there, and one that the plan buys."""
    case = Case(HOURS, sigma=0.0, delta=0.004, slices_lived=False, **{"lambda": 0.0})
    case.workload("alpha", "chat", "inference", daily(HOURS, 12, 14))
    case.workload("beta", "embed", "inference", daily(HOURS, 8, 8), model="A100")
    case.contract("gpus", "alpha", 3, 1.2, ends=2.3, term_months=12)
    case.contract(
        "sp",
        "",
        1,
        20.0,
        ends=7.5,
        model="$/h A100",
        commitment_usd_per_hour=Decimal(20),
        discount_percent="A100=40",
    )
    case.offer("od-H100", 0, 6.88, "H100")
    case.offer("od-A100", 0, 3.5, "A100")
    case.offer("sp12", 12, None, "$/h H100", discount_percent="H100=40")
    evaluation, book = evaluation_of(case), tmp_path_factory.mktemp("dollars") / "dollars.xlsx"
    write_workbook(evaluation, book, 0)
    return evaluation, book


def test_the_book_has_commitments_in_dollars(in_dollars):
    evaluation, book = in_dollars
    (order,) = evaluation.advice.orders
    assert order.is_dollars and (order.rate or 0) * 100 in [
        own.cents for own in evaluation.plan.whole_decisions.dollars
    ]
    assert_agrees(evaluation, book)
    approval = approval_on(evaluation.advice, evaluation.project, evaluation.project.plan_window.end_s)
    cells = focus_cells(proposed_commitments(approval, evaluation.project)[0])
    assert (cells["ContractCommitmentCategory"], cells["ContractCommitmentUnit"]) == ("Spend", "USD")
    assert (cells["x_GpuModel"], cells["x_Gpus"]) == ("H100", None)
    assert (
        cells["ContractCommitmentQuantity"]
        == cells["ContractCommitmentCost"]
        == pytest.approx((order.rate or 0) * 8760)
    )


@pytest.fixture(scope="module")
def spread_dollars(tmp_path_factory):
    """A commitment in dollars that is there and one that the plan buys, over several models and clusters; demand grows,
    work is planned, and a run."""
    case = Case(HOURS, sigma=0.0, delta=0.004, slices_lived=False, growth=0.02, **{"lambda": 0.0})
    case.workload("alpha", "chat", "inference", daily(HOURS, 12, 14))
    case.workload("gamma", "rank", "inference", daily(HOURS, 3, 9))
    case.workload("beta", "embed", "inference", daily(HOURS, 8, 8), model="A100")
    case.contract("gpus", "alpha", 3, 1.2, ends=2.3, term_months=12)
    own = {"commitment_usd_per_hour": Decimal(40), "discount_percent": "A100=40;H100=35"}
    case.contract("sp", "", 1, 40.0, ends=7.5, model="$/h any", **own)
    case.offer("od-H100", 0, 6.88, "H100")
    case.offer("od-A100", 0, 3.5, "A100")
    case.offer("sp12", 12, None, "$/h any", discount_percent="*=40")
    of_alpha = {"cluster": "alpha", "model": "H100", "ends_s": None, "hours": ALWAYS, "every_hours": None}
    for name, pool, gpus, day, length in (("new", "inference", 5, 40, None), ("run", "training", 8, 60, 300)):
        own = {"gpus": gpus, "begins_s": case.end_s + day * 86_400, "length_hours": length}
        case.stated.planned.append(Planned(key=f"alpha/team/{name}", pool=pool, **of_alpha, **own))
    evaluation, book = evaluation_of(case), tmp_path_factory.mktemp("spread") / "spread.xlsx"
    write_workbook(evaluation, book, 0)
    return evaluation, book


def test_the_book_has_dollars_over_models_and_clusters(spread_dollars):
    assert any(order.is_dollars for order in spread_dollars[0].advice.orders)
    assert_agrees(*spread_dollars)


@pytest.mark.long
def test_dollars_over_models_are_the_same_recalculated(spread_dollars, need_tool, tmp_path):
    (book,) = Recalculator(need_tool("soffice"), tmp_path).recalculated(spread_dollars[1])
    assert_agrees(spread_dollars[0], book)


@pytest.fixture(scope="module")
def placed(tmp_path_factory):
    """An order that was placed for two clusters that are busy in turn, above one that is still to be placed."""
    case = Case(HOURS, sigma=0.0, delta=0.004, slices_lived=False, **{"lambda": 0.0})
    case.workload("alpha", "chat", "inference", daily(HOURS, 14, 6))
    case.workload("beta", "embed", "inference", daily(HOURS, 2, 10))
    case.contract("own", "alpha", 3, 1.2, ends=2.3, term_months=12)
    slices = ((8.0, 12.0),)
    case.contract("placed", "alpha", 4, 2.2, 0.2, 6.2, term_months=6, pool=Pool.INFERENCE, slices=slices)
    case.offer("od-H100", 0, 6.88, "H100")
    case.offer("m12", 12, 2.0, "H100", lead_time_hours=48)
    evaluation, book = evaluation_of(case), tmp_path_factory.mktemp("placed") / "placed.xlsx"
    write_workbook(evaluation, book, 0)
    return evaluation, book


def test_the_book_has_an_order_that_was_placed(placed):
    held = sum(
        order.gpus
        for order in placed[0].advice.orders
        if order.start_s < placed[0].project.window.end_s + 10**6
    )
    assert held
    assert_agrees(*placed)


@pytest.mark.long
def test_an_order_that_was_placed_is_the_same_recalculated(placed, need_tool, tmp_path):
    (book,) = Recalculator(need_tool("soffice"), tmp_path).recalculated(placed[1])
    assert_agrees(placed[0], book)
