"""What becomes of a plan as JSON: its request, the award, its backtest, and the plan against what came."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gpuplanner.cli.documents.head import Document
from gpuplanner.cli.documents.plan import log_support_entries
from gpuplanner.domain.award.award import Award, Awarded, plan_rate
from gpuplanner.domain.brief.approval import approval_on
from gpuplanner.domain.commitment import advice_backtest
from gpuplanner.domain.commitment.asked_rows import AskedRow, is_over
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.evaluation import Evaluation, waiting_for
from gpuplanner.domain.figures.award import AWARD
from gpuplanner.domain.figures.changes import TRACK
from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.window import DAY_S, iso_utc
from gpuplanner.domain.reports import report
from gpuplanner.domain.reports.award import OF_REMARK, QUOTE_ENTRIES, VENDORS, open_words
from gpuplanner.domain.reports.changes import BURN_DOWNS, BY_WORKLOAD, OF_QUARTER, ROW_ENTRIES
from gpuplanner.domain.reports.orders import ORDERS
from gpuplanner.domain.track.track import Track
from gpuplanner.files.request.request import Request

# --- A request as JSON: its days, and which orders each row stands for, with what these cost

REQUEST_ROW: Final = report.fields(
    report.named("row", "name"),
    *("is_option", "gpu_model", "gpus", "node_gpus", "term_months", "term_days"),
    report.named("start", "start_s", "date"),
)
"""What is asked for, with the day by which it starts."""


def approval_document(evaluation: Evaluation, at_s: int, entries: Sequence[report.Entry]) -> Document:
    """What is to be approved on the day of writing, all that is left, and what is over: `left` and `over` are the plan.

    at_s: epoch seconds; entries: its orders as its document has them, in US dollars.
    """
    orders = evaluation.advised.orders
    approval = approval_on(evaluation.advised, evaluation.project, at_s)
    parts = {"now": approval.now, "left": approval.left, "over": approval.over}
    return {"written": iso_utc(at_s)} | {name: _of(own, orders, entries) for name, own in parts.items()}


def _of(own: Sequence[Order], orders: Sequence[Order], entries: Sequence[report.Entry]) -> report.Entry:
    """Which orders, and what the certain of them cost over their whole terms."""
    places = {id(order): place for place, order in enumerate(orders)}
    usd = known_sum(entries[places[id(order)]]["liability_usd"] for order in own if order.is_certain)
    return {"orders": [places[id(order)] for order in own], "liability_usd": usd}


def request_document(request: Request, orders: Sequence[Order], in_dollars: Evaluation) -> Document:
    """The days of a request, its rows and what of the plan no row asks for: with that they add up to its orders.

    orders: of the plan that waits for it; in_dollars: in US dollars, as it is. `orders` of a row are places
    in the orders of the plan that waits, which stand here too. Source: docs/formulas/quotes.md, Requests for quote.
    """
    asking = request.asking
    entries = report.entries(ORDERS, waiting_for(in_dollars, asking.days).advised)
    asked = {id(order) for row in request.rows for order in row.orders}
    rest: dict[str, list[Order]] = {}
    for order in orders:
        if order.is_certain and id(order) not in asked:
            if is_over(order, asking.today_s):
                why = "over"
            elif order.is_bought:
                why = "bought"
            else:
                why = "list_price"
            rest.setdefault(why, []).append(order)
    return {
        "reference": request.reference,
        "issued": iso_utc(asking.today_s),
        "reply_by": iso_utc(asking.reply_by_s),
        "decide_days": asking.decide_s // DAY_S,
        "orders_from": iso_utc(asking.orders_from_s),
        "orders": entries,
        "rows": [
            report.entry(REQUEST_ROW, row)
            | {"reply_by": iso_utc(request.reply_s(row)), "order_by": iso_utc(request.order_day_s(row))}
            | _of(row.orders, orders, entries)
            for row in request.rows
        ],
        "not_asked": [
            {"reason": why} | _of(orders_left, orders, entries) for why, orders_left in sorted(rest.items())
        ],
        "liability_usd": _of(orders, orders, entries)["liability_usd"],
    }


# --- An award as JSON: rows with who gets what, offers beside each row, vendors, quotes with what each saves

AWARD_ROW: Final = report.fields(
    report.named("row", "name"),
    "gpu_model",
    "gpus",
    "node_gpus",
    "term_months",
    "term_days",
    report.named("start", "start_s", "date"),
    report.named(AWARD["plan_rate"], plan_rate),
)
"""What is asked for."""
GIVEN: Final = report.fields(
    *report.of_part("offer", "offer_id", "provider"),
    report.named("offer_gpu_model", "offer.gpu_model"),
    "nodes",
    *report.of_subject(AWARD, "gpus", "bought_gpus", "rate"),
    report.named("upfront_usd_per_gpu", "upfront_per_gpu"),
    "term_hours",
    *report.of_subject(AWARD, "liability", "prepaid", "at_plan_rate", "saves_beside_plan"),
    OF_REMARK[0],
)
"""What one offer is given of a row."""
CONSIDERED: Final = report.fields(
    report.named("row", "row.name"),
    *report.of_part("offer", "offer_id", "provider"),
    "qualifies",
    report.named("reasons", lambda row: [str(words) for words in row.against]),
    report.named("unknown", lambda row: [str(words) for words in row.unknown]),
    *OF_REMARK,
)
"""An offer beside a row."""
SHARE: Final = report.fields(
    report.named("provider", lambda row: row[0].provider or None),
    report.named("region", lambda row: row[0].region or None),
    report.named("country", lambda row: row[0].country or None),
    report.named("share", lambda row: row[1]),
)
"""Who may have no more than a share."""
AWARD_TOTALS: Final = report.fields(
    "asked_gpus",
    report.named("awarded_gpus", lambda award: award.asked_gpus - award.open_gpus),
    "open_gpus",
    *report.of_subject(AWARD, "liability", "prepaid"),
)


def award_document(award: Award) -> Document:
    """order_day, the limits, rows with their awards, options, considered, totals, vendors and quotes.

    Money in that of the project. Source: docs/formulas/quotes.md, Award.
    """
    conditions = award.conditions
    return {
        "order_day": iso_utc(conditions.order_day_s),
        "sla_percent": conditions.sla_percent,
        "max_provider_share": conditions.max_share,
        "shares": [report.entry(SHARE, share) for share in conditions.shares.items()],
        "shares_of_usd": award.shared,
        "max_prepaid_usd": conditions.max_prepaid,
        "rows": [_row_entry(row, award) for row in award.rows],
        "options": [report.entry(AWARD_ROW, row) for row in award.options],
        "considered": [report.entry(CONSIDERED, offer) for offer in award.considered],
        "totals": report.entry(AWARD_TOTALS, award),
        "vendors": report.entries(VENDORS, award),
        "quotes": report.entries(QUOTE_ENTRIES, award),
    }


def _row_entry(row: AskedRow, award: Award) -> report.Entry:
    """A row, what stays open of it and why, and who is given what."""
    given: list[Awarded] = [line for line in award.awarded if line.row is row]
    left = next((line for line in award.open if line.row is row), None)
    return report.entry(AWARD_ROW, row) | {
        "asked_as": list(dict.fromkeys(name for _, name in row.asked_as)),
        "open_gpus": 0 if left is None else left.gpus,
        "open_reason": None if left is None else str(open_words(left)),
        "awards": [report.entry(GIVEN, line) for line in given],
    }


# --- The backtest as JSON: months, sums, other settings, and what is said of them ----------------


class _VariantRow(NamedTuple):
    """Another setting, and what it cost as a multiple of hindsight."""

    variant: advice_backtest.Variant
    over_hindsight: float | None


def _usd(purchase: str, of: str) -> report.Column:
    """What one way of buying cost, in the row's field `of`."""
    return report.named(f"{purchase}_usd", lambda row: getattr(row, of)[purchase])


