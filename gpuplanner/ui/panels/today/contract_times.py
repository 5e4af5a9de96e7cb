"""The rows of the contract timeline: contracts with what follows them, then the orders of the plan; and its months."""

from datetime import UTC, datetime
from typing import Final

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.charts.plots.timeline import Mark, Span, TimelineRow
from gpuplanner.domain.commitment.result import Verdict
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.window import Window
from gpuplanner.files.contracts.contract_words import contract_parts, sentence_of
from gpuplanner.ui.kit.palettes import Palette
from gpuplanner.ui.panels.today import contract_dates
from gpuplanner.ui.state.commitment_words import LAPSED, Commitments, short_term
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words import numbers

MONTHS_SHOWN: Final = 36
"""Months after the plan begins that the timeline reaches."""


def timeline_rows(shown: ViewState, palette: Palette, today_s: int) -> list[TimelineRow]:
    """One row a contract, by their ends; then one an order of the plan, by the day to order by."""
    verdicts, lapsed = contract_dates.verdicts_in(shown), contract_dates.lapsed_in(shown, today_s)
    rows = [
        _contract_row(contract, verdicts.get(contract.contract_id), shown, palette, today_s)
        for contract in contract_dates.sorted_contracts(shown)
    ]
    return rows + [
        _order_row(row, shown, palette, today_s, has_lapsed=row[0].offer_id in lapsed)
        for row in contract_dates.orders_in(shown, today_s)
    ]


def _contract_row(
    contract: Contract, verdict: Verdict | None, shown: ViewState, palette: Palette, today_s: int
) -> TimelineRow:
    found = contract_dates.dates_of(contract, verdict, shown)
    by_use = not contract.is_committed
    colour = palette.term(0 if by_use else contract.term_months or 0).name()
    from_s = found.ends_s or contract.end_s
    stops_s = min(filter(None, (contract.end_s, from_s)), default=None)
    spans = [Span(start_s=contract.start_s, end_s=stops_s, colour=colour, is_hatched=by_use)]
    if verdict is not None and verdict.gpus and verdict.then_term_months and from_s is not None:
        term = palette.term(verdict.then_term_months).name()
        spans.append(Span(start_s=from_s, end_s=from_s + verdict.then_s, colour=term, is_pale=True))
    if from_s is not None and contract.end_s is not None and contract.end_s < from_s:
        colour = palette.term(contract.term_months or 0).name()
        spans.append(Span(start_s=contract.end_s, end_s=from_s, colour=colour, is_pale=True))
    marks = [
        Mark(at_s, is_order, bool(contract_dates.late_words(at_s, today_s)))
        for at_s, is_order in ((found.notice_by_s, False), (found.order_by_s, True))
        if at_s is not None
    ]
    if len(marks) > 1 and marks[0].at_s == marks[1].at_s:
        marks = marks[1:]
    lines = [
        f"{contract.contract_id}: {spoken(sentence_of(contract_parts(contract)))}",
        tr("Notice by {notice_by_s}", notice_by_s=contract_dates.dated(found.notice_by_s, today_s))
        if found.notice_by_s is not None
        else "",
        tr("Order by {order_by_s}", order_by_s=contract_dates.dated(found.order_by_s, today_s))
        if found.order_by_s is not None
        else "",
        numbers.capital(tr("then {then}", then=found.then)) if found.then else "",
    ]
    name, words = contract.contract_id, "\n".join(filter(None, lines))
    return TimelineRow(key=name, name=name, spans=tuple(spans), marks=tuple(marks), tip=words)


def _order_row(
    row: Commitments, shown: ViewState, palette: Palette, today_s: int, *, has_lapsed: bool
) -> TimelineRow:
    """Orders that continue each other: a span each, and the day by which to place the first."""
    order = row[0]
    colour = palette.term(order.term_months).name()
    spans = tuple(Span(start_s=one.start_s, end_s=one.end_s, colour=colour, is_pale=True) for one in row)
    is_late = has_lapsed or bool(contract_dates.late_words(order.last_day_s, today_s))
    mark = Mark(order.last_day_s, True, is_late)
    usd = contract_dates.order_usd_text(order, shown)
    is_known = contract_dates.order_usd(order, shown) is not None
    offer, *facts = contract_dates.order_facts(row, shown)
    signs = tr(LAPSED)
    if not has_lapsed:
        signs = tr("Order by {order_by_s}", order_by_s=contract_dates.dated(order.last_day_s, today_s))
    money = tr("{first}, {second}", first=offer, second=tr("${usd} per month", usd=usd) if is_known else usd)
    lines = (tr("New: {order}", order=contract_dates.order_words(row)), money, *facts, signs)
    gpus, model, months = numbers.gpus(order.gpus), order.gpu_model or "GPUs", short_term(row)
    name = tr("+ {gpus} {gpu_model}, {months}", gpus=gpus, gpu_model=model, months=months)
    return TimelineRow(
        key=contract_dates.order_key(order), name=name, spans=spans, marks=(mark,), tip="\n".join(lines)
    )


def timeline_ticks(window: Window, end_s: int, is_wide: bool) -> list[tuple[int, str]]:
    """The first days of half-years (of quarters, where there is room) from the window to end_s, with words."""
    first, last = datetime.fromtimestamp(window.start_s, UTC).year, datetime.fromtimestamp(end_s, UTC).year
    ticks = []
    for year in range(first, last + 1):
        for month in (1, 4, 7, 10) if is_wide else (1, 7):
            at_s = int(datetime(year, month, 1, tzinfo=UTC).timestamp())
            if window.start_s <= at_s <= end_s:
                text = str(year) if month == 1 else numbers.short_date(at_s).split(" ", 1)[1]
                ticks.append((at_s, text))
    return ticks
