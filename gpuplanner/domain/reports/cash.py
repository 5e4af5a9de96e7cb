"""What a plan has paid when: owed if everything stops, and cash by quarter of the fiscal year."""

from collections.abc import Iterator, Mapping
from functools import partial
from operator import attrgetter, itemgetter
from typing import Final

from gpuplanner.domain.commitment.plan.ground import contracts_in
from gpuplanner.domain.commitment.plan.twelve_months import part_name
from gpuplanner.domain.commitment.recursion.rates import RestartDelays, restart_delays_of
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.evaluation import Evaluation, scenario_named
from gpuplanner.domain.evidence.answering import Answers, Inputs, explained
from gpuplanner.domain.evidence.trace import Trace, TraceRow, column_of, figure, read, summed, titled
from gpuplanner.domain.figures import titles, writing
from gpuplanner.domain.figures.cash import CASH, OWED
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.order import ORDER, OWNED
from gpuplanner.domain.figures.training import ELSEWHERE
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import (
    NOTHING_KNOWN,
    PartSum,
    in_all,
    known_sum,
    lacking_sentences,
    part_sum,
)
from gpuplanner.domain.model.book.contract import continued, in_force, in_month, notice_s, usd_by_hour
from gpuplanner.domain.model.book.extras import EXTRA_TITLES
from gpuplanner.domain.model.book.offer import owned_inputs
from gpuplanner.domain.model.project import MONTHS_OF_YEAR, month_bounds, month_of
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, MONTH_S, has_calendar, iso_day
from gpuplanner.domain.reports import report
from gpuplanner.domain.reports.serving import offer_terms
from gpuplanner.lazy_dataclass import dataclass, field, replace

MONTHS_OF_QUARTER: Final = 3
BY_USE: Final = worded("by use")
READ: Final = report.WINDOW | report.TERMINAL | report.SHEET


@dataclass(frozen=True, slots=True)
class PaidRow:
    """A contract that is owed, or a quarter that is paid: what it is called, its span, and figures by their keys.

    known: of a quarter what is known of a figure where a rate is missing.
    """

    key: str
    name: Text
    from_s: int
    to_s: int
    figures: Mapping[str, float | None] = field(hash=False)
    known: Mapping[str, PartSum] = field(default_factory=dict, hash=False)


# --- Owed if everything stops: contracts in force, each to its end -------------------------------