def _by_way(of: str) -> report.Fields:
    """$ of every way to buy; null where GPUs paid by use have no rate."""
    return tuple(_usd(purchase, of) for purchase in advice_backtest.WAYS)


SPAN: Final = report.fields(
    report.named("start", lambda span: span[0], "date"), report.named("end", lambda span: span[1], "date")
)
BACKTEST_ROW: Final = report.fields(
    report.named("pool", lambda row: row.row[0].value),
    report.named("gpu_model", lambda row: row.row[1]),
    *_by_way("usd"),
    "held_gpus",
    "hindsight_gpus",
    "mean_gpus_advised_on",
    "mean_gpus",
    "unused_usd",
    "beyond_gpu_hours",
)
"""One pool and model of a month."""
HELD: Final = report.fields(
    report.named("pool", lambda row: row.row[0].value),
    report.named("gpu_model", lambda row: row.row[1]),
    "offer_id",
    "term_months",
    LAYER["gpus"],
    report.named(LAYER["rate"], "rate_usd_per_gpu_hour"),
)
"""What the advice bought in a month."""
FOLD: Final = report.fields(
    report.inside("advised_on", SPAN),
    report.inside("paid_for", SPAN),
    *_by_way("usd"),
    report.each("rows", BACKTEST_ROW),
    report.each("bought", HELD),
    report.named("reasons", lambda fold: list(advice_backtest.fold_reasons(fold))),
)
"""One month: what was known, what it cost by each way of buying, and why."""
BACKTEST_TOTALS: Final = report.fields(*_by_way("totals"), "advice_over_hindsight")
VARIANT: Final = report.fields(
    *report.of_part("variant", "name", "title"),
    report.named("settings", lambda row: dict(row.variant.settings)),
    report.named("usd", "variant.usd"),
    "over_hindsight",
)


