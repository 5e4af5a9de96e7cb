"""A quote for January is not ordered for October: the days of an answer bound the orders of a plan."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.plan.scenario import HandLayer
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, MONTH_S, instant_s
from gpuplanner.files.importing.import_tables import import_prices
from tests.files.open_document_files import Value
from tests.files.request.answered_files import HEAD_VALUES, asked, sheet_of, write_xlsx
from tests.files.workbook.evaluations import evaluated, two_clusters_evaluated, two_clusters_with_layers


@pytest.fixture(scope="module")
def evaluation():
    return two_clusters_evaluated()


def day_of(project: Project, days: int) -> datetime:
    """A day so long after the plan begins, as a cell has it."""
    begins = datetime.fromtimestamp(project.plan_window.end_s, UTC).replace(
        tzinfo=None, hour=0, minute=0, second=0
    )
    return begins + timedelta(days=days)


def orders_of_quote(
    evaluation, folder: Path, start: int, until: int | None, **cells: Value
) -> Sequence[Order]:
    """The orders of a plan that take a quote which undercuts all other offers; start, until: days after it begins."""
    project = evaluation.project
    quoted_on = day_of(project, -5)
    head = HEAD_VALUES | {
        "quoted_on": quoted_on,
        "valid_until": None if until is None else day_of(project, until),
        "validity": "as usual",
    }
    rows = [asked("R1", rate=0.5, start=day_of(project, start), **cells)]
    read = import_prices([str(write_xlsx(folder / "a.xlsx", {"Q": sheet_of(rows, head=head)}))])
    assert len(read.offers) == 1
    with_quote = replace(project, offers=(*project.offers, *read.offers))
    advice = evaluated(with_quote, two_clusters_with_layers().classifications).advice
    ids = {offer.offer_id for offer in with_quote.offers if answered_row(offer)}
    found = [order for order in advice.orders if order.offer_id in ids]
    (offer,) = read.offers
    for order in found:
        assert offer.starts is not None and order.start_s >= instant_s(offer.starts)
        assert offer.last_order_s is not None and order.order_by_s <= offer.last_order_s
    return found


def days_after(evaluation, orders: Sequence[Order]) -> set[float]:
    """When orders start, days after midnight of the day on which the plan begins."""
    begins_s = instant_s(day_of(evaluation.project, 0).strftime("%Y-%m-%d"))
    return {(order.start_s - begins_s) / DAY_S for order in orders}


def test_it_is_ordered_from_its_start_on_and_while_it_holds(evaluation, tmp_path: Path) -> None:
    assert orders_of_quote(evaluation, tmp_path, start=90, until=150)


def test_one_that_is_valid_for_days_is_ordered_early_for_a_later_start(evaluation, tmp_path: Path) -> None:
    begins_s = evaluation.project.plan_window.end_s
    found = orders_of_quote(evaluation, tmp_path, start=90, until=10)
    assert days_after(evaluation, found) == {90}
    assert all(order.order_by_s < begins_s + 11 * DAY_S for order in found)


def test_a_level_set_by_hand_is_not_renewed_at_a_quote(evaluation, tmp_path: Path) -> None:
    """It is held at the quote of its own start for its term, and after that at the list."""
    project = evaluation.project
    head = HEAD_VALUES | {"quoted_on": day_of(project, -5), "valid_until": day_of(project, 30)}
    rows = [asked("R1", rate=0.5, start=day_of(project, 2), term="3 months", lead=0)]
    read = import_prices([str(write_xlsx(tmp_path / "a.xlsx", {"Q": sheet_of(rows, head=head)}))])
    scenario = replace(project.scenarios[0], hand_layers={(Pool.INFERENCE, "H100"): (HandLayer(3, 2),)})
    project = replace(project, offers=(*project.offers, *read.offers), scenarios=(scenario,))
    advice = evaluated(project, two_clusters_with_layers().classifications).advice
    mine = [one for one in advice.orders if (one.pool, one.gpu_model) == (Pool.INFERENCE, "H100")]
    chain = sorted(mine, key=lambda one: one.start_s)
    assert [one.offer_id.startswith("quote") for one in chain] == [True] + [False] * (len(chain) - 1)
    assert chain[0].start_s == project.plan_window.end_s and len(chain) >= 4
    assert all(one.start_s == before.end_s for before, one in pairwise(chain))
    assert all(one.end_s - one.start_s == 3 * MONTH_S for one in chain)


@pytest.mark.long
def test_what_takes_a_contracts_place_is_ordered_while_the_quote_holds(evaluation, tmp_path: Path) -> None:
    begins_s = evaluation.project.plan_window.end_s
    found = orders_of_quote(evaluation, tmp_path, start=164, until=10)
    ends = {one.end_s for one in evaluation.project.contracts}
    followed = {order.start_s for order in found if order.reason == "contract_end"}
    assert followed and followed <= ends
    assert all(order.order_by_s < begins_s + 11 * DAY_S for order in found)


@pytest.mark.long
def test_what_is_asked_for_some_days_on_serves_from_then_on(evaluation, tmp_path: Path) -> None:
    found = orders_of_quote(evaluation, tmp_path, start=2, until=30, lead=0)
    assert days_after(evaluation, found) == {2}


@pytest.mark.long
def test_a_vendor_that_starts_later_is_paid_from_then_on(evaluation, tmp_path: Path) -> None:
    earliest = day_of(evaluation.project, 17)
    found = orders_of_quote(evaluation, tmp_path, start=2, until=30, lead=0, earliest=earliest)
    assert days_after(evaluation, found) == {17}
    assert all(
        order.liability == pytest.approx(order.bought_gpus * 0.5 * order.term_hours) for order in found
    )


def test_its_rate_is_firm_until_it_starts(evaluation, tmp_path: Path) -> None:
    (rate,) = {order.rate for order in orders_of_quote(evaluation, tmp_path, start=90, until=10)}
    assert rate == 0.5


@pytest.mark.long
def test_its_least_number_holds_in_the_month_it_is_for(evaluation, tmp_path: Path) -> None:
    (taken,) = {
        sum(o.bought_gpus for o in orders_of_quote(evaluation, tmp_path, 90, 10, least=n)) for n in (1, 4)
    }
    assert 4 <= taken < 64
    whole = orders_of_quote(evaluation, tmp_path, start=90, until=10, least=64)
    assert (
        sum(order.bought_gpus for order in whole) == 64
    )  # the rest stands idle, and it is still the cheapest
    assert not orders_of_quote(evaluation, tmp_path, start=90, until=10, least=640)


def test_without_a_day_it_holds_until_its_start(evaluation, tmp_path: Path) -> None:
    at_once = orders_of_quote(evaluation, tmp_path, start=0, until=None)
    begins_s = evaluation.project.plan_window.end_s
    assert at_once and all(begins_s <= order.start_s < begins_s + MONTH_S for order in at_once)


def test_one_whose_day_is_over_is_not_ordered(evaluation, tmp_path: Path) -> None:
    assert not orders_of_quote(evaluation, tmp_path, start=-30, until=-2)


@pytest.mark.parametrize(("until", "ends"), [("no", "2027-01-15"), (datetime(2027, 3, 1), None)])
def test_days_that_do_not_renew_are_capacity_of_those_days(
    tmp_path: Path, until: Value, ends: str | None
) -> None:
    start = datetime(2027, 1, 1)
    rows = [asked("R1", rate=0.5, term="14 days", start=start, until=until)]
    read = import_prices([str(write_xlsx(tmp_path / "a.xlsx", {"Q": sheet_of(rows)}))])
    assert [(offer.term_days, offer.starts, offer.ends) for offer in read.offers] == [
        (14, "2027-01-01", ends)
    ]
