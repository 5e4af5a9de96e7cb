"""The twelve months as advised: an edit of a price moves them by the hours that it is paid for, and nothing else."""

from dataclasses import replace
from decimal import Decimal

import pytest

from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.model.window import HOURS_PER_MONTH, MONTH_S
from gpuplanner.files.demo.days import GOLDEN_DAY, ending
from gpuplanner.files.demo.demo_files import write_demo
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.project.project_file import open_project
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.comparison_months import (
    ADVISED,
    NOTHING,
    app_months,
    assert_same_months,
    column_of,
    months_of,
)
from tests.files.workbook.evaluations import evaluated, evaluation_of
from tests.files.workbook.recalculate import Recalculator, cells_of, changed_copy, names_of
from tests.files.workbook.test_currency_book import in_euro
from tests.files.workbook.test_recalculated import light_of
from tests.files.workbook.what_if import RATE, assumption, by_hand, list_cells, what_ifs
from tests.golden.projects import PROJECTS, saved
from tests.oracle.crafted import daily
from tests.oracle.projects import Case
from tests.some_of import some_of

CENT = Decimal("0.01")
CONTRACTS, ORDERS, BY_HOUR = (
    "Plan: existing contracts, $",
    "As advised: orders, $",
    "As advised: on demand, $",
)
MONTHS = range(12)


def ahead(delta=0.02, growth=0.02, **assumptions):
    """A contract that ends, follow-ups, a lead, a payment upfront, whole nodes: orders in several months."""
    case = Case(
        192, sigma=0.0, delta=delta, growth=growth, slices_lived=False, **{"lambda": 0.0}, **assumptions
    )
    case.workload("alpha", "chat", "inference", daily(192, 6, 14))
    case.workload("beta", "pretrain", "training", daily(192, 1, 4), model="A100")
    case.workload("beta", "embed", "inference", [2] * 192, model="L40S")
    case.contract("a", "alpha", 3, 2.5, ends=5.4, term_months=12)
    case.contract("b", "beta", 2, 1.9, model="A100", ends=20.4, term_months=24)
    case.offers_of("H100", 6.88, {3: 4.2, 12: 2.75}, lead_time_hours=240)
    case.offer(
        "node-H100",
        "committed",
        2.2,
        term_months=24,
        upfront_usd=Decimal(2500),
        unit_gpus=4,
        lead_time_hours=240,
    )
    case.offer("other-H100", "committed", 2.4, term_months=24)
    case.offers_of("A100", 3.5, {3: 2.4, 12: 1.6})
    case.offers_of("L40S", 1.9, {12: 0.9})
    return evaluation_of(case)


def demo(folder):
    write_demo(folder, ending(GOLDEN_DAY))
    read = read_inputs(*([str(folder / name)] for name in ("jobs.csv", "contracts.csv", "prices.csv")))
    project = read.project()
    return evaluate(project, project.scenarios[0].name, read_tables())


def golden(name, folder):
    [of_name] = [one for one in PROJECTS if one.name == name]
    project = open_project(saved(of_name, folder))
    return evaluate(project, project.scenarios[0].name, read_tables())


@pytest.fixture(scope="module")
def calc(need_tool, tmp_path_factory):
    return Recalculator(need_tool("soffice"), tmp_path_factory.mktemp("soffice"))


def written(evaluation, folder):
    folder.mkdir(parents=True, exist_ok=True)
    write_workbook(evaluation, folder / "plan.xlsx", 0)
    return folder / "plan.xlsx"


def recalculated(calc, book, *changes):
    """The book as it is, and with each set of changes."""
    copies = [changed_copy(book, book.with_name(f"{at}.xlsx"), change) for at, change in enumerate(changes)]
    return calc.recalculated(book, *copies)


def rate_cell(book, sheet, name, sign="$"):
    return sheet, SheetCells(cells_of(book)[sheet]).under(str(RATE).replace("$", sign), A=name)


