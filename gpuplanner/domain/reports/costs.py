"""What single things cost, who pays for a window, and spend beside figures of the business."""

from collections.abc import Mapping
from operator import attrgetter
from typing import Any, Final

from gpuplanner.domain.audit.chargeback import Charge, ChargePart, Charges
from gpuplanner.domain.audit.cost_result import NO_JOB, ChargeBy, ExperimentCost, ModelCost, RunCost
from gpuplanner.domain.audit.mix import idle_nights, most_expensive
from gpuplanner.domain.audit.unit_costs.business_costs import BusinessCost
from gpuplanner.domain.figures import unit_costs
from gpuplanner.domain.figures.chargeback import CHARGE
from gpuplanner.domain.figures.use import HELD
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.cube import CALLED_NOBODY
from gpuplanner.domain.reports import report
from gpuplanner.domain.reports.report import Column, Report, fields, inside, listed, named, of_subject, text
from gpuplanner.domain.reports.training import OF_PAST_RUNS

# --- What single things cost: training runs, models and their workloads, endpoints, experiments

RUNS_LISTED: Final = 500
"""A log of a year has tens of thousands of runs: nobody reads them, and their rows would hold up the window."""
LISTED_IN_TERMINAL: Final = 20
READ: Final = report.WINDOW | report.TERMINAL
SHOWN: Final = READ | report.DOCUMENT_ALONE
WITH_CLUSTER: Final = report.TERMINAL | report.DOCUMENT_ALONE
KNOWN_FROM: Final[Mapping[str, Text]] = {
    "log": worded("the log"),
    "name": worded("its name"),
    "unknown": "\u2014",
}

KEY: Final = named("key")
CLUSTER: Final = text("cluster", worded("Cluster"), media=WITH_CLUSTER)


def _key(row: Any) -> str:
    return str(row.key)


def _named(title: Message) -> Column:
    return text("name", title, tip=_key)


def _start(row: RunCost | ExperimentCost) -> int | None:
    return row.start_s


RUNS: Final = Report(
    title=worded("Training runs"),
    rows=attrgetter("runs"),
    key=attrgetter("subject"),
    limits={report.Medium.WINDOW: RUNS_LISTED, report.Medium.TERMINAL: LISTED_IN_TERMINAL},
    media=SHOWN,
).with_columns(
    KEY,
    _named(worded("Run")),
    CLUSTER,
    text("start", worded("Start"), _start, media=report.WINDOW | report.DOCUMENT_ALONE, form="date"),
    text("start", worded("From"), _start, media=report.TERMINAL, form="date"),
    # The last second in which it ran: its end is the first after it.
    text("end", worded("To"), lambda row: row.end_s - 1, media=report.TERMINAL, form="date"),
    named("end", "end_s", "date"),
    named(unit_costs.RUN["gpu_hours"]),
    Column(figure=unit_costs.RUN["mean_gpus"]),
    Column(figure=unit_costs.RUN["gpu_hours"], media=READ),
    Column(figure=unit_costs.RUN["cost"]),
    Column(figure=unit_costs.RUN["run_kwh"], media=report.WINDOW | report.DOCUMENT_ALONE),
    named(unit_costs.RUN["run_kg_co2"]),
)


MODEL_PARTS: Final = Report(
    title=worded("Workloads"), rows=attrgetter("parts"), key=_key, media=report.WINDOW | report.DOCUMENT_ALONE
).with_columns(
    text("key", worded("Workload")),
    *of_subject(unit_costs.MODEL_PART, "gpu_hours", "cost_per_month", media=report.EVERYWHERE),
)


def _model_name(model: ModelCost) -> Text:
    return model.model or worded("Unknown model")


def _model_and_source(model: ModelCost) -> Message:
    """The model's name, and that it was only read off a job's name."""
    from_name = (" \u00b7 ", worded("from the name")) if model.source == "name" else ()
    return joined((_model_name(model), *from_name))


