"""Requests with the plan's rate and quotes that came back, on Calc orders; the front sheet Quotes refers to them."""

from dataclasses import replace
from decimal import Decimal

import pytest

from gpuplanner.domain.award.award import award_of
from gpuplanner.domain.award.deciding import asked_on, decide
from gpuplanner.domain.commitment.recursion.calendar import Calendar
from gpuplanner.domain.figures.award import AWARD
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.quote_source import quote_source
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S, iso_utc
from gpuplanner.domain.reports.award import open_words, remark_of
from gpuplanner.files.workbook.plan.quotes_sheet import match_quotes, term_of
from gpuplanner.files.workbook.write import write_workbook
from tests.domain.award.conftest import CONDITIONS, TODAY_S
from tests.domain.award.conftest import quote as awarded_quote
from tests.domain.award.conftest import row as asked_row
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.evaluations import evaluation_of, two_clusters_evaluated
from tests.files.workbook.recalculate import Recalculator, cells_of, changed_copy, formulas_of
from tests.files.workbook.test_recalculated import light_of
from tests.oracle.crafted import daily
from tests.oracle.projects import Case

SHEET = "Calc orders"


def quote(row, vendor, rate, **more):
    """A quote of a vendor for a row that is asked for."""
    values = {
        "provider": vendor,
        "gpu_memory_gb": 80.0,
        "source": quote_source("RFQ-20260101-000000", row.name),
        **more,
    }
    price = None if rate is None else Decimal(str(rate))
    name = f"quote {vendor} {row.name}"
    return Offer(
        offer_id=name,
        gpu_model=row.gpu_model,
        pricing_category=PricingCategory.COMMITTED,
        term_months=row.term_months,
        rate_usd_per_gpu_hour=price,
        **values,
    )


@pytest.fixture(scope="module")
def day_s():
    return two_clusters_evaluated().project.window.end_s + 5000


@pytest.fixture(scope="module")
def asked(day_s):
    return asked_on(two_clusters_evaluated(), day_s)


@pytest.fixture(scope="module")
def evaluation(asked, day_s):
    """The plan as it was made before any quote came, which then joined the price list: it is not planned again."""
    first = asked[0]
    day = iso_utc(day_s)[:10]
    answers = (
        quote(first, "Northlight", 1.75, valid_until=day),
        quote(
            first,
            "Mossgate",
            1.5,
            max_gpus=first.gpus,
            source=quote_source("RFQ-20260101-000000", first.name, "two sites"),
        ),
        quote(
            first,
            "Odd",
            0.5,
            source=quote_source("RFQ-20260101-000000", first.name, "RTX 4090 nodes, cheaper"),
        ),
        quote(first, "Few", 0.5, max_gpus=1),
        quote(first, "Many", 0.5, min_gpus=10_000),
        quote(first, "Over", 0.5, valid_until="2020-01-01"),
        quote(first, "Silent", None),
        quote(
            asked[2],
            "Node",
            0.5,
            max_gpus=asked[2].node_gpus,
            starts=iso_utc(asked[2].start_s)[:10],
            gpu_memory_gb=None,
            source=quote_source("RFQ-20260101-000000", asked[2].name, "two sites"),
        ),
        quote(first, "Later", 0.5, starts=iso_utc(first.start_s + 2 * DAY_S)),
        quote(replace(first, name="R99"), "Renumbered", 9.0, starts=iso_utc(first.start_s)[:10]),
        replace(quote(first, "Unasked", 9.0), source="a list"),
        replace(quote(first, "Other term", 0.5), term_months=35),
    )
    found = two_clusters_evaluated()
    offers = tuple(sorted((*found.project.offers, *answers), key=lambda offer: offer.offer_id))
    return replace(found, project=replace(found.project, offers=offers))


@pytest.fixture(scope="module")
def book(evaluation, day_s, tmp_path_factory):
    path = tmp_path_factory.mktemp("quotes") / "plan.xlsx"
    write_workbook(evaluation, path, day_s)
    return path


def of(cells, heading, **wanted):
    return cells.cells[cells.under(heading, **wanted)]


def test_the_rows_are_those_of_the_requests(book, asked, evaluation):
    cells = SheetCells(cells_of(book)[SHEET])
    rates = {offer.offer_id: offer.rate for offer in evaluation.project.offers}
    for row in asked:
        assert of(cells, "GPUs asked for", A=row.name) == row.gpus
        assert of(cells, "GPUs of the plan", A=row.name) == pytest.approx(row.ordered_gpus)
        assert of(cells, "Contract term", A=row.name) == str(term_of(row))
        usd = sum(order.bought_gpus * rates[order.offer_id] for order in row.orders)
        assert of(cells, "Plan's rate, $ per GPU-h", A=row.name) == pytest.approx(usd / row.ordered_gpus)
        hours = sum(order.term_hours for order in row.orders) / len(row.orders)
        assert of(cells, "Plan, $ over its terms", A=row.name) == pytest.approx(hours * usd)
    (total,) = cells.rows(A="Firm rows with a quote")
    first = cells.column("Request")[1] + 1
    assert [cells.cells[f"A{at}"] for at in range(first, total)] == [row.name for row in asked]