def by_month(moved, exported, heading, sign="$"):
    """What a column moved by in each month."""
    pairs = zip(column_of(moved, heading, sign), column_of(exported, heading, sign), strict=True)
    return [there - here for there, here in pairs]


def hours_of(order, begins_s):
    """GPU-hours that an order is paid for in each of the twelve months."""
    hours = []
    for month in MONTHS:
        from_s, to_s = begins_s + month * MONTH_S, begins_s + (month + 1) * MONTH_S
        inside_s = max(0, min(order.end_s, to_s) - max(order.start_s, from_s))
        hours.append(order.bought_gpus * inside_s / 3600)
    return hours


def month_of(order, evaluation):
    """The month of the plan in which it is placed, its lead before it starts: that month's price it has."""
    [offer] = [one for one in evaluation.project.offers if one.offer_id == order.offer_id]
    placed_s = order.start_s - round(offer.lead_time_hours * 3600) - evaluation.project.plan_window.end_s
    return max(placed_s, 0) // MONTH_S


def cents_of(evaluation, offer):
    """What a cent more on an offer's rate costs in each month: its orders' hours, at prices of when each is signed."""
    fall, begins_s = evaluation.project.assumptions.delta, evaluation.project.plan_window.end_s
    orders = [order for order in evaluation.advice.orders if order.offer_id == offer.offer_id]
    return [
        sum(
            0.01 * hours_of(order, begins_s)[month] * (1 - fall) ** month_of(order, evaluation)
            for order in orders
        )
        for month in MONTHS
    ]


def ordered_offers(evaluation):
    names = {order.offer_id for order in evaluation.advice.orders}
    return [offer for offer in evaluation.project.offers if offer.offer_id in names]


def with_rate(evaluation, offer, rate):
    """The app's own answer to an offer at another rate."""
    offers = tuple(
        replace(one, rate_usd_per_gpu_hour=rate) if one is offer else one for one in evaluation.project.offers
    )
    classifications = tuple(row.classification for row in evaluation.audit.workloads)
    return evaluated(replace(evaluation.project, offers=offers), classifications)


def signed_alike(left, right):
    """Whether two evaluations sign the same GPUs of the same offers for the same months."""

    def orders(evaluation):
        return [
            (one.pool, one.gpu_model, one.offer_id, one.start_s, one.end_s, one.spans)
            for one in evaluation.advice.orders
        ]

    return orders(left) == orders(right)


@pytest.mark.long
def test_orders_of_several_months_upfront_and_in_nodes_are_the_apps(tmp_path):
    evaluation = ahead()
    begins_s = evaluation.project.plan_window.end_s
    assert {month_of(order, evaluation) for order in evaluation.advice.orders} - {0}
    assert any(order.upfront_per_gpu for order in evaluation.advice.orders)
    assert any((order.start_s - begins_s) % MONTH_S for order in evaluation.advice.orders)
    book = written(evaluation, tmp_path)
    assert_same_months(months_of(book), app_months(evaluation))
    for heading, key in ((CONTRACTS, "contracts_usd"), (ORDERS, "orders_usd"), (BY_HOUR, "use_usd")):
        said = [getattr(month, key) for month in evaluation.advice.comparison]
        assert column_of(book, heading) == pytest.approx(said, abs=0.01), heading


@pytest.mark.long
@pytest.mark.parametrize("horizon", some_of([3, 7], quick=1))
def test_a_short_horizon_counts_what_the_app_counts(tmp_path, horizon):
    evaluation = ahead(horizon_months=horizon)
    book = written(evaluation, tmp_path)
    assert_same_months(months_of(book), app_months(evaluation))
    assert light_of(book) == "green"