MODELS: Final = Report(
    title=worded("Models"),
    rows=attrgetter("models"),
    key=attrgetter("subject"),
    limits={report.Medium.TERMINAL: LISTED_IN_TERMINAL},
    media=SHOWN,
).with_columns(
    named("model"),
    named("source"),
    text("model", worded("Model"), _model_and_source, media=report.WINDOW),
    text("model", worded("Model"), _model_name, media=report.TERMINAL),
    text("source", worded("Known from"), lambda model: KNOWN_FROM[model.source], media=report.TERMINAL),
    Column(figure=unit_costs.MODEL_COST["workloads"], media=READ),
    *of_subject(unit_costs.MODEL_COST, "gpu_hours", "cost_per_month", media=report.EVERYWHERE),
    listed("workloads", MODEL_PARTS, lambda model: model),
)


TOKENS: Final = fields(
    named("start", "start_s", "date"),
    named("end", "end_s", "date"),
    *of_subject(unit_costs.TRAFFIC, "context_tokens", "generated_tokens", "cost"),
    *of_subject(unit_costs.TRAFFIC, "cost_per_million_tokens", "cost_per_million_generated_tokens"),
    named("tokens_are_assumed", "is_assumed"),
)
"""Of an endpoint's traffic."""
PREMIUMS: Final = fields(
    unit_costs.PREMIUM["paid_rate"],
    "offer_id",
    *of_subject(unit_costs.PREMIUM, "offer_rate", "premium_per_month", "rate_premium_per_month"),
    unit_costs.PREMIUM["idle_premium_per_month"],
    "is_leak",
    *of_subject(unit_costs.PREMIUM, "paid_utilization", "offer_utilization"),
)
"""Of what an endpoint pays beside the offer at equal terms."""


ENDPOINTS: Final = Report(
    title=worded("Endpoints"),
    rows=attrgetter("endpoints"),
    key=_key,
    limits={report.Medium.TERMINAL: LISTED_IN_TERMINAL},
    media=SHOWN,
).with_columns(
    KEY,
    _named(worded("Endpoint")),
    CLUSTER,
    *of_subject(unit_costs.ENDPOINT, "gpu_hours", "cost_per_month", media=WITH_CLUSTER),
    named(unit_costs.ENDPOINT["active_per_month"]),
    Column(figure=unit_costs.ENDPOINT["inactive_per_month"]),
    named("by_hour_usd_per_month", lambda row: list(row.by_hour_per_month)),
    named("by_weekday_usd_per_month", lambda row: [list(day) for day in row.by_weekday_per_month]),
    inside("tokens", TOKENS),
    inside("premium", PREMIUMS),
    Column(figure=unit_costs.TRAFFIC["cost_per_million_tokens"], media=READ),
    *(
        Column(figure=unit_costs.PREMIUM[key], media=report.TERMINAL, value=f"premium.{key}")
        for key in ("paid_rate", "paid_utilization", "offer_rate", "offer_utilization")
    ),
    Column(figure=unit_costs.PREMIUM["premium_per_month"], media=READ),
    Column(figure=unit_costs.ENDPOINT["cost_per_month"], media=report.WINDOW),
)


EXPERIMENTS: Final = Report(
    title=worded("Experiments"),
    rows=attrgetter("experiments"),
    key=_key,
    limits={report.Medium.TERMINAL: LISTED_IN_TERMINAL},
    media=SHOWN,
).with_columns(
    KEY,
    _named(worded("Experiment")),
    CLUSTER,
    Column(key="start", media=report.DOCUMENT_ALONE, form="date", value=_start),
    named("end", "end_s", "date"),
    Column(figure=unit_costs.EXPERIMENT["jobs"]),
    *of_subject(unit_costs.EXPERIMENT, "gpu_hours", "cost_per_month", media=WITH_CLUSTER),
    named(unit_costs.EXPERIMENT["cost_in_window"]),
    Column(figure=unit_costs.EXPERIMENT["cost_per_job"]),
    Column(figure=unit_costs.EXPERIMENT["cost_per_month"], media=report.WINDOW),
)


# --- Spend beside figures of the business, and how often training workloads are run again --------

LISTED: Final = 20


def write_month(row: BusinessCost) -> Text:
    """The month; of the plan's twelfth whose count it has."""
    return row.month if not row.is_planned else worded("{month}, month 12", month=row.month)


def describe_held_count(row: BusinessCost) -> Text:
    if not row.is_planned:
        return ""
    if row.held_from == row.month:
        return worded("Month 12 of the plan (730 h), at its count.")
    return worded("Month 12 of the plan (730 h), at the count of {month}.", month=row.held_from)


