"""What to sign by when, what becomes of existing contracts, and what vendors are asked for on a day."""

from operator import attrgetter
from typing import Any, Final

from gpuplanner.domain.audit.utilization.paid_contracts import held_contracts
from gpuplanner.domain.commitment import order_days
from gpuplanner.domain.commitment.contract_rows import ContractRow, contract_rows
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.numbers import decision_number, order_number, order_numbers
from gpuplanner.domain.commitment.result import vendors
from gpuplanner.domain.commitment.words.contracts import without_notice_words
from gpuplanner.domain.commitment.words.orders import bought_in_rows_words
from gpuplanner.domain.commitment.words.terms import row_term_words
from gpuplanner.domain.commitment.words.verdicts import VERDICTS, change_words, if_it_lasts_words, step_words
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures import plan, titles
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.figures.typed import Written, decimals, significant, whole
from gpuplanner.domain.figures.use import CONTRACT, CONTRACT_MONTH
from gpuplanner.domain.figures.writing import MONEY_PER_MONTH
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.model.book.dollars import IN_DOLLARS, models_words
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.tables import POOL_TITLES
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.domain.reports import report
from gpuplanner.domain.reports.plan_layers import in_offer
from gpuplanner.lazy_dataclass import dataclass

# --- What to sign by when, and what becomes of existing contracts --------------------------------

LISTED: Final = report.TERMINAL | report.DOCUMENT_ALONE
SHOWN: Final = report.EVERYWHERE - report.DOCUMENT_ALONE
STARTS, ENDS, ORDER_BY = worded("Start"), worded("End"), worded("Order by")
SHORT_REASONS: Final = {
    "now": worded("now"),
    "contract_end": worded("contract ends"),
    "lead_time": worded("lead time"),
    "growth": worded("later"),
    "bridge": worded("bridge"),
    "follows": worded("follows"),
    "planned_run": worded("planned run"),
    "if_it_lasts": worded("if it lasts"),
}
"""Why an order starts when it does, by what documents call it, where there is little room."""
REASONS: Final = {
    "now": worded("pays off now"),
    "contract_end": worded("a contract ends"),
    "lead_time": worded("as soon as available"),
    "growth": worded("pays off from then on"),
    "bridge": worded("until built-to-order GPUs"),
    "follows": worded("another one ends"),
    "planned_run": worded("planned work runs then"),
    "if_it_lasts": worded("only if its demand lasts"),
}


@dataclass(frozen=True, slots=True)
class ToDecide:
    """What becomes of the contracts of an evaluation with its advice, as seen on a day."""

    evaluation: Evaluation
    seen: order_days.Seen


def _sla_usd(row: order_days.OrderRow) -> Written | None:
    usd = row.order.sla_usd_per_month
    return None if usd is None else whole(usd)


def _cancel_fee(row: order_days.VerdictRow) -> Written | None:
    usd = None if row.contract is None else row.contract.cancel_fee
    return None if usd is None else whole(usd)


def write_gpus(row: order_days.OrderRow) -> Text:
    """GPUs of the row's model; where another model serves them, also how many of it: `9.0 = 5 H200`."""
    order = row.order
    if order.usd_per_hour is not None:
        return worded("${usd} per hour", usd=decimals(order.usd_per_hour, 2))
    return joined((significant(order.gpus, 9), *in_offer(order.gpu_model, order)), " = ")


def name_served_model(row: order_days.OrderRow) -> Text:
    """H200 for H100, where another model serves the row's; else that of the offer."""
    asked, bought = row.order.gpu_model, row.order.offer_gpu_model
    if row.order.is_dollars:
        return models_words(asked or "")
    if asked is None or bought is None or asked == bought:
        return asked or worded("unknown model")
    return worded("{bought} for {asked}", bought=bought, asked=asked)


def _reason(row: order_days.OrderRow) -> Text:
    return SHORT_REASONS.get(row.order.reason, row.order.reason)


def _pool_name(row: order_days.OrderRow) -> Message:
    return POOL_TITLES[row.order.pool]


def write_term(row: order_days.OrderRow) -> Message:
    """12 months; to buy, for 48 months: what is owned is not signed for."""
    term = term_words(row.order.term_months, row.order.term_days)
    if isinstance(row, order_days.SeenOrder) and (len(row.orders) > 1 or row.order.renews):
        return row_term_words(row.orders)
    if isinstance(row, order_days.ShownOrder) and row.count > 1:
        return worded("{count} \u00d7 {term}", count=whole(row.count), term=term)
    return worded("to buy, for {term}", term=term) if row.order.is_bought else term