def assert_a_cent_moves_its_hours(calc, evaluation, folder, sign="$"):
    """Each ordered offer a cent dearer: the months as advised move by its hours, do nothing and use not at all."""
    book, offers = written(evaluation, folder), ordered_offers(evaluation)
    cells = [rate_cell(book, "Offer inputs", offer.offer_id, sign) for offer in offers]
    assert cells
    changes = [{cell: cells_of(book)[cell[0]][cell[1]] + 0.01} for cell in cells]
    again, *others = recalculated(calc, book, *changes)
    assert_same_months(months_of(again, sign), app_months(evaluation))
    for offer, moved in zip(offers, others, strict=True):
        wanted = cents_of(evaluation, offer)
        assert any(wanted), offer.offer_id
        assert by_month(moved, again, ADVISED, sign) == pytest.approx(wanted, abs=1e-6), offer.offer_id
        assert by_month(moved, again, NOTHING, sign) == pytest.approx([0] * 12, abs=1e-6)
        assert by_month(moved, again, BY_HOUR, sign) == pytest.approx([0] * 12, abs=1e-6)
    return offers, others


@pytest.mark.long
def test_a_cent_on_a_rate_moves_its_hours_as_in_the_app(calc, tmp_path):
    """Where the app still advises the same with that rate, its own months are the book's."""
    evaluation, alike = ahead(), 0
    offers, others = assert_a_cent_moves_its_hours(calc, evaluation, tmp_path)
    for offer, moved in zip(offers, others, strict=True):
        there = with_rate(evaluation, offer, offer.rate_usd_per_gpu_hour + CENT)
        if signed_alike(evaluation, there):
            alike += 1
            assert_same_months(months_of(moved), app_months(there), offer.offer_id)
    assert alike


@pytest.mark.long
def test_a_cent_on_a_rate_of_the_demo_moves_its_hours(calc, tmp_path):
    assert_a_cent_moves_its_hours(calc, demo(tmp_path), tmp_path / "book")


@pytest.mark.long
@pytest.mark.parametrize("name", ["euro", "endpoints"])
def test_a_cent_on_a_rate_of_other_projects_moves_its_hours(calc, tmp_path, name):
    evaluation = golden(name, tmp_path)
    sign = "€" if evaluation.project.currency == "EUR" else "$"
    assert_a_cent_moves_its_hours(calc, evaluation, tmp_path / "book", sign)


@pytest.mark.long
def test_a_cent_by_use_on_a_contract_and_the_price_fall_move_what_they_are_of(calc, tmp_path):
    evaluation = ahead()
    book = written(evaluation, tmp_path)
    use = next(row for row in evaluation.project.offers if row.offer_id == "od-H100")
    assert {row.flex.offer_id for row in evaluation.advice.pools if row.gpu_model == "H100"} == {use.offer_id}
    contract = next(row for row in evaluation.project.contracts if row.contract_id == "a")
    dearer = {rate_cell(book, "Offer inputs", use.offer_id): float(use.rate_usd_per_gpu_hour + CENT)}
    billed = {rate_cell(book, "Contract inputs", "a"): float(contract.rate_usd_per_gpu_hour + CENT)}
    falls = {names_of(book)["assume_delta"]: 0.05}
    again, by_use, rated, fallen = recalculated(calc, book, dearer, billed, falls)
    before = 0.98
    there = with_rate(evaluation, use, use.rate_usd_per_gpu_hour + CENT)
    assert signed_alike(evaluation, there)
    assert_same_months(months_of(by_use), app_months(there))
    assert by_month(by_use, again, ORDERS) == pytest.approx([0] * 12, abs=1e-6)
    assert all(moved > 0 for moved in by_month(by_use, again, BY_HOUR))
    cost = [0.01 * 3 * HOURS_PER_MONTH * min(max(5.4 - month, 0.0), 1.0) for month in MONTHS]
    for heading in (NOTHING, ADVISED, CONTRACTS):
        assert by_month(rated, again, heading) == pytest.approx(cost, abs=1e-6), heading
    hours = column_of(again, BY_HOUR)
    wanted = [usd * (0.95 / before) ** month for month, usd in enumerate(hours)]
    assert column_of(fallen, BY_HOUR) == pytest.approx(wanted, abs=0.01)
    begins_s = evaluation.project.plan_window.end_s
    signed = [
        sum(
            hours_of(order, begins_s)[month]
            * (
                order.rate * (0.95 / before) ** month_of(order, evaluation)
                + order.upfront_per_gpu / order.term_hours
            )
            for order in evaluation.advice.orders
        )
        for month in MONTHS
    ]
    assert column_of(fallen, ORDERS) == pytest.approx(signed, abs=0.01)