def backtest_document(
    answer: advice_backtest.Backtest, variants: tuple[advice_backtest.Variant, ...], hours: int
) -> Document:
    """folds, totals, and beside them what the advice held, why it lost, and other settings. hours: of the log.

    $ of each month of 730 h; null where GPUs paid by use have no rate. Without folds the totals are null and
    the verdict says why.
    """
    return {
        "folds": [report.entry(FOLD, fold) for fold in answer.folds],
        "totals": report.entry(BACKTEST_TOTALS, answer),
        "verdict": advice_backtest.verdict_of(answer),
        "caveat": advice_backtest.caveat_of(answer),
        "variants": [
            report.entry(VARIANT, _VariantRow(variant, answer.over_hindsight(variant.usd)))
            for variant in variants
        ],
        "suggestion": advice_backtest.suggestion_of(variants),
        "log_support": log_support_entries(hours),
    }


# --- A plan against what came as JSON: planned, the rows that lead to what was paid, and what is left of each contract

TRACK_TOTALS: Final = report.fields(
    "plan",
    *report.of_subject(TRACK, "planned", "actual", "advice_now", "hindsight"),
    report.named("notes", lambda track: [str(note) for note in track.notes]),
)


def track_document(track: Track) -> Document:
    """plan, the $ planned and paid, what stands beside them, rows, contracts and quarters. None is unknown.

    Law: planned_usd and the rows add up to actual_usd, to the cent. Source: docs/formulas/backtest.md, Track.
    """
    return report.entry(TRACK_TOTALS, track) | {
        "rows": report.entries(ROW_ENTRIES, track),
        "contracts": report.entries(BURN_DOWNS, track),
        "by_workload": report.entries(BY_WORKLOAD, track),
        "quarters": [report.entry(OF_QUARTER, row) for row in track.quarters],
    }