def _unknown(row: BusinessCost) -> report.Unknown:
    return report.Unknown(row.unknown)


BUSINESS_COSTS: Final = Report(
    title=worded("Spend per business figure"),
    key=attrgetter("subject"),
    note=worded(
        "Partly logged months count by their hours. Month 12: the plan's, at its own or the last count."
    ),
    media=READ | report.DOCUMENT_ALONE,
).with_columns(
    text("name", worded("Of"), media=READ | report.DOCUMENT_ALONE),
    text("", worded("Workload"), "key", READ, is_rare=True),
    named("key", lambda row: row.key or None),
    text("month", worded("Month"), write_month, media=READ, tip=describe_held_count),
    named("month"),
    named("held_from", lambda row: row.held_from or None),
    *of_subject(unit_costs.BUSINESS, "value", "counted_share", media=report.EVERYWHERE),
    *of_subject(unit_costs.BUSINESS, "business_cost", "cost_each", media=report.EVERYWHERE, unknown=_unknown),
    *of_subject(unit_costs.BUSINESS, "each_growth", "unserved", media=report.EVERYWHERE, is_rare=True),
    named("unknown", lambda row: str(row.unknown) or None),
)


RETRAININGS: Final = Report(
    title=worded("Retraining"), limits={report.Medium.TERMINAL: LISTED}, media=READ | report.DOCUMENT_ALONE
).with_columns(
    named("key"),
    text("name", worded("Workload"), tip=attrgetter("key")),
    text("cluster", worded("Cluster"), media=report.TERMINAL | report.DOCUMENT_ALONE),
    *of_subject(unit_costs.RETRAINING, "runs", "days_between", "cost_per_run", media=report.EVERYWHERE),
)


# --- GPUs that are held and not used: the workloads that cost most per useful GPU-hour, idle nights by team


_HELD_READ: Final = READ | report.SHEET
USEFUL_RATES: Final = Report(
    title=worded("Most expensive per useful GPU-hour"),
    rows=most_expensive,
    media=_HELD_READ | report.DOCUMENT_ALONE,
).with_columns(
    KEY,
    text("name", worded("Workload"), media=_HELD_READ, tip=_key),
    text("team", worded("Team"), lambda row: row.team or CALLED_NOBODY),
    *of_subject(HELD, "useful_rate", "activity", media=report.EVERYWHERE),
    named(HELD["gpu_hours_per_month"]),
    Column(figure=HELD["cost_per_month"]),
)
IDLE_NIGHTS: Final = Report(
    title=worded("Idle nights by team"),
    rows=idle_nights,
    note=worded("Allocated but inactive from 20 to 6 h and on weekends, project time zone."),
    media=_HELD_READ | report.DOCUMENT_ALONE,
).with_columns(
    named("team", "name"),
    text("name", worded("Team"), media=_HELD_READ),
    *of_subject(HELD, "idle_nights", "known_idle_nights", "night_gpu_hours", media=report.EVERYWHERE),
)

OF_HELD: Final = {"expensive_workloads": USEFUL_RATES, "idle_nights": IDLE_NIGHTS, **OF_PAST_RUNS}
"""Of a past, by their names in documents."""


# --- Who pays for a window: by team with its budget, by workload, model or endpoint --------------

WHAT_IT_IS: Final = ("gpu_hours", "direct_in_window", "idle_in_window", "overflow_in_window")
BUDGET: Final = ("budget_in_window", "left_in_window")
TITLES: Final[Mapping[ChargeBy, Message]] = {
    ChargeBy.TEAM: worded("Chargeback by team"),
    ChargeBy.WORKLOAD: worded("Chargeback by workload"),
    ChargeBy.MODEL: worded("Chargeback by model"),
    ChargeBy.ENDPOINT: worded("Chargeback by endpoint"),
}
_HEADINGS: Final[Mapping[ChargeBy, Message]] = {
    ChargeBy.TEAM: worded("Team"),
    ChargeBy.WORKLOAD: worded("Workload"),
    ChargeBy.MODEL: worded("Model"),
    ChargeBy.ENDPOINT: worded("Endpoint"),
}


