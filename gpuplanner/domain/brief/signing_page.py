"""The last two pages: what to sign now; what comes later, what becomes of contracts, and the brief's sources."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from gpuplanner.domain.brief.approval import ALL_PASSED, Approval, counted_gpus, lapsed_orders
from gpuplanner.domain.brief.figure_words import counted, dollars, gpus, whole
from gpuplanner.domain.brief.pages import (
    Page,
    TableBlock,
    TextBlock,
    TimelineChart,
    TimeRow,
    TimeSpan,
)
from gpuplanner.domain.brief.report_block import report_block
from gpuplanner.domain.commitment.plan.orders import at_list, liability_usd
from gpuplanner.domain.commitment.plan.totals import is_priced
from gpuplanner.domain.commitment.requests.asked_rows import AskedRow, asked_now_words
from gpuplanner.domain.commitment.result import Advice, Order, Verdict
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.exchange import exchange_words
from gpuplanner.domain.model.book.term_words import term_words
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.domain.reports.plan.order_days import Seen
from gpuplanner.domain.reports.plan.orders import (
    TO_APPROVE,
    TO_DECIDE,
    TO_SIGN_LATER,
    ToDecide,
    ToSign,
    later_title,
    now_title,
)

MONTHS_SHOWN: Final = 36
MOST_ROWS: Final = 8
MOST_ORDERS: Final = 6
MOST_CONTRACTS: Final = 8
WIDTHS: Final = {
    "order_by": 1.5,
    "bought": 1.1,
    "Starts": 1.2,
    "Because": 1.6,
    "Contract": 1.5,
    "Advice": 1.8,
}
"""Of columns, where it is not 1."""


def signing_page(
    evaluation: Evaluation, advice: Advice, approval: Approval, asked: Sequence[AskedRow] = ()
) -> Page:
    """approval: as of the day that the brief is written, which decides what is overdue; asked: rows of a request."""
    table = _to_approve(evaluation, advice, approval)
    in_nodes = str(asked_now_words(asked, approval.now))
    table = replace(table, note=" ".join(one for one in (str(table.note), in_nodes) if one))
    rows = ((table,), (_timeline(evaluation, advice, approval),))
    name = "What to buy and sign by when" if approval.bought else "What to sign by when"
    return Page("sign", name, _title(advice, approval), rows)


def later_page(evaluation: Evaluation, advice: Advice, approval: Approval) -> Page:
    """What is to be signed later, what becomes of contracts, and what the brief was made from."""
    seen, later = approval.seen, approval.later
    title = "No order is left for later"
    if later:
        bought = counted_gpus(sum(order.bought_gpus for order in later))
        first = seen.day(later[0].order_by_s)
        title = f"{counted(len(later), 'order')} for {bought} later, the first by {first}"
    ending = sum(row.verdict != "keep" for row in advice.verdicts)
    if ending:
        verbs = "ends or changes" if ending == 1 else "end or change"
        title += f"; {counted(ending, 'contract')} {verbs}"
    rows = (
        (_to_sign_later(evaluation, advice, approval),),
        (_contracts(evaluation, seen),),
        (_sources(evaluation),),
    )
    return Page("later", "What comes later", title, rows)


def _title(advice: Advice, approval: Approval) -> str:
    """What is to be signed now and by when, what is overdue first, and how many orders come later."""
    now, later, seen = approval.now, approval.later, approval.seen
    if not now and not later:
        if approval.over:
            return ALL_PASSED
        if is_priced(advice.pools):
            return "Nothing is to be signed in the twelve months of the plan"
        return "What to sign by when is unknown: prices are missing"
    if not now:
        first = later[0]
        return f"Nothing to sign yet: order {_named(first)} by {seen.day(first.order_by_s)}, the first of {len(later)}"
    said = f"{approval.verb} {counted(len(now), 'order')} for {approval.gpus_words}"
    overdue, lapsed = len(approval.overdue), len(approval.lapsed)
    if lapsed == len(now):
        said = (
            f"Ask again before any order, {lapsed_orders(approval)}"
            if approval.bought
            else (f"Ask again before signing, {lapsed_orders(approval)}")
        )
    elif overdue:
        said += f" now, {overdue} {'is' if overdue == 1 else 'are'} overdue"
    elif seen.is_dated:
        said += f", the first by {seen.day(approval.open[0].order_by_s)}"
    else:
        said += " in month 0, without days of the calendar"
    if 0 < lapsed < len(now):
        said += f", {lapsed} on quotes no longer valid"
    return f"{said}; {whole(len(later))} more later" if later else said


def _named(order: Order) -> str:
    """16 B200, as they are bought."""
    return f"{gpus(order.bought_gpus)} {order.offer_gpu_model or order.gpu_model or 'GPUs'}"


def _to_approve(evaluation: Evaluation, advice: Advice, approval: Approval) -> TableBlock:
    """What is to be signed now; its total is the sum to approve, and at which prices it is."""
    title = str(now_title(approval.now))
    found = report_block(TO_APPROVE, ToSign(advice, approval.seen), title, WIDTHS)
    return (
        replace(found, note=prices_words(evaluation, approval.now))
        if found.rows
        else replace(found, total=())
    )


def _to_sign_later(evaluation: Evaluation, advice: Advice, approval: Approval) -> TableBlock:
    """The first orders that come later; how many are left is said, and at which prices they are."""
    seen = approval.seen
    title, rest = str(later_title(approval.later)), "on the workbook's sheet Advice."
    found = report_block(TO_SIGN_LATER, ToSign(advice, seen), title, WIDTHS, MOST_ORDERS, rest)
    said = [str(found.note).strip(), _not_listed(approval), prices_words(evaluation, approval.later)]
    return replace(found, note=" ".join(one for one in said if one))


def _not_listed(approval: Approval) -> str:
    """How many orders of the twelve months stand in neither table; empty where all do."""
    many = len(approval.following)
    if not many:
        return ""
    what = "only renews or follows another is" if many == 1 else "only renew or follow others are"
    return f"{counted(many, 'order')} that {what} not listed."


def prices_words(evaluation: Evaluation, orders: Sequence[Order]) -> str:
    """What orders cost at the prices that their amounts are at, and at today's; empty where both are the same."""
    project = evaluation.project
    offers = project.offers_in(project.scenario(evaluation.scenario))
    expected, listed = liability_usd(orders), liability_usd(at_list(orders, offers))
    if expected is None or listed is None or round(expected) == round(listed):
        return ""
    return (
        f"Amounts are at the prices expected in the month that each starts, {dollars(expected)} over whole terms; at "
        f"today's list {dollars(listed)}."
    )


