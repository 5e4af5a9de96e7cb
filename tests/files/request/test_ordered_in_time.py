"""A quote for January is not ordered for October: the days of an answer bound the orders of a plan."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import instant_s
from gpuplanner.files.importing.import_tables import import_prices
from tests.files.request.answered_files import HEAD_VALUES, asked, sheet_of, write_xlsx
from tests.files.workbook.evaluations import evaluated, evaluation_of, two_clusters_with_layers


@pytest.fixture(scope="module")
def evaluation():
    return evaluation_of(two_clusters_with_layers())


def day_of(project: Project, days: int) -> datetime:
    """A day so long after the plan begins, as a cell has it."""
    begins = datetime.fromtimestamp(project.plan_window.end_s, UTC).replace(
        tzinfo=None, hour=0, minute=0, second=0
    )
    return begins + timedelta(days=days)


def orders_of_quote(evaluation, folder: Path, start: int, until: int | None) -> Sequence[Order]:
    """The orders of a plan that take a quote which undercuts all other offers; start, until: days after it begins."""
    project = evaluation.project
    quoted_on = day_of(project, -5)
    head = HEAD_VALUES | {
        "quoted_on": quoted_on,
        "valid_until": None if until is None else day_of(project, until),
        "validity": "as usual",
    }
    rows = [asked("R1", rate=0.5, start=day_of(project, start))]
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


def test_it_is_ordered_from_its_start_on_and_while_it_holds(evaluation, tmp_path: Path) -> None:
    assert orders_of_quote(evaluation, tmp_path, start=90, until=150)


def test_without_a_day_it_holds_until_its_start(evaluation, tmp_path: Path) -> None:
    at_once = orders_of_quote(evaluation, tmp_path, start=0, until=None)
    assert at_once and all(order.month == 0 for order in at_once)


def test_one_whose_day_is_over_is_not_ordered(evaluation, tmp_path: Path) -> None:
    assert not orders_of_quote(evaluation, tmp_path, start=-30, until=-2)