def test_each_quote_stands_beside_its_row_and_the_cheapest_that_qualifies_counts(book, asked):
    cells = SheetCells(cells_of(book)[SHEET])
    (_, head), (_, end) = (cells.column(title) for title in ("For request", "Who gets what"))
    said = {
        cells.cells[f"C{row}"]: of(cells, "Qualifies", C=cells.cells[f"C{row}"])
        for row in cells.rows(A=asked[0].name)
        if head < row < end
    }
    assert said == {
        "Few": "for a part",
        "Later": "starts later",
        "Many": "only larger orders",
        "Mossgate": "yes",
        "Northlight": "yes",
        "Odd": said["Odd"],
        "Over": "no longer valid",
        "Renumbered": "yes",
        "Silent": "no rate",
    }
    assert "RTX 4090" in said["Odd"] and asked[0].gpu_model in said["Odd"]
    assert (
        asked[2].gpus > asked[2].node_gpus
        and of(cells, "Qualifies", A=asked[2].name, C="Node") == "for a part"
    )
    name = asked[0].name
    assert of(cells, "Remark", A=name, C="Mossgate") == "two sites"
    assert of(cells, "Quotes that qualify", A=name) == 3
    assert (of(cells, "Cheapest, $ per GPU-h", A=name), of(cells, "From", A=name)) == (1.5, "Mossgate")
    hours = asked[0].orders[0].term_hours * asked[0].terms
    best = of(cells, "Cheapest, $ over all terms", A=name)
    assert best == pytest.approx(1.5 * asked[0].gpus * hours)
    plan = of(cells, "Plan's rate, $ per GPU-h", A=name) * asked[0].gpus * hours
    assert of(cells, "Below the plan, $ over all terms", A=name) == pytest.approx(plan - best)
    others = [of(cells, "From", A=row.name) for row in asked[2:]]
    assert others == ["quote needed"] * len(others)
    (total,) = cells.rows(A="Firm rows with a quote")
    assert f"2 of {sum(not row.is_option for row in asked)} quoted" in [
        cells.cells.get(f"{letters}{total}") for letters in "KLMNO"
    ]


def test_who_gets_what_is_the_award_of_that_day(book, evaluation, day_s):
    """Each line with what it costs over its term, and beside the plan's rate; sums are held to the app's."""
    award = decide(evaluation, day_s, lambda _: (0.0, 0.0))
    cells = SheetCells(cells_of(book)[SHEET])
    _, head = cells.column("Who gets what")
    columns = {
        key: cells.column(AWARD[key].heading(", "), head)[0]
        for key in ("gpus", "liability", "saves_beside_plan")
    }
    offers = cells.column("Offer", head)[0]
    said = {
        (cells.cells[f"A{row}"], cells.cells[f"{offers}{row}"]): [
            cells.cells[f"{letters}{row}"] for letters in columns.values()
        ]
        for one in award.awarded
        for row in cells.rows(**{"A": one.row.name, offers: one.offer.offer_id})
        if row > head
    }
    remarks = cells.column("Remark", head)[0]
    given = [
        cells.cells.get(f"{remarks}{row}")
        for one in award.awarded
        for row in cells.rows(**{"A": one.row.name, offers: one.offer.offer_id})
        if row > head
    ]
    assert given == [remark_of(one.offer) or None for one in award.awarded] and "two sites" in given
    assert award.awarded and said == {
        (one.row.name, one.offer.offer_id): [pytest.approx(getattr(one, key)) for key in columns]
        for one in award.awarded
    }
    reasons = {str(open_words(one)) for one in award.open}
    open_rows = {
        row: cells.cells[f"{columns['gpus']}{row}"]
        for words in reasons
        for row in cells.rows(C=words)
        if row > head
    }
    assert len(reasons) == 2
    assert sum(open_rows.values()) == award.open_gpus
    assert [cell for cell in cells_of(book)["Check list"].values() if "Award" in str(cell)]


def test_a_least_number_holds_over_all_rows_as_in_the_award():
    """Two rows of 16 that one quote of 24 at least is for: both media let it qualify."""
    one = asked_row("R1", 16)
    other = asked_row("R2", 16)
    offer = awarded_quote(
        "a", 2.0, min_gpus=24, source="Quote RFQ-20261001-AAAA R1", starts=iso_utc(one.start_s)[:10]
    )
    conditions = replace(CONDITIONS, calendar=Calendar(begin_s=TODAY_S))
    (first, second) = match_quotes([one, other], [offer], conditions)
    assert (first.together, second.together) == ((0, 1), (0, 1)) and not first.never
    award = award_of([one, other], [offer], conditions)
    assert award is not None and award.open_gpus == 0


def test_what_a_vendor_answers_with_another_gpu_model_stands_beside_its_row_and_does_not_qualify():
    one = asked_row("R1", asked_as=(("RFQ-20261001-AAAA", "R1"),))
    offer = awarded_quote("a", 2.0, gpu_model="H200", source="Quote RFQ-20261001-AAAA R1")
    (said,) = match_quotes([one], [offer], CONDITIONS)
    assert (said.row, said.never) == (0, "another GPU model")


