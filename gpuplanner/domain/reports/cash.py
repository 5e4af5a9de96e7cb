"""What a plan has paid when: owed if everything stops, and cash by quarter of the fiscal year."""

from functools import partial
from operator import itemgetter
from typing import Final

from gpuplanner.domain.commitment.payments import PaidRow, cash_rows, owed_in_all, owed_rows
from gpuplanner.domain.commitment.recursion.rates import RestartDelays, restart_delays_of
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures import titles, writing
from gpuplanner.domain.figures.cash import CASH, OWED
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.figures.training import ELSEWHERE
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import PartSum, in_all, known_sum, lacking_sentences
from gpuplanner.domain.model.book.extras import EXTRA_TITLES
from gpuplanner.domain.reports import plan_layers, report, serving
from gpuplanner.lazy_dataclass import dataclass, replace

READ: Final = report.WINDOW | report.TERMINAL | report.SHEET


# --- Owed if everything stops: contracts in force, each to its end -------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidTotal:
    """The row under all of them: one of the two sums; its other columns are blank."""

    name: Text = titles.ALL_OF_IT
    begins: str = ""
    last: str = ""
    owed: PartSum | None = None
    cash: PartSum | None = None


_LAST: Final = report.text("last", worded("Up to"), lambda row: row.to_s - 1, media=READ, form="date")
OWED_ROWS: Final = report.Report(
    title=OWED["owed"].title,
    rows=lambda of: owed_rows(of.project, of.plan),
    total=lambda of: PaidTotal(owed=owed_in_all(of.project, of.plan)),
    total_why={"owed": OWED["owed"].why},
    media=READ | report.DOCUMENT_ALONE,
    adds_up=True,
).with_columns(
    report.named("contract_id", "key"),
    report.text("name", worded("Contract"), media=READ),
    report.named("to", "to_s", "date"),
    _LAST,
    *(report.Column(figure=OWED[key]) for key in ("owed", "gpus", "rate", "hours_left")),
)


# --- Cash by quarter: what is paid on a day on that day, all else by the hours of the calendar ---


def _known_of(key: str, row: PaidRow) -> report.Unknown:
    """What is known of a figure of a quarter, and whose rate is missing."""
    return report.Unknown(lacking_sentences(row.known[key]), known=row.known[key])


CASH_BY_QUARTER: Final = report.Report(
    title=worded("Cash by quarter"),
    rows=lambda of: cash_rows(of.project, of.plan, of.advice),
    total=lambda of: PaidTotal(
        cash=in_all(row.known["cash"] for row in cash_rows(of.project, of.plan, of.advice))
    ),
    total_why={"cash": CASH["cash"].why},
    note=worded("Upfront and setup on the order day, other cost by the quarter's hours."),
    media=READ | report.DOCUMENT_ALONE,
).with_columns(
    report.named("from", "from_s", "date"),
    report.named("to", "to_s", "date"),
    report.named("quarter", "name"),
    report.text("name", worded("Quarter"), media=READ),
    report.text("begins", worded("From"), "from_s", media=READ, form="date"),
    _LAST,
    *(
        report.Column(figure=CASH[key], unknown=partial(_known_of, key))
        for key in ("cash", "at_once", "by_hour")
    ),
)


PAID: Final = {"owed": OWED_ROWS, "cash": CASH_BY_QUARTER, **plan_layers.HOW_BOUGHT}
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
    title=worded("In the plan, in addition to its rates"),
    rows=_extra_rows,
    total=lambda of: ExtraRow("", titles.ALL_OF_IT, known_sum(usd for _, usd in of.advice.totals.extras)),
    note=worded("First month, from offers and contracts; in the plan total."),
    media=READ,
).with_columns(
    report.Column(key="name", title=worded("Extra"), media=READ),
    report.Column(
        figure=replace(ORDER["cost_per_month"], short="", why="extra_usd", unknown=worded("No price")),
        media=READ,
    ),
)

RUN_WAYS: Final = report.Report(
    title=worded("Guaranteed capacity for recurring work"),
    rows=lambda of: list(of.advice.all_ways) if of.advice else [],
    key=lambda row: f"{row.work.key}\t{row.offer.offer_id}",
    note=worded(
        "Mean month at today's rates on dedicated GPUs, whole terms from each start or continuous. Spot "
        "guarantees no capacity."
    ),
    media=READ,
).with_columns(
    report.text("name", worded("Recurring work"), "work.name", media=READ, form="name"),
    report.Column(figure=replace(ORDER["gpus"], why="way_gpus"), media=READ, value="work.gpus"),
    report.Column(
        figure=replace(ELSEWHERE["gpu_hours_per_month"], why="way_hours"),
        media=READ,
        value="work.mean_gpu_hours",
    ),
    report.text("offer_id", worded("Offer"), "offer.offer_id", media=READ),
    report.text("term", titles.TERM, lambda row: serving.offer_terms(row.offer), media=READ),
    report.Column(figure=replace(ELSEWHERE["cost_per_month"], why="way_usd"), media=READ),
)


def restart_delays(of: Evaluation) -> RestartDelays | None:
    """How long requeued jobs of the log waited to go on, and what that makes spot lose; None where it has none."""
    assumptions = of.project.assumptions_in(of.plan)
    return restart_delays_of(of.project.jobs.restart_delays_s, assumptions)


DELAYS: Final = (worded("No wait, as assumed"), worded("P50"), worded("P90"))


def _delay_rows(of: Evaluation) -> tuple[tuple[Text, float, float], ...]:
    delays = restart_delays(of)
    if delays is None:
        return ()
    lost = (delays.lost, delays.lost_p50, delays.lost_p90)
    return tuple(zip(DELAYS, (0.0, delays.p50_h, delays.p90_h), lost, strict=True))


DELAY: Final = Figure(
    key="delay_h", title=worded("Until GPUs are back"), unit=writing.RUN_HOURS, why="restart_delay"
)
LOST: Final = Figure(
    key="lost", title=worded("One node on spot loses"), unit=writing.SHARE, why="restart_lost"
)
RESTARTS: Final = report.Report(
    title=worded("Until requeued jobs got GPUs"),
    rows=_delay_rows,
    key=itemgetter(1),
    note=worded("From an incomplete run to the job's next."),
    media=READ,
).with_columns(
    report.text("name", worded("Requeued jobs"), itemgetter(0), media=READ, form="name"),
    report.Column(figure=DELAY, media=READ, value=itemgetter(1)),
    report.Column(figure=LOST, media=READ, value=itemgetter(2)),
)

READ_WITH_PLAN: Final = {**PAID, "extras": EXTRAS_OF_PLAN, "run_ways": RUN_WAYS, "restart_delays": RESTARTS}
"""The same as people read them, with what stands among the totals of documents."""