def owed_rows(of: Evaluation, is_later: bool = False) -> tuple[PaidRow, ...]:
    """Each commitment in force when the plan begins, to its end as the plan counts it, by contract_id.

    Without an end: to the end of the notice. What is paid by use is owed to nobody. What a ramp in force brings
    later is owed from then on, in rows of its own too. is_later: those that begin later, each from then on.
    """
    begins_s, found = of.project.plan_window.end_s, []
    held = contracts_in(of.project, replace(of.figures.basis.plan, greenfield=False))[0]
    runs = in_force(held, begins_s)
    ramps, steps = {one.ramp_of for one in runs} - {None}, continued(held)
    for one in runs:  # grows by each step
        runs += [steps[one.contract_id]] if one.contract_id in steps else []
    now = {one.contract_id for one in runs}
    for one in held:
        comes = one.start_s > begins_s
        is_owed = one.contract_id in now or (comes and one.ramp_of in ramps)
        if comes and not is_owed if is_later else is_owed:
            from_s = max(begins_s, one.start_s)
            to_s = from_s + notice_s(one) if one.end_s is None else one.end_s
            hours, rate = (to_s - from_s) / HOUR_S, one.owed_rate
            if rate is not None and hours:  # a renewal that was not prevented
                rate += one.prepaid_between(from_s, to_s) / (one.gpus * hours)
            given = {"gpus": one.gpus, "rate": rate, "hours_left": hours}
            found.append(PaidRow(one.contract_id, one.contract_id, from_s, to_s, OWED.row(given)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class PaidTotal:
    """The row under all of them: one of the two sums; its other columns are blank."""

    name: Text = titles.ALL_OF_IT
    begins: str = ""
    last: str = ""
    owed: PartSum | None = None
    cash: PartSum | None = None


def owed_in_all(of: Evaluation) -> PartSum:
    """What all contracts in force are owed, or what is known of it; nothing where no contracts were given."""
    owed = part_sum((row.name, row.figures["owed"]) for row in owed_rows(of))
    return owed if of.project.contracts else NOTHING_KNOWN


_LAST: Final = report.text("last", worded("Up to"), lambda row: row.to_s - 1, media=READ, form="date")
OWED_ROWS: Final = report.Report(
    OWED["owed"].title,
    owed_rows,
    total=lambda of: PaidTotal(owed=owed_in_all(of)),
    total_why={"owed": OWED["owed"].why},
    media=READ | report.DOCUMENT_ALONE,
    adds_up=True,
).with_columns(
    report.named("contract_id", "key"),
    report.text("name", worded("Contract"), media=READ),
    report.named("to", "to_s", "date"),
    _LAST,
    *(report.Column(OWED[key]) for key in ("owed", "gpus", "rate", "hours_left")),
)


# --- Cash by quarter: what is paid on a day on that day, all else by the hours of the calendar ---


def cash_rows(of: Evaluation) -> tuple[PaidRow, ...]:
    """The plan's twelve months by quarter of the fiscal year; the first and the last may be parts of one.

    A quarter is named by the year in which its fiscal year ends. A log that counts its time from 0 has none.
    """
    advice, project = of.advice, of.project
    if advice is None or not has_calendar(project.plan_window.end_s):
        return ()
    starts = project.assumptions_in(of.figures.basis.plan).fiscal_year_starts
    contracts, running, found = advice.contracts, _running_rates(of), list[PaidRow]()
    for name, from_s, to_s in quarters(
        advice.comparison[0].start_s, advice.comparison[-1].start_s + MONTH_S, starts
    ):
        due: list[tuple[Text, float | None]] = [
            (part_name(one), one.due_at_once) for one in advice.orders if from_s <= one.order_by_s < to_s
        ]
        due += [(one.part_name, one.cash_on_days(from_s, to_s)) for one in contracts]
        by_hour: list[tuple[Text, float | None]] = [
            *((one.part_name,
               usd_by_hour(one, max(from_s, month.start_s), min(to_s, month.start_s + MONTH_S)))
              for month in advice.comparison
              for one in in_month(contracts, project.plan_window, month.month)
              if one.overlaps(max(from_s, month.start_s), min(to_s, month.start_s + MONTH_S))),
            *((part_name(one), None if (rate := running[place]) is None else one.bought_gpus * rate * hours)
              for place, one in enumerate(advice.orders) if (hours := _hours_of(one, from_s, to_s))),
            *((name, None if usd is None else usd * inside / MONTH_S)
              for month in advice.comparison
              if (inside := min(month.start_s + MONTH_S, to_s) - max(month.start_s, from_s)) > 0
              for name, usd in ((BY_USE, month.use_parts.known), *((one, None) for one in month.use_parts.missing))),
        ]  # fmt: skip
        known = {key: part_sum(parts) for key, parts in (("at_once", due), ("by_hour", by_hour))}
        given = CASH.row({key: sums.total for key, sums in known.items()})
        known["cash"] = part_sum([*due, *by_hour])
        if advice.asked_models:  # nobody knows what contracts leave to order
            known = dict.fromkeys(known, NOTHING_KNOWN)
        found.append(PaidRow(iso_day(from_s), name, from_s, to_s, given, known))
    return tuple(found)


def quarters(from_s: int, to_s: int, starts: int) -> Iterator[tuple[str, int, int]]:
    """The quarters of a span, cut to it, epoch seconds. starts: the month in which the fiscal year does, 1..12.

    >>> [name for name, *_ in quarters(1_790_812_800, 1_798_761_600, 4)]  # October to December 2026
    ['2027 Q3']
    """
    first_s = from_s
    while first_s < to_s:
        year, month = map(int, month_of(first_s).split("-"))
        inside = (month - starts) % MONTHS_OF_YEAR
        ahead = year * MONTHS_OF_YEAR + month - 1 + MONTHS_OF_QUARTER - inside % MONTHS_OF_QUARTER
        next_s = month_bounds(f"{ahead // MONTHS_OF_YEAR}-{ahead % MONTHS_OF_YEAR + 1:02d}")[0]
        named = year + (starts > 1 and month >= starts)
        yield f"{named} Q{inside // MONTHS_OF_QUARTER + 1}", first_s, min(next_s, to_s)
        first_s = next_s


def _hours_of(order: Order, from_s: int, to_s: int) -> float:
    return max(0, min(order.end_s, to_s) - max(order.start_s, from_s)) / HOUR_S


def _running_rates(of: Evaluation) -> list[float | None]:
    """$ per GPU-hour of each order that is not paid on a day: of what is owned without its price."""
    project, values = of.project, of.project.assumptions_in(scenario_named(of.project, of.scenario))
    offers = {offer.offer_id: offer for offer in project.offers}
    found: list[float | None] = []
    for one in of.advised.orders:
        capital = 0.0 if one.is_bought else None
        if one.is_bought:
            inputs = owned_inputs(offers[one.offer_id], values.wacc, values.pue) | {
                "capex_per_gpu": one.capex_per_gpu
            }
            capital = OWNED.row(inputs, ["capital_per_month"])["capital_per_month"]
        rate = None if one.rate is None else one.rate + one.extras_rate - one.setup_per_gpu / one.term_hours
        found.append(rate if not capital or rate is None else rate - capital / HOURS_PER_MONTH)
    return found


def _known_of(key: str, row: PaidRow) -> report.Unknown:
    """What is known of a figure of a quarter, and whose rate is missing."""
    return report.Unknown(lacking_sentences(row.known[key]), known=row.known[key])


CASH_BY_QUARTER: Final = report.Report(
    worded("Cash by quarter"),
    cash_rows,
    total=lambda of: PaidTotal(cash=in_all(row.known["cash"] for row in cash_rows(of))),
    total_why={"cash": CASH["cash"].why},
    note=worded(
        "Upfront payments and set-up on the day of their order, all else by the hours of the quarter."
    ),
    media=READ | report.DOCUMENT_ALONE,
).with_columns(
    report.named("from", "from_s", "date"),
    report.named("to", "to_s", "date"),
    report.named("quarter", "name"),
    report.text("name", worded("Quarter"), media=READ),
    report.text("begins", worded("From"), attrgetter("from_s"), media=READ, form="date"),
    _LAST,
    *(report.Column(CASH[key], unknown=partial(_known_of, key)) for key in ("cash", "at_once", "by_hour")),
)


PAID: Final = {"owed": OWED_ROWS, "cash": CASH_BY_QUARTER}
"""Of an evaluation with its advice, by their names in documents."""


# --- What is in the plan beside its rates, line by line


@dataclass(frozen=True, slots=True)
class ExtraRow:
    """One extra. cost_per_month: $ of the plan's first month, in its total; None: it has no price."""

    key: str
    name: Text
    cost_per_month: float | None


def _extra_rows(of: Evaluation) -> tuple[ExtraRow, ...]:
    amounts = of.advice.totals.extras if of.advice else ()
    return tuple(ExtraRow(key, EXTRA_TITLES[key], usd) for key, usd in amounts)


EXTRAS_OF_PLAN: Final = report.Report(
    worded("In the plan beside its rates"),
    _extra_rows,
    total=lambda of: ExtraRow("", titles.ALL_OF_IT, known_sum(usd for _, usd in of.advice.totals.extras)),
    note=worded("Of the first month, at what is stated of offers and contracts; it is in the plan's total."),
    media=READ,
).with_columns(
    report.Column(key="name", title=worded("Extra"), media=READ),
    report.Column(
        replace(ORDER["cost_per_month"], short="", why="", unknown=worded("It has no price")), media=READ
    ),
)

RUN_WAYS: Final = report.Report(
    worded("What guarantees work that comes back"),
    lambda of: [way for run in of.advice.planned_runs for way in run.ways] if of.advice else [],
    lambda way: f"{way.work.key}\t{way.offer.offer_id}",
    note=worded(
        "In its mean month, at today's rates, each bought for it alone: whole terms at each start, or all through. "
        "Spot guarantees nothing."
    ),
    media=READ,
).with_columns(
    report.text("name", worded("Planned work"), attrgetter("work.name"), media=READ, form="name"),
    report.Column(ORDER["gpus"], media=READ, value=attrgetter("work.gpus")),
    report.Column(ELSEWHERE["gpu_hours_per_month"], media=READ, value=attrgetter("work.mean_gpu_hours")),
    report.text("offer_id", worded("Offer"), attrgetter("offer.offer_id"), media=READ),
    report.text("term", titles.TERM, lambda way: offer_terms(way.offer), media=READ),
    report.Column(ELSEWHERE["cost_per_month"], media=READ),
)


def restart_delays(of: Evaluation) -> RestartDelays | None:
    """How long requeued jobs of the log waited to go on, and what that makes spot lose; None where it has none."""
    assumptions = of.project.assumptions_in(of.figures.basis.plan)
    return restart_delays_of(of.project.jobs.restart_delays_s, assumptions)


DELAYS: Final = (worded("No wait, as assumed"), worded("P50"), worded("P90"))


def _delay_rows(of: Evaluation) -> tuple[tuple[Text, float, float], ...]:
    found = restart_delays(of)
    if found is None:
        return ()
    lost = (found.lost, found.lost_p50, found.lost_p90)
    return tuple(zip(DELAYS, (0.0, found.p50_h, found.p90_h), lost, strict=True))


DELAY: Final = Figure("delay_h", worded("Until GPUs are back"), writing.RUN_HOURS)
LOST: Final = Figure("lost", worded("One node on spot loses"), writing.SHARE)
RESTARTS: Final = report.Report(
    worded("Until requeued jobs had GPUs again"),
    _delay_rows,
    itemgetter(1),
    note=worded(
        "From the end of a run that did not complete to the next run of the same job; before its restart."
    ),
    media=READ,
).with_columns(
    report.text("name", worded("Requeued jobs"), itemgetter(0), media=READ, form="name"),
    report.Column(DELAY, media=READ, value=itemgetter(1)),
    report.Column(LOST, media=READ, value=itemgetter(2)),
)

READ_WITH_PLAN: Final = {**PAID, "extras": EXTRAS_OF_PLAN, "run_ways": RUN_WAYS, "restart_delays": RESTARTS}
"""The same as people read them, with what stands among the totals of documents."""


# --- Why: each of these figures by what went in

WHY: Final = Answers[Evaluation]()
_READ_FROM: Final = {
    "gpus": worded("the contract"),
    "rate": worded("the contract"),
    "hours_left": worded("its end as the plan counts it; without one to the end of the notice"),
    "at_once": worded("payments up front and set-up, on the day of their order"),
    "by_hour": worded("contracts, orders and use of the hours in it"),
}
_SUMS: Final = {
    "owed": worded("Owed = \u03a3 over the contracts in force"),
    "cash": worded("Cash = \u03a3 over the quarters"),
}


@WHY.gives_each(
    {
        one.why: (report_name, one.key)
        for report_name, subject in (("owed", OWED), ("cash", CASH))
        for one in subject.figures
    }
)
def paid(kind: tuple[str, str], of: Evaluation, scope: str, subject: str) -> Trace:
    """A figure of a contract that is owed or of a quarter; of all of them where none is named."""
    (name, key), figures_of = kind, OWED if kind[0] == "owed" else CASH
    rows, one = PAID[name].rows(of), figures_of[key]
    if not subject:
        listed = [TraceRow(row.name, (row.figures[key],), figure(one.why, row.key)) for row in rows]
        total = known_sum(row.figures[key] for row in rows)
        return summed(one.title, total, one.unit.key, _SUMS[key], listed, (column_of(one),))
    row = next(row for row in rows if row.key == subject)
    if one.formula is None:
        return read(titled(one, row.name), row.figures[key], one.unit.key, _READ_FROM[key])
    return explained(figures_of, key, Inputs(row.figures, row.key, row.name))