def _most_first(row: Charge) -> tuple[bool, bool, float, str]:
    """Most charged first, what nobody knows behind it, nobody's last."""
    usd = row.total_in_window
    return row.is_nobodys, usd is None, -(usd or 0.0), row.name or ""


def build_chargeback_report(by: ChargeBy, *, has_budgets: bool) -> Report:
    of_teams = by is ChargeBy.TEAM
    team = () if of_teams else (text("whose", worded("Team"), media=READ),)
    budget = BUDGET if has_budgets else ()
    return Report(
        title=TITLES[by],
        rows=attrgetter("rows"),
        key=attrgetter("subject"),
        scope=by.value,
        order={report.Medium.WINDOW: _most_first, report.Medium.TERMINAL: _most_first},
        total=attrgetter("whole"),
        media=READ,
        limits={} if of_teams else {report.Medium.TERMINAL: LISTED_IN_TERMINAL},
        adds_up=of_teams,
    ).with_columns(
        text("called", _HEADINGS[by], media=READ, tip=attrgetter("called")),
        # a panel is narrow: what is charged stands beside the name, what it is made of behind it
        *of_subject(CHARGE, "total_in_window", *budget, media=report.WINDOW),
        *team,
        *of_subject(CHARGE, *WHAT_IT_IS, media=READ),
        *of_subject(CHARGE, *budget, "total_in_window", media=report.TERMINAL),
    )


CHARGES: Final[Mapping[ChargeBy, Report]] = {
    by: build_chargeback_report(by, has_budgets=False) for by in ChargeBy
}
BUDGETED: Final = build_chargeback_report(ChargeBy.TEAM, has_budgets=True)


def report_of(rows: Charges) -> Report:
    """The report of some rows: that of teams with their budgets where one has any."""
    return BUDGETED if _has_budgets(rows) else CHARGES[rows.by]


def largest_first(part: ChargePart) -> tuple[bool, float, str, str]:
    """Most charged first, what nobody knows last."""
    usd = part.total_in_window
    return usd is None, -(usd or 0.0), part.key, part.cluster


STATEMENT: Final = Report(
    title=worded("Charge of each workload"),
    rows=lambda charge: charge.parts,
    key=lambda part: part.key,
    order={report.Medium.BRIEF: largest_first},
    media=report.BRIEF,
    adds_up=True,
).with_columns(  # the key of a workload; of idle GPUs whose owner ran nothing there, that
    text("workload", worded("Workload"), lambda part: part.key or NO_JOB),
    text("cluster", worded("Cluster")),
    *of_subject(CHARGE, *WHAT_IT_IS, "total_in_window", media=report.BRIEF),
)
"""About one row of a chargeback: what it is made of."""


def _on_paper(*budget: str) -> Report:
    return Report(
        title=TITLES[ChargeBy.TEAM],
        rows=attrgetter("rows"),
        key=attrgetter("subject"),
        order={report.Medium.BRIEF: _most_first},
        total=attrgetter("whole"),
        media=report.BRIEF,
        adds_up=True,
    ).with_columns(
        text("called", worded("Team")),
        *of_subject(CHARGE, *WHAT_IT_IS, "total_in_window", *budget, media=report.BRIEF),
    )


def overview_of(rows: Charges) -> Report:
    """The report of teams on paper, with their budgets where one has any."""
    return _on_paper(*BUDGET) if _has_budgets(rows) else _on_paper()


def _has_budgets(rows: Charges) -> bool:
    return any(row.budget_in_window is not None for row in rows.rows)


def _name_of(row: Charge) -> str | None:
    """The name in a document: null of work that has none."""
    return CALLED_NOBODY if row.is_nobodys else row.name


def _fields(*named_by: Column) -> report.Fields:
    return fields(
        # the team in a document: null where it is of several
        named("team", lambda row: None if row.team is None else row.team or CALLED_NOBODY),
        *named_by,
        *of_subject(CHARGE, *WHAT_IT_IS, "total_in_window", *BUDGET),
        named("used_up", "used_up_s", "date"),
    )


OF_TEAMS: Final = _fields()
"""A row in a document."""
OF_ASKED: Final = _fields(named("by", "by.value"), named("name", _name_of))
"""The same where it was said by what."""