def _change(row: order_days.VerdictRow) -> Text | None:
    """What follows a contract: the orders of its decision by number; None where nothing does."""
    if row.decision is not None:
        parts: list[Text] = []
        if row.following:
            numbers = ", ".join(order_numbers(row.decision.order_numbers))
            gpus = bought_in_rows_words(row.following)
            parts.append(worded("{gpus} ({orders})", gpus=gpus, orders=numbers))
        if row.verdict.if_it_lasts_gpus:
            parts.append(if_it_lasts_words(row.verdict))
        return joined(parts, ", ") or None
    return change_words(row.verdict, row.contract) or None


def _judged(evaluation: Evaluation) -> list[order_days.VerdictRow]:
    """The contracts of an evaluation, each with its verdict and the decision about it."""
    outlook = evaluation.outlook
    decisions = () if outlook is None else outlook.open_decisions
    return order_days.verdict_rows(evaluation.project, evaluation.advice, decisions)


def _decision_number(row: order_days.VerdictRow) -> str | None:
    """D8 of the decision about a contract; None where nothing is decided."""
    return None if row.decision is None else decision_number(row.decision.number)


def _why(row: order_days.VerdictRow) -> Text:
    """Why a contract is judged so; empty where the orders of its decision say it."""
    return "" if row.following else row.verdict.reason


def _contracts_to_decide(about: ToDecide) -> list[ContractRow]:
    """The contracts of an evaluation by the day to act."""
    evaluation = about.evaluation
    decisions = () if evaluation.outlook is None else evaluation.outlook.open_decisions
    return contract_rows(held_contracts(evaluation.project), _judged(evaluation), decisions, about.seen)


def _contract_provider(row: ContractRow) -> Text:
    """The provider of a contract; empty where its file names none."""
    return row.contract.provider or ""


def _without_notice(row: ContractRow) -> Text:
    """What happens to a contract without notice."""
    return without_notice_words(row.contract)


def find_last_day(row: ContractRow) -> int | Text:
    """The last day of a contract, epoch seconds; without an end that it has none, also where the plan ends it."""
    end_s = row.contract.end_s
    return worded("no end") if end_s is None else end_s - 1


def _decision_and_provider(row: NextDecision) -> Message:
    """End M-1 (48 H200) and order 16 H200, Saltmarsh."""
    return joined(filter(None, (row.marked_title, row.provider_words)), ", ")


def _last_day(row: NextDecision) -> Text | int | None:
    """Return the last day of a decision, epoch seconds, in words if it is overdue; None of one that is done."""
    if row.is_done:
        return None
    return row.by_words if row.is_overdue else row.by_s


def _iso_day(at_s: int | None) -> str | None:
    """Return the ISO date of an instant, epoch seconds."""
    return None if at_s is None else iso_utc(at_s)[:10]


def _price_basis(is_quote: bool | None) -> str | None:
    """Return what prices stand on, by what documents call it."""
    if is_quote is None:
        return None
    return "quote" if is_quote else "list"


_by_contract_id, _order_id = attrgetter("verdict.contract_id"), attrgetter("order.offer_id")
_contract_name = attrgetter("contract.contract_id")


def _figure(key: str) -> report.Column:
    """A figure of the order that documents alone have; dollars have neither GPUs nor a rate."""

    def value(row: order_days.OrderRow) -> Any:
        return None if row.order.is_dollars and key in ("gpus", "rate") else getattr(row.order, key)

    return report.Column(figure=ORDER[key], media=report.DOCUMENT_ALONE, value=value)