@pytest.mark.long
def test_a_rate_of_exchange_moves_what_is_quoted_in_it(calc, tmp_path):
    """Quotes in the money that is reported stay; those in the other one are worth 1.25 / 1.6 of what they were."""
    evaluation = in_euro("1.25")
    book = written(evaluation, tmp_path)
    again, moved = recalculated(calc, book, {names_of(book)["usd_of_EUR"]: 1.6})
    offers = {offer.offer_id: offer for offer in evaluation.project.offers}
    wanted = [
        sum(
            hours_of(order, evaluation.project.plan_window.end_s)[month]
            * order.rate
            * (1.25 / 1.6 if offers[order.offer_id].currency == "USD" else 1.0)
            for order in evaluation.advice.orders
        )
        for month in MONTHS
    ]
    assert evaluation.advice.orders
    assert column_of(moved, ORDERS, "€") == pytest.approx(wanted, abs=0.01)
    assert column_of(moved, ORDERS, "€") != column_of(again, ORDERS, "€")


@pytest.mark.long
def test_sizes_contracts_growth_and_the_price_fall_move_the_months_as_in_the_app(calc, tmp_path):
    """Of a plan whose levels are set by hand: its orders are the app's whatever else is changed."""
    evaluation = by_hand(ahead(delta=0.0, growth=0.0))
    book = written(evaluation, tmp_path)
    changes = what_ifs(evaluation, cells_of(book)) + [
        assumption(evaluation, book, name, value) for name, value in (("growth", 0.06), ("delta", 0.05))
    ]
    again, *others = recalculated(calc, book, *(change.cells for change in changes))
    assert_same_months(months_of(again), app_months(evaluation))
    assert {change.name for change in changes} >= {"contract's GPUs", "size of a layer"}
    for change, moved in zip(changes, others, strict=True):
        assert_same_months(months_of(moved), app_months(change.app), change.name)


@pytest.mark.long
def test_a_layer_has_the_rate_of_the_offer_that_is_ordered_and_another_offer_is_typed(calc, tmp_path):
    """With what is paid upfront one offer costs 2.34 an hour; the other 2.40, without."""
    evaluation = ahead()
    book = written(evaluation, tmp_path)
    order = next(
        one for one in evaluation.advice.orders if one.offer_id == "node-H100" and one.reason == "now"
    )
    number = [offer.offer_id for offer in evaluation.project.offers].index("other-H100") + 1
    [cell] = list_cells(cells_of(book), order, "Offer no.")
    dearer = {rate_cell(book, "Offer inputs", "node-H100"): 2.3}
    again, moved, other = recalculated(calc, book, dearer, {("Calc orders", cell): number})

    def layer(of_book):
        sheet = SheetCells(cells_of(of_book)["Calc orders"])
        _, head = sheet.column("GPUs, peak")
        columns = [sheet.column(heading, head)[0] for heading in ("Offer", RATE)]
        row = next(at for at in sheet.rows(A="Inference", B="H100", D=24) if at > head)
        return tuple(sheet.cells[f"{letters}{row}"] for letters in columns)

    spread = 2500 / (24 * HOURS_PER_MONTH)
    assert layer(again) == ("node-H100", pytest.approx(2.2 + spread))
    assert layer(moved) == ("node-H100", pytest.approx(2.3 + spread))
    assert layer(other) == ("other-H100", pytest.approx(2.4))
