"""Contracts and orders of a plan over time, those to decide on first."""

from typing import Final

from gpuplanner.domain.audit.utilization.paid_contracts import paid_contracts
from gpuplanner.domain.brief import pages
from gpuplanner.domain.brief.approval import Approval
from gpuplanner.domain.commitment.order_days import Seen
from gpuplanner.domain.commitment.result import Order, Verdict
from gpuplanner.domain.commitment.words.orders import bought_words
from gpuplanner.domain.commitment.words.verdicts import decide_by_s
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.book.contract import Contract, term_words
from gpuplanner.domain.model.window import MONTH_S

MONTHS_SHOWN: Final = 36
MOST_ROWS: Final = 8


def build_timeline(
    evaluation: Evaluation, approval: Approval, verdicts: dict[str, Verdict]
) -> pages.TimelineChart:
    """Contracts and orders as bars, those with a day to order by first; no row where the plan has no days.

    verdicts: by contract.
    """
    seen, orders = approval.seen, (*approval.now, *approval.later)
    window = evaluation.project.plan_window  # of a plan that begins later: no years of nothing before it
    contracts = sorted(
        (
            row
            for row in paid_contracts(evaluation.project)
            if row.end_s is None or row.end_s > window.start_s
        ),
        key=lambda row: (row.end_s is None, row.end_s or 0, row.contract_id),
    )
    rows = [contract_row(row, verdicts.get(row.contract_id), seen) for row in contracts]
    rows += [order_row(order, seen) for order in orders]
    rows.sort(key=lambda row: (row.order_by_s is None, row.order_by_s or 0))
    title = worded("Contracts (filled), orders (outlined), order deadlines (diamonds)")
    if len(rows) > MOST_ROWS:
        title = joined((title, worded("{count} to decide first", count=whole(MOST_ROWS))), ": ")
    end_s = window.end_s + MONTHS_SHOWN * MONTH_S
    shown = tuple(rows[:MOST_ROWS]) if seen.is_dated else ()
    return pages.TimelineChart(
        title=title, rows=shown, begin_s=window.start_s, end_s=end_s, written_s=seen.written_s
    )


def order_row(order: Order, seen: Seen) -> pages.TimeRow:
    """An order; what is late is to be placed on the day of writing, and starts with its lead from there."""
    start_s = seen.starts_s(order)
    span = pages.TimeSpan(
        start_s=start_s,
        end_s=start_s + round(order.term_hours * 3600),
        term_months=order.term_months,
        is_planned=True,
    )
    is_late = seen.is_late(order)
    by_s = seen.written_s if is_late else order.last_day_s
    bought = bought_words((order,))
    if order.is_bought:
        bought = worded("{gpus} to buy", gpus=bought)
    name = joined(("+ ", bought, ", ", term_words(order.term_months, order.term_days)))
    return pages.TimeRow(name, (span,), by_s, is_late)


def contract_row(contract: Contract, verdict: Verdict | None, seen: Seen) -> pages.TimeRow:
    """A contract, and after its end what follows it; verdict None: nobody says."""
    is_by_use = not contract.is_committed
    if verdict is not None and verdict.ends_s is not None:
        contract = contract.ending(verdict.ends_s)
    spans = [
        pages.TimeSpan(
            start_s=contract.start_s,
            end_s=contract.end_s,
            term_months=contract.term_months or 0,
            is_planned=False,
            is_by_use=is_by_use,
        )
    ]
    by_s = None
    if verdict is not None and verdict.gpus and verdict.then_term_months and contract.end_s is not None:
        after_s = contract.end_s + verdict.then_s
        spans.append(
            pages.TimeSpan(
                start_s=contract.end_s, end_s=after_s, term_months=verdict.then_term_months, is_planned=True
            )
        )
        by_s = decide_by_s(verdict, contract)
    if by_s is None or not seen.is_past(by_s):
        return pages.TimeRow(contract.contract_id, tuple(spans), by_s)
    has_ended = contract.end_s is not None and contract.end_s <= seen.written_s
    return pages.TimeRow(
        contract.contract_id, tuple(spans), None if has_ended else seen.written_s, not has_ended
    )
