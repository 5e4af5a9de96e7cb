"""GPUs of our own among what is rented, by days and paid upfront too: their rate is a formula in a column of inputs."""

from dataclasses import replace
from decimal import Decimal

import openpyxl
import pytest

from gpuplanner.files.workbook.answers.exported_sheet import CHANGED_WORDS, UNCHANGED
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.evaluations import OWNED, evaluation_of, two_clusters_with_layers
from tests.files.workbook.people import book_with_tables, carried_out, copied_in, deleted, sorted_by, typed
from tests.files.workbook.recalculate import cells_of, names_of
from tests.files.workbook.test_people import errors_in
from tests.files.workbook.test_recalculated import apart, light_of, summary_of, totals
from tests.files.workbook.test_the_light import said_in
from tests.files.workbook.what_if import by_hand

RATE, PRICE, LEFT = "Rate, $ per GPU-h", "Price to own, $ per GPU", "Residual value"
CAPITAL = "Capital, $ per month"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """An evaluation whose plan signs what is owned, its book, and where the offers stand."""
    case = two_clusters_with_layers()
    case.offer("by-days", 1, 1.9, "A100", term_days=30)
    case.offer("prepaid", 24, 2.2, upfront_usd=Decimal(1000))
    case.offers += [OWNED, replace(OWNED, offer_id="own-unpriced", gpu_model="H100", capex_usd_per_gpu=None)]
    evaluation, path = evaluation_of(case), tmp_path_factory.mktemp("owned") / "plan.xlsx"
    areas = {area.title: area for area in book_with_tables(evaluation, path)}
    assert "own" in {layer.offer_id for pool in evaluation.advice.pools for layer in pool.layers}
    return evaluation, path, areas["Offers"]


def cell(book, heading, offer):
    return SheetCells(cells_of(book)["Offer inputs"]).under(heading, A=offer)


@pytest.mark.long
def test_a_rate_that_follows_takes_nothing_and_its_price_takes_what_a_list_may_say(written):
    _, book, _ = written
    sheet = openpyxl.load_workbook(book)["Offer inputs"]

    def rule(heading, offer):
        (found,) = (
            one for one in sheet.data_validations.dataValidation if cell(book, heading, offer) in one.sqref
        )
        return found.type, found.formula1, found.formula2

    wall = ("custom", "FALSE", None)
    assert rule(RATE, "own") == rule(PRICE, "c12-A100") == rule(LEFT, "c12-A100") == wall
    assert rule(RATE, "c12-A100") == ("decimal", "0", None)
    assert (rule(LEFT, "own"), rule("PUE", "own")) == (("decimal", "0", "1"), ("decimal", "1", "3"))
    assert sheet[cell(book, RATE, "own")].protection.locked
    assert not sheet[cell(book, PRICE, "own")].protection.locked


def test_no_cell_has_two_rules(written):
    """A column with both formulas and values has one wall: what two rules of a cell come to, nobody says."""
    _, book, _ = written
    for sheet in openpyxl.load_workbook(book):
        held = [
            cell
            for rule in sheet.data_validations.dataValidation
            for area in rule.sqref.ranges
            for cell in area.cells
        ]
        assert len(held) == len(set(held)), sheet.title


@pytest.mark.long
def test_what_is_done_to_an_owned_offer_is_followed_or_said(need_tool, written, tmp_path):
    evaluation, book, offers = written
    row = int(cell(book, RATE, "own")[1:]) - 1
    rate, price, spot = (cell(book, *at) for at in ((RATE, "own"), (PRICE, "own"), (RATE, "spot-A100")))
    capital = cell(book, CAPITAL, "own")
    gone, over = " is not in Offers any more", " does not agree with its formula any more"
    deeds = (
        (sorted_by(offers, 5, up=True), "green", UNCHANGED),
        (deleted(offers, row), "changed", f"{CHANGED_WORDS}own{gone}"),
        (
            deleted(offers, int(cell(book, RATE, "by-days")[1:]) - 1),
            "changed",
            f"{CHANGED_WORDS}by-days{gone}",
        ),
        (copied_in(offers, row, offers.first + 2), "changed", f"{CHANGED_WORDS}1 row added to Offers"),
        (
            typed("Offer inputs", [(price, 30_000)]),
            "changed",
            f"{CHANGED_WORDS}own: {PRICE} ('Offer inputs'!{price})",
        ),
        (typed("Offer inputs", [(price, 0)]), "red", f"{CHANGED_WORDS}own: {PRICE} is out of range"),
        (
            typed("Offer inputs", [(cell(book, LEFT, "own"), 30)]),
            "red",
            f"{CHANGED_WORDS}own: {LEFT} is out of range",
        ),
        (
            typed("Offer inputs", [(rate, 0.5)]),
            "red",
            f"{CHANGED_WORDS}own: {RATE}{over} ('Offer inputs'!{rate})",
        ),
        (
            typed("Offer inputs", [(rate, 0.5), (spot, 1.1)]),
            "red",
            f"{CHANGED_WORDS}spot-A100: {RATE} ('Offer inputs'!{spot}); own: ",
        ),
        (typed("Offer inputs", [(capital, cells_of(book)["Offer inputs"][capital])]), "red", ""),
    )
    books = carried_out(need_tool("soffice"), book, tmp_path / "made", [deed for deed, *_ in deeds])
    for (deed, word, said), again in zip(deeds, books, strict=True):
        assert (light_of(again), errors_in(again)) == (word, []), deed
        assert said_in(again).startswith(said), (deed, said_in(again))
    assert apart(summary_of(books[0]), totals(evaluation)) == {}
    assert f"own: {RATE}{over} ('Offer inputs'!{rate})" in light_words(books[7])
    assert light_words(books[8]).startswith("red: ") and "Offers" in light_words(books[8])
    dearer = replace(OWNED, capex_usd_per_gpu=Decimal(30_000))
    there = by_hand(
        evaluation,
        offers=tuple(dearer if one.offer_id == "own" else one for one in evaluation.project.offers),
    )
    [rate] = {one.rate for one in there.advice.orders if one.offer_id == "own"}
    begins_s, dearer_usd = evaluation.project.plan_window.end_s, 0.0
    for order in evaluation.advice.orders:
        if order.offer_id == "own":
            hours = max(0, 730 - (order.start_s - begins_s) / 3600)
            dearer_usd += order.gpus * hours * (rate - order.rate)
    moved = [summary_of(of_book)["plan_usd_per_month"] for of_book in (books[0], books[4])]
    assert moved[1] - moved[0] == pytest.approx(dearer_usd) and dearer_usd > 0


def light_words(book):
    sheet, at = names_of(book)["all_checks"]
    return cells_of(book)[sheet][at]