def _contracts(evaluation: Evaluation, seen: Seen) -> TableBlock:
    """What becomes of existing contracts, the first to decide on first."""
    found = report_block(
        TO_DECIDE,
        ToDecide(evaluation, seen),
        str(TO_DECIDE.title),
        WIDTHS,
        MOST_CONTRACTS,
        "on the workbook's Contracts sheet.",
    )
    return replace(found, note=str(found.note).strip())


def _timeline(evaluation: Evaluation, advice: Advice, approval: Approval) -> TimelineChart:
    """Contracts and orders as bars, those with a day to order by first; no row where the plan has no days."""
    seen = approval.seen
    window = evaluation.project.plan_window  # of a plan that begins later: no years of nothing before it
    verdicts = {row.contract_id: row for row in advice.verdicts}
    contracts = sorted(
        (row for row in evaluation.project.contracts if row.end_s is None or row.end_s > window.start_s),
        key=lambda row: (row.end_s is None, row.end_s or 0, row.contract_id),
    )
    rows = [_contract_row(row, verdicts.get(row.contract_id), seen) for row in contracts]
    rows += [_order_row(order, seen) for order in (*approval.now, *approval.later)]
    rows.sort(key=lambda row: (row.order_by_s is None, row.order_by_s or 0))
    end_s = evaluation.project.plan_window.end_s + MONTHS_SHOWN * MONTH_S
    what = "bought or signed" if any(one.is_bought for one in (*approval.now, *approval.later)) else "signed"
    title = f"Contracts (filled), what is to be {what} (outlined) and the last days to order (diamonds)"
    if len(rows) > MOST_ROWS:
        title += f": the {MOST_ROWS} to decide on first"
    shown = tuple(rows[:MOST_ROWS]) if seen.is_dated else ()
    return TimelineChart(title, shown, window.start_s, end_s, seen.written_s)


def _order_row(order: Order, seen: Seen) -> TimeRow:
    """An order; what is late is to be placed on the day of writing, and starts with its lead from there."""
    start_s = seen.starts_s(order)
    span = TimeSpan(start_s, start_s + round(order.term_hours * 3600), order.term_months, True)
    is_late = seen.is_late(order)
    by_s = seen.written_s if is_late else order.order_by_s
    term = term_words(order.term_months, order.term_days)
    what = f"{_named(order)} to buy" if order.is_bought else _named(order)
    return TimeRow(f"+ {what}, {term}", (span,), by_s, is_late)


def _contract_row(contract: Contract, verdict: Verdict | None, seen: Seen) -> TimeRow:
    """A contract, and after its end what follows it; verdict None: nobody says."""
    is_by_use = not contract.is_committed
    spans = [TimeSpan(contract.start_s, contract.end_s, contract.term_months or 0, False, is_by_use)]
    by_s = None
    if verdict is not None and verdict.gpus and verdict.then_term_months and contract.end_s is not None:
        after_s = contract.end_s + verdict.then_s
        spans.append(TimeSpan(contract.end_s, after_s, verdict.then_term_months, True))
        by_s = verdict.order_by_s
    if by_s is None or not seen.is_past(by_s):
        return TimeRow(contract.contract_id, tuple(spans), by_s)
    has_ended = contract.end_s is not None and contract.end_s <= seen.written_s
    return TimeRow(contract.contract_id, tuple(spans), None if has_ended else seen.written_s, not has_ended)


def _file_name(path: str) -> str:
    """A file without its folders; the list of public prices that comes with the app by what it is."""
    return "list of public prices" if path == "builtin" else path.replace("\\", "/").rsplit("/", 1)[-1]


def _sources(evaluation: Evaluation) -> TextBlock:
    """The files that were read, with their fingerprints, and where every figure can be followed."""
    files = [
        f"{_file_name(row.path)} ({row.kind}, {counted(row.rows_accepted, 'row')} taken, "
        f"{whole(row.rows_rejected)} rejected; SHA-256 {row.sha256[:12] or 'not kept'})"
        for row in evaluation.project.intake
    ]
    made = "Made from: " + "; ".join(files[:4]) if files else "No file is on record."
    if len(files) > 4:
        made += f"; and {len(files) - 4} more, on the workbook's Provenance sheet"
    rates = evaluation.project.exchange
    counted_at = (f"Amounts in other currencies count at {exchange_words(rates)}.",) if rates else ()
    return TextBlock(
        "Sources",
        (
            f"{made}.".replace("..", "."),
            *counted_at,
            "Every figure here is the app's; the workbook of the same plan has each with its formula.",
        ),
    )