ORDERS: Final = report.Report(
    title=worded("Orders"), rows=order_days.order_rows, key=_order_id, unit_once=MONEY_PER_MONTH
).with_columns(
    report.named("pool", "order.pool.value"),
    # The model of the demand, without who alone may serve it.
    report.named(
        "gpu_model", lambda row: (gpu_model_of(row.order.gpu_model) or "").removeprefix(IN_DOLLARS) or None
    ),
    report.text("pool", worded("Pool"), _pool_name, media=report.SHEET),
    report.text("gpu_model", worded("GPU model"), name_served_model, media=report.SHEET),
    report.text("reason", worded("Reason"), _reason, media=report.SHEET),
    report.Column(figure=ORDER["term_months"], media=report.SHEET, value="order.term_months"),
    report.text("offer_id", worded("Offer"), _order_id, media=report.SHEET, form="aside"),
    report.Column(figure=ORDER["bought_gpus"], media=report.SHEET, value="order.bought_gpus"),
    report.named("offer_id", _order_id),
    report.Column(figure=ORDER["term_months"], media=report.DOCUMENT_ALONE, value="order.term_months"),
    report.named("term_days", "order.term_days"),
    *map(_figure, ("gpus", "rate")),
    report.named(
        "all_in_rate_usd_per_gpu_hour", lambda row: None if row.order.is_dollars else row.order.spread_rate
    ),
    *(
        report.text(key, title, value, media=report.DOCUMENT_ALONE | report.SHEET, form="date")
        for key, title, value in (
            ("start", STARTS, "order.start_s"),
            ("end", ENDS, "order.end_s"),
            ("order_by", ORDER_BY, "order.last_day_s"),
        )
    ),
    report.named("order_by_high", "order.last_day_high_s", "date"),
    *report.of_part("order", "sla_hours_per_month", "sla_usd_per_month", "reason"),
    *report.of_part("order", "offer_gpu_model", "offer_gpus", "row"),
    *map(_figure, ("cost_per_month", "liability")),
    *map(_figure, ("capex_per_gpu", "due_at_once")),
    report.named("commitment_usd_per_hour", "order.usd_per_hour"),
)
"""About a plan; rows are all orders of its twelve months."""

NUMBERED: Final = report.fields(
    report.named("id", "order_id"),
    report.named("number", lambda row: order_number(row.listed.number)),
    report.named(
        "decision", lambda row: None if row.listed.decision is None else decision_number(row.listed.decision)
    ),
    report.named("replaces", lambda row: list(row.listed.replaces)),
    report.named("provider", "order.provider"),
    report.named("nodes", "listed.nodes"),
    report.named("status", "listed.status"),
    report.named("price_basis", lambda row: _price_basis(row.listed.is_quote)),
    report.named("quote_valid_until", "listed.quote_valid_until"),
    report.named("last_day", lambda row: _iso_day(row.order.end_s - 1)),
)
"""About an order of a plan in the list of orders."""

SHOWN_ORDERS: Final = report.Report(
    title=worded("Orders"),
    rows=lambda evaluation: order_days.orders_as_read(evaluation.advised, evaluation.listed_orders),
    key=lambda row: order_number(row.listed.number),
    unit_once=MONEY_PER_MONTH,
    media=report.TERMINAL,
).with_columns(
    report.text("", worded("No."), lambda row: order_number(row.listed.number), report.TERMINAL),
    report.text("", worded("With"), lambda row: vendors((row.order,)), report.TERMINAL),
    report.text("", worded("Offer"), _order_id, report.TERMINAL),
    report.text("", worded("Pool"), _pool_name, report.TERMINAL),
    report.text("", "GPU", "order.gpu_model", report.TERMINAL),
    report.Column(figure=ORDER["gpus"], media=report.TERMINAL, value=write_gpus),
    report.text("", titles.TERM, write_term, report.TERMINAL),
    report.text("", STARTS, "order.start_s", report.TERMINAL, "date"),
    report.text("", ENDS, lambda row: row.ends_s - 1, report.TERMINAL, "date"),
    report.text("", ORDER_BY, "order.last_day_s", report.TERMINAL, "date"),
    report.text(
        "", worded("At the longest lead"), "order.last_day_high_s", report.TERMINAL, "date", is_rare=True
    ),
    report.text("", worded("SLA leaves open, $ a month"), _sla_usd, report.TERMINAL, is_rare=True),
    report.text("", worded("Reason"), _reason, report.TERMINAL),
    report.Column(figure=ORDER["cost_per_month"], media=report.TERMINAL, value="whole_cost"),
    report.Column(
        figure=ORDER["due_at_once"], media=report.TERMINAL, value="order.due_at_once", is_rare=True
    ),
)
"""About an evaluation with its outlook; rows are the orders of the plan's list, by number."""


def _step(row: order_days.VerdictRow) -> Text:
    """What to do with a contract: give notice where the decision about it is that it ends."""
    is_end = row.verdict.verdict == "let_expire" and row.decision is not None and row.decision.kind == "end"
    step = step_words(row.verdict, row.contract)
    return VERDICTS["end"] if is_end and step == VERDICTS["let_expire"] else step


FOLLOWING: Final = worded("An order that replaces several contracts is listed with its main contract.")
"""Why the orders of a decision may be more or fewer GPUs than what follows its contract."""

