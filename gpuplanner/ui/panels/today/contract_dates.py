"""Contracts and orders by their days: what follows a contract, what to decide by when, as a table and as a calendar."""

from typing import Final

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.audit.utilization.paid_contracts import paid_contracts
from gpuplanner.domain.commitment.order_days import seen_in
from gpuplanner.domain.commitment.plan.ground import needs_no_notice
from gpuplanner.domain.commitment.plan.layers import order_dollars
from gpuplanner.domain.commitment.result import Order, Verdict, vendors
from gpuplanner.domain.commitment.words.verdicts import decide_by_s, follows, verdict_words
from gpuplanner.domain.evidence.plan.layers import order_subject
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.message import lowered, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.renewal import notice_by_s
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.state import commitment_words
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Cell, Column, Row, written
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of

ASK_AGAIN: Final = worded("ask again")
ORDER_KEY: Final = "\0order\t"


@dataclass(frozen=True, slots=True)
class Dates:
    """Of one contract: the last days to order what follows and to give notice (epoch seconds), and what follows.

    order_by_s, notice_by_s None: there is nothing to order, no notice to give. then: what the plan puts in its place,
    "" where nobody planned. ends_s: the end that it has in the plan, where its file has another or none.
    """

    order_by_s: int | None
    notice_by_s: int | None
    then: str
    ends_s: int | None = None


def dates_of(contract: Contract, verdict: Verdict | None, shown: ViewState) -> Dates:
    """What to do about a contract by when. Without a plan only its own notice is known."""
    ends_s = None if _is_given(contract, shown) else contract.end_s
    if verdict is None:
        return Dates(None, notice_by_s(contract, ends_s), "")
    if verdict.verdict in ("keep", "renew"):
        ends_s = None
    elif verdict.verdict == "end":
        ends_s = verdict.ends_s or contract.end_s
    by_s, then = decide_by_s(verdict, contract), spoken(verdict_words(verdict, contract))
    return Dates(by_s if follows(verdict) else None, notice_by_s(contract, ends_s), then, verdict.ends_s)


def _is_given(contract: Contract, shown: ViewState) -> bool:
    """Whether in the plan that is shown there is no notice to give."""
    return not shown.is_today and needs_no_notice(contract, shown.evaluation.figures.basis.plan)


def late_words(at_s: int, today_s: int) -> str:
    """12 days ago; "" for a day that is still to come, or today."""
    days = today_s // DAY_S - at_s // DAY_S
    return tr("{days} ago", days=numbers.counted(days, "day")) if days > 0 else ""


def dated(at_s: int, today_s: int) -> str:
    """3 Aug 2026, 12 days ago."""
    late = late_words(at_s, today_s)
    return tr("{first}, {second}", first=numbers.date(at_s), second=late) if late else numbers.date(at_s)


# ---------------------------------------------------------------- what is shown


def sorted_contracts(shown: ViewState) -> list[Contract]:
    """By their ends, those without one last; those that ended before the window left out."""
    window = shown.evaluation.project.window
    contracts = paid_contracts(shown.evaluation.project)
    rows = [row for row in contracts if row.end_s is None or row.end_s > window.start_s]
    return sorted(rows, key=lambda row: (row.end_s is None, row.end_s or 0, row.contract_id))


def verdicts_in(shown: ViewState) -> dict[str, Verdict]:
    """Verdicts of the plan that is shown, by contract_id; none of the past."""
    if shown.advice is None or shown.is_today:
        return {}
    return {row.contract_id: row for row in shown.advice.verdicts}


def orders_in(shown: ViewState, today_s: int) -> list[commitment_words.Commitments]:
    """Orders of the plan that is shown, those that continue each other together, by the day to order by; none of the
    past."""
    if shown.advice is None or shown.is_today:
        return []
    return commitment_words.rows_left(shown.advice.orders, seen_in(shown.evaluation.project, today_s))


def lapsed_in(shown: ViewState, today_s: int) -> frozenset[str]:
    """offer_ids of quotes that can no longer be ordered: what stands on them is to be asked again."""
    seen = seen_in(shown.evaluation.project, today_s)
    return seen.closed if seen.is_dated else frozenset()


def order_words(row: commitment_words.Commitments) -> str:
    """44 H100 for 12 months, inference; 2 H100, monthly, until 22 Oct 2027, inference. row: orders that continue each
    other."""
    pool = spoken(lowered(lane_of(row[0].pool).word))
    return ", ".join([commitment_words.bought_for(row), *commitment_words.in_place_of(row[:1]), pool])