def test_the_front_sheet_has_a_row_for_each_request_and_no_list_price_as_a_quote(book, asked):
    """GPUs are summed nowhere; a vendor has a column or shares one; the best is that of the table behind."""
    cells, behind = (SheetCells(cells_of(book)[name]) for name in ("Quotes", SHEET))
    _, head = cells.column("Request")
    rows = range(head + 1, head + 1 + len(asked))
    assert [cells.cells[f"A{row}"] for row in rows] == [row.name for row in asked]
    assert [of(cells, "GPUs", A=row.name) for row in asked] == [row.gpus for row in asked]
    assert f"B{head + 1 + len(asked)}" not in cells.cells
    name = asked[0].name
    headings = {value: at.rstrip("0123456789") for at, value in cells.cells.items() if at.endswith(str(head))}
    first, last = headings["On demand, $ per GPU-h"], headings["Best"]
    vendors = [words for words, letters in headings.items() if first < letters < last]
    assert len(vendors) == 4 and vendors[-1] == "Other" and "Unasked" not in vendors
    assert [of(cells, vendor, A=name) for vendor in vendors] == [0.5] * 4
    assert of(cells, "Best", A=name) == 1.5
    for here, there in (
        ("Best, $ over the term", "Cheapest, $ over all terms"),
        ("Below plan, $", "Below the plan, $ over all terms"),
    ):
        assert of(cells, here, A=name) == of(behind, there, A=name)
    formulas = formulas_of(book)["Quotes"]
    assert "'Calc orders'!" in formulas[cells.under("Best", A=name)]
    statuses = [of(cells, "Status", A=row.name) for row in asked]
    assert [status.partition(" ")[0] for status in statuses] == ["Expires", "1", "Needs", "No", "No"]


@pytest.mark.long
def test_a_book_without_quotes_says_that_they_are_needed(tmp_path, asked, day_s):
    path = tmp_path / "plan.xlsx"
    write_workbook(two_clusters_evaluated(), path, day_s)
    cells = SheetCells(cells_of(path)[SHEET])
    assert {of(cells, "From", A=row.name) for row in asked} == {"quote needed"}
    assert {of(cells, "Quotes that qualify", A=row.name) for row in asked} == {0}


@pytest.mark.long
def test_another_program_finds_the_same_and_a_changed_rate_another_vendor(need_tool, book, asked, tmp_path):
    calc = Recalculator(need_tool("soffice"), tmp_path / "soffice")
    [again] = calc.recalculated(book)
    before, after = cells_of(book)[SHEET], cells_of(again)[SHEET]
    for at, value in before.items():
        told = after.get(at)
        assert told == (pytest.approx(value) if isinstance(value, float | int) else value), at
    rate = SheetCells(cells_of(book)["Offer inputs"]).under(
        "Rate, $ per GPU-h", A=f"quote Northlight {asked[0].name}"
    )
    [dearer] = Recalculator(calc.soffice, tmp_path / "changed").recalculated(
        changed_copy(book, tmp_path / "changed.xlsx", {("Offer inputs", rate): 1.25})
    )
    cells = SheetCells(cells_of(dearer)[SHEET])
    assert of(cells, "From", A=asked[0].name) == "Northlight"
    assert of(cells, "Cheapest, $ per GPU-h", A=asked[0].name) == 1.25


@pytest.mark.long
def test_the_offer_of_a_list_is_never_awarded_beside_a_dearer_quote(tmp_path, need_tool):
    """Its order is of a later month, at which prices have fallen; a vendor that is dearer answered the row."""
    case = Case(192, sigma=0.0, delta=0.05, growth=0.0, slices_lived=False, **{"lambda": 0.0})
    case.workload("alpha", "chat", "inference", daily(192, 8, 8))
    case.contract("k", "alpha", 8, 2.5, ends=1.4, term_months=12)
    case.offers_of("H100", 6.88, {12: 2.75}, upfront_usd=Decimal(100), lead_time_hours=100)
    found = evaluation_of(case)
    day_s = found.project.window.end_s + 5000
    (row,) = asked_on(found, day_s)
    (spread,) = {order.spread_rate for order in row.orders}
    offers = (*found.project.offers, quote(row, "Dear", 3.5, starts=iso_utc(row.start_s)[:10]))
    found = replace(found, project=replace(found.project, offers=offers))
    write_workbook(found, tmp_path / "plan.xlsx", day_s)
    award = decide(found, day_s, lambda _: (0.0, 0.0))
    (given,), (list_price,) = award.awarded, award.benchmarks
    assert given.offer.provider == "Dear" and given.plan_rate == spread < list_price.rate < 3.5
    assert light_of(tmp_path / "plan.xlsx") == "green"
    [again] = Recalculator(need_tool("soffice"), tmp_path / "soffice").recalculated(tmp_path / "plan.xlsx")
    for found in (tmp_path / "plan.xlsx", again):  # of one quote, too
        assert of(SheetCells(cells_of(found)[SHEET]), "From", A=row.name) == "Dear"