VERDICT_ROWS: Final = report.Report(
    title=worded("Contracts"),
    rows=_judged,
    key=_by_contract_id,
    order={report.Medium.DOCUMENT: _by_contract_id},
    note=FOLLOWING,
    media=LISTED,
    adds_up=True,
).with_columns(
    report.text("contract_id", worded("Contract"), _by_contract_id, media=LISTED),
    report.named("verdict", "verdict.verdict"),
    report.text("", worded("No."), _decision_number, report.TERMINAL, is_rare=True),
    report.text("", worded("Verdict"), _step, report.TERMINAL),
    *report.of_part("verdict", "then_term_months", "gpus", "if_it_lasts_gpus"),
    report.text("", worded("GPUs, term"), _change, report.TERMINAL),
    report.text("", worded("Order by"), "decide_by_s", report.TERMINAL, "date"),
    report.text("order_by", worded("Order by"), "verdict.order_by_s", report.DOCUMENT_ALONE, "date"),
    report.text("", worded("Why"), _why, report.TERMINAL),
    report.named("reason", "verdict.reason"),
    report.named("cancel_fee_usd", "contract.cancel_fee"),
    report.text("", worded("Ends early for, $"), _cancel_fee, report.TERMINAL, is_rare=True),
    report.text(
        "exchange_until",
        worded("May be exchanged until"),
        "contract.exchange_until_s",
        LISTED,
        "date",
        is_rare=True,
    ),
    report.named("contract_gpus", "contract.gpus"),
    report.named("contract_term_months", "contract.term_months"),
)
"""About an evaluation whose advice is there; rows are its contracts."""

NEXT_DECISIONS: Final = report.Report(
    title=worded("Next decisions"),
    key=attrgetter("decision_id"),
    note=worded(
        "Saves: 12 months without the decision (recalculated) minus the plan's. Single savings do not add up."
    ),
).with_columns(
    report.named("id", "decision_id"),
    report.named("number", lambda row: decision_number(row.number)),
    report.text("", worded("No."), lambda row: decision_number(row.number), SHOWN),
    report.text("title", worded("Decision"), _decision_and_provider, media=SHOWN),
    report.text("", worded("By"), _last_day, SHOWN, "date"),
    report.named("kind"),
    report.named("subject", lambda row: str(row.subject)),
    report.named("provider"),
    report.named("text", lambda row: str(row.text)),
    report.named("by", lambda row: _iso_day(row.by_s)),
    report.named("notice_by", lambda row: _iso_day(row.notice_by_s)),
    report.named("order_by", lambda row: _iso_day(row.order_by_s)),
    report.named("orders", lambda row: order_numbers(row.order_numbers)),
    report.Column(figure=plan.NEXT_DECISION["decision_saves"], value="usd_12_months"),
    report.named("pays_from_month"),
    report.named("usd_over_term"),
    report.Column(figure=plan.NEXT_DECISION["committed_usd"]),
    report.named("committed_later_usd"),
    report.named("cash_usd"),
    report.named("price_basis", lambda row: _price_basis(row.is_quote)),
    report.named("waiting_usd_per_day"),
    report.named("wait_p90_hours", lambda row: row.waits and row.waits.p90_h),
    report.named("wait_p90_hours_without", lambda row: row.waits and row.waits.without_p90_h),
    report.named("state"),
    report.named("in_plan", "is_in_plan"),
)
"""About the next decisions, in their order."""

TO_DECIDE: Final = report.Report(
    title=worded("Existing contracts"),
    rows=_contracts_to_decide,
    key=_contract_name,
    note=FOLLOWING,
    media=report.BRIEF,
    adds_up=True,
).with_columns(
    report.text("", worded("Act by"), "act_by", report.BRIEF),
    report.text("", worded("Contract"), _contract_name, report.BRIEF),
    report.text("", worded("Decision"), "words", report.BRIEF),
    report.text("", worded("Provider"), _contract_provider, report.BRIEF),
    report.Column(figure=CONTRACT["gpus"], media=report.BRIEF, value="contract.gpus"),
    report.text("", worded("Last day"), find_last_day, report.BRIEF, "date"),
    report.Column(
        figure=CONTRACT_MONTH["cost_per_month"], media=report.BRIEF, value="contract.cost_per_month"
    ),
    report.text("", worded("Without notice"), _without_notice, report.BRIEF),
)
"""About what becomes of contracts, the first to decide on first."""