def order_facts(row: commitment_words.Commitments, shown: ViewState) -> list[str]:
    """Of orders that continue each other: their offer, when they start and end, why, and their $ over all of it."""
    first, bound = row[0], known_sum(order.liability for order in row)
    return [
        tr("With {vendors}", vendors=vendors(row)),
        tr("Offer {offer}", offer=first.offer_id),
        tr(
            "{start_s} to {end_s}, {why}",
            start_s=numbers.date(first.start_s),
            end_s=numbers.date(row[-1].end_s - 1),
            why="" if shown.advice is None else commitment_words.reason_words(first),
        ),
        *([] if bound is None else [tr("{usd} in all", usd=numbers.dollars(bound))]),
        *map(numbers.capital, commitment_words.longest_lead_words(first)),
    ]


def order_key(order: Order) -> str:
    """What tells one order from all others, and from contracts."""
    return ORDER_KEY + order_subject(order)


# ---------------------------------------------------------------- the table twin

_TWIN: Final = (
    Column(title="Contract or order", is_figure=False),
    Column(title="GPUs"),
    Column(title="Ends"),
    Column(title="Decide by"),
)
_TWIN_WIDE: Final = (
    *_TWIN,
    Column(title="Starts"),
    Column(title="Result or reason", is_figure=False, width=260, is_cut_at_end=True),
)


def twin_table(shown: ViewState, today_s: int, is_wide: bool) -> tuple[tuple[Column, ...], list[Row]]:
    """The timeline as a table: the columns that there is room for, and the same rows in the same order."""
    verdicts, lapsed = verdicts_in(shown), lapsed_in(shown, today_s)
    columns, rows = _TWIN_WIDE if is_wide else _TWIN, []
    for contract in sorted_contracts(shown):
        found = dates_of(contract, verdicts.get(contract.contract_id), shown)
        by_s = found.order_by_s if found.order_by_s is not None else found.notice_by_s
        cells = (
            Cell(text=contract.contract_id, tip=numbers.capital(found.then)),
            written(numbers.gpus, contract.gpus, figure_id=figure("contract_count", contract.contract_id)),
            Cell(
                text=tr("no end") if contract.end_s is None else numbers.date(contract.end_s - 1),
                value=contract.end_s,
            ),
            _by_cell(by_s, today_s),
            written(numbers.date, contract.start_s, "muted"),
            Cell(text=found.then, tip=found.then),
        )
        rows.append(Row(cells[: len(columns)], key=contract.contract_id))
    for row in orders_in(shown, today_s):
        order = row[0]
        model, months = order.gpu_model or "GPUs", commitment_words.short_term(row)
        name = tr("+ {gpu_model}, {months}", gpu_model=model, months=months)
        why = commitment_words.reason_words(order) if shown.advice is not None else ""
        cells = (
            Cell(text=name, tip=f"{order_words(row)}\n{numbers.capital(why)}"),
            written(numbers.gpus, order.gpus, figure_id=figure("order_gpus", order_subject(order))),
            written(numbers.date, row[-1].end_s - 1),
            _by_cell(order.last_day_s, today_s, has_lapsed=order.offer_id in lapsed),
            written(numbers.date, order.start_s, "muted"),
            Cell(text=numbers.capital(why), tip=tr("Offer {offer}", offer=order.offer_id)),
        )
        rows.append(Row(cells[: len(columns)], key=order_key(order)))
    return columns, rows


def _by_cell(by_s: int | None, today_s: int, *, has_lapsed: bool = False) -> Cell:
    if by_s is None:
        return Cell(text=numbers.UNKNOWN)
    if has_lapsed:
        return _red_cell(tr(ASK_AGAIN), tr(commitment_words.LAPSED), by_s)
    is_late, by = late_words(by_s, today_s), numbers.date(by_s)
    return _red_cell(by, dated(by_s, today_s), by_s) if is_late else Cell(text=by, value=by_s)


def _red_cell(words: str, tip: str, by_s: int) -> Cell:
    return Cell(text=words, role="red", icon="octagon", icon_role="red", tip=tip, value=by_s)


def order_usd(order: Order, shown: ViewState) -> int | None:
    """What an order costs, in $ a month; None where a quote is needed."""
    return None if shown.advice is None else order_dollars(order, shown.advice)


def order_usd_text(order: Order, shown: ViewState) -> str:
    """12,345 a month, or that a quote is needed."""
    usd = order_usd(order, shown)
    return tr("quote needed") if usd is None else numbers.whole(usd)
