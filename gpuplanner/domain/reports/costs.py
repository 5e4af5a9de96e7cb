"""What single things cost, who pays for a window, and spend beside figures of the business."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any, Final
from zoneinfo import ZoneInfo

import numpy as np

from gpuplanner.domain.arrays import Bools
from gpuplanner.domain.audit.chargeback import Charge, ChargePart, Charges, charged, charges
from gpuplanner.domain.audit.cost_result import NO_JOB, ChargeBy, ExperimentCost, ModelCost, RunCost
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.unit_costs import BusinessCost, PlanMonth, business_costs, past_of, spend_by_hour
from gpuplanner.domain.commitment.plan.totals import with_used_up
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.evidence.answering import Answers, Inputs, explained
from gpuplanner.domain.evidence.trace import Trace, TraceRow, column_of, read, summed, titled
from gpuplanner.domain.figures import unit_costs
from gpuplanner.domain.figures.card import CARD
from gpuplanner.domain.figures.chargeback import CHARGE
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR, by_row, floats
from gpuplanner.domain.figures.use import HELD
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.cube import CALLED_NOBODY
from gpuplanner.domain.model.plan_inputs import TODAY
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.domain.reports.report import (
    BRIEF,
    DOCUMENT_ALONE,
    SHEET,
    TERMINAL,
    WINDOW,
    Column,
    Fields,
    Medium,
    Report,
    Unknown,
    fields,
    inside,
    listed,
    named,
    of_subject,
    text,
)
from gpuplanner.domain.reports.training import OF_PAST_RUNS
from gpuplanner.lazy_dataclass import dataclass, field

# --- What single things cost: training runs, models and their workloads, endpoints, experiments

RUNS_LISTED: Final = 500
"""A log of a year has tens of thousands of runs: nobody reads them, and their rows would hold up the window."""
LISTED_IN_TERMINAL: Final = 20
READ: Final = WINDOW | TERMINAL
SHOWN: Final = READ | DOCUMENT_ALONE
WITH_CLUSTER: Final = TERMINAL | DOCUMENT_ALONE
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
    worded("Training runs"),
    attrgetter("runs"),
    attrgetter("subject"),
    limits={Medium.WINDOW: RUNS_LISTED, Medium.TERMINAL: LISTED_IN_TERMINAL},
    media=SHOWN,
).with_columns(
    KEY,
    _named(worded("Run")),
    CLUSTER,
    text("start", worded("Start"), _start, media=WINDOW | DOCUMENT_ALONE, form="date"),
    text("start", worded("From"), _start, media=TERMINAL, form="date"),
    # The last second in which it ran: its end is the first after it.
    text("end", worded("To"), lambda row: row.end_s - 1, media=TERMINAL, form="date"),
    named("end", "end_s", "date"),
    named(unit_costs.RUN["gpu_hours"]),
    Column(unit_costs.RUN["mean_gpus"]),
    Column(unit_costs.RUN["gpu_hours"], media=READ),
    Column(unit_costs.RUN["cost"]),
    Column(unit_costs.RUN["run_kwh"], media=WINDOW | DOCUMENT_ALONE),
    named(unit_costs.RUN["run_kg_co2"]),
)


MODEL_PARTS: Final = Report(
    worded("Workloads"), attrgetter("parts"), _key, media=WINDOW | DOCUMENT_ALONE
).with_columns(
    text("key", worded("Workload")),
    Column(unit_costs.MODEL_PART["gpu_hours"]),
    Column(unit_costs.MODEL_PART["cost_per_month"]),
)


def _model_name(model: ModelCost) -> Text:
    return model.model or worded("Unknown model")


def _model_and_source(model: ModelCost) -> Message:
    """The model's name, and that it was only read off a job's name."""
    from_name = (" \u00b7 ", worded("from the name")) if model.source == "name" else ()
    return joined((_model_name(model), *from_name))


MODELS: Final = Report(
    worded("Models"),
    attrgetter("models"),
    attrgetter("subject"),
    limits={Medium.TERMINAL: LISTED_IN_TERMINAL},
    media=SHOWN,
).with_columns(
    named("model"),
    named("source"),
    text("model", worded("Model"), _model_and_source, media=WINDOW),
    text("model", worded("Model"), _model_name, media=TERMINAL),
    text("source", worded("Known from"), lambda model: KNOWN_FROM[model.source], media=TERMINAL),
    Column(unit_costs.MODEL_COST["workloads"], media=READ),
    Column(unit_costs.MODEL_COST["gpu_hours"]),
    Column(unit_costs.MODEL_COST["cost_per_month"]),
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
    unit_costs.PREMIUM["offer_rate"],
    unit_costs.PREMIUM["premium_per_month"],
    unit_costs.PREMIUM["rate_premium_per_month"],
    unit_costs.PREMIUM["idle_premium_per_month"],
    "is_leak",
    unit_costs.PREMIUM["paid_utilization"],
    unit_costs.PREMIUM["offer_utilization"],
)
"""Of what an endpoint pays beside the offer at equal terms."""


ENDPOINTS: Final = Report(
    worded("Endpoints"),
    attrgetter("endpoints"),
    _key,
    limits={Medium.TERMINAL: LISTED_IN_TERMINAL},
    media=SHOWN,
).with_columns(
    KEY,
    _named(worded("Endpoint")),
    CLUSTER,
    Column(unit_costs.ENDPOINT["gpu_hours"], media=WITH_CLUSTER),
    Column(unit_costs.ENDPOINT["cost_per_month"], media=WITH_CLUSTER),
    named(unit_costs.ENDPOINT["active_per_month"]),
    Column(unit_costs.ENDPOINT["inactive_per_month"]),
    named("by_hour_usd_per_month", lambda row: list(row.by_hour_per_month)),
    named("by_weekday_usd_per_month", lambda row: [list(day) for day in row.by_weekday_per_month]),
    inside("tokens", TOKENS),
    inside("premium", PREMIUMS),
    Column(unit_costs.TRAFFIC["cost_per_million_tokens"], media=READ),
    *(
        Column(unit_costs.PREMIUM[key], media=TERMINAL, value=attrgetter(f"premium.{key}"))
        for key in ("paid_rate", "paid_utilization", "offer_rate", "offer_utilization")
    ),
    Column(unit_costs.PREMIUM["premium_per_month"], media=READ),
    Column(unit_costs.ENDPOINT["cost_per_month"], media=WINDOW),
)


EXPERIMENTS: Final = Report(
    worded("Experiments"),
    attrgetter("experiments"),
    _key,
    limits={Medium.TERMINAL: LISTED_IN_TERMINAL},
    media=SHOWN,
).with_columns(
    KEY,
    _named(worded("Experiment")),
    CLUSTER,
    Column(key="start", media=DOCUMENT_ALONE, form="date", value=_start),
    named("end", "end_s", "date"),
    Column(unit_costs.EXPERIMENT["jobs"]),
    Column(unit_costs.EXPERIMENT["gpu_hours"], media=WITH_CLUSTER),
    Column(unit_costs.EXPERIMENT["cost_per_month"], media=WITH_CLUSTER),
    named(unit_costs.EXPERIMENT["cost_in_window"]),
    Column(unit_costs.EXPERIMENT["cost_per_job"]),
    Column(unit_costs.EXPERIMENT["cost_per_month"], media=WINDOW),
)


# --- Spend beside figures of the business, and how often training workloads are run again --------

LISTED: Final = 20


def business_of(evaluation: Evaluation) -> tuple[BusinessCost, ...]:
    """Spend beside the business figures of the project, by month, and in month 12 of its plan where there is one."""
    project, advice = evaluation.project, evaluation.advice
    if not project.business:
        return ()
    month_12 = month_12_of(None if evaluation.scenario == TODAY else advice)
    return business_costs(project, spend_by_hour(past_of(project, evaluation.audit)), month_12)


def month_12_of(advice: Advice | None) -> PlanMonth | None:
    """The last of the twelve months of a plan; None without one."""
    if advice is None:
        return None
    last = advice.comparison[-1]
    return PlanMonth(last.start_s, last.plan_usd, last.unserved_gpu_hours)


def _month(row: BusinessCost) -> Text:
    """The month; of the plan's twelfth whose count it has."""
    return row.month if not row.is_planned else worded("{month}, month 12", month=row.month)


def _held(row: BusinessCost) -> Text:
    if not row.is_planned:
        return ""
    if row.held_from == row.month:
        return worded("Month 12 of the plan, at the count given for it.")
    return worded("Month 12 of the plan, as if the count stayed at that of {month}.", month=row.held_from)


def _unknown(row: BusinessCost) -> Unknown:
    return Unknown(row.unknown)


BUSINESS_COSTS: Final = Report(
    worded("Spend for one of the business figures"),
    key=attrgetter("subject"),
    note=worded(
        "Of a month that the log has hours of, as much of its count is taken as these hours are of it. Month 12 is the "
        "plan's twelfth, at the count given for it, else as if the last count given stayed."
    ),
    media=READ | DOCUMENT_ALONE,
).with_columns(
    text("name", worded("Of"), media=READ | DOCUMENT_ALONE),
    text("", worded("Workload"), lambda row: row.key, READ, is_rare=True),
    named("key", lambda row: row.key or None),
    text("month", worded("Month"), _month, media=READ, tip=_held),
    named("month"),
    named("held_from", lambda row: row.held_from or None),
    Column(unit_costs.BUSINESS["value"]),
    Column(unit_costs.BUSINESS["counted_share"]),
    Column(unit_costs.BUSINESS["business_cost"], unknown=_unknown),
    Column(unit_costs.BUSINESS["cost_each"], unknown=_unknown),
    Column(unit_costs.BUSINESS["each_growth"], is_rare=True),
    Column(unit_costs.BUSINESS["unserved"], is_rare=True),
    named("unknown", lambda row: str(row.unknown) or None),
)


RETRAININGS: Final = Report(
    worded("Retraining"), limits={Medium.TERMINAL: LISTED}, media=READ | DOCUMENT_ALONE
).with_columns(
    named("key"),
    text("name", worded("Workload"), tip=attrgetter("key")),
    text("cluster", worded("Cluster"), media=TERMINAL | DOCUMENT_ALONE),
    Column(unit_costs.RETRAINING["runs"]),
    Column(unit_costs.RETRAINING["days_between"]),
    Column(unit_costs.RETRAINING["cost_per_run"]),
)


# --- GPUs that are held and not used: the workloads that cost most per useful GPU-hour, idle nights by team

MOST_EXPENSIVE: Final = 5
NIGHT_BEGINS_H, NIGHT_ENDS_H, SATURDAY = 20, 6, 5


@dataclass(frozen=True, slots=True)
class HeldRow:
    """A workload, or a team: figures by the keys of HELD. $ a month are those of the window."""

    key: str
    name: str
    team: str
    figures: Mapping[str, float | None] = field(hash=False)


def is_night(window: Window) -> Bools:
    """Which hours of a window begin at night (20 to 6 h) or on a weekend in its zone; shape (hours,)."""
    zone = ZoneInfo(window.timezone)
    begins = (datetime.fromtimestamp(window.start_s + hour * HOUR_S, zone) for hour in range(window.hours))
    return np.array(
        [at.weekday() >= SATURDAY or not NIGHT_ENDS_H <= at.hour < NIGHT_BEGINS_H for at in begins],
        dtype=np.bool_,
    )


def held_rows(past: Past) -> tuple[HeldRow, ...]:
    """Every workload that held GPUs, in the order of the project."""
    project, months, night = past.project, past.project.window.months, is_night(past.project.window)
    held = [(place, one) for place, one in enumerate(project.workloads) if one.milli_gpu_seconds]
    at_night = [
        amounts[night[hours]].sum() for hours, amounts in (project.cube.hours_of(at) for at, _ in held)
    ]
    as_logged = {"gpu_hours": floats([one.gpu_hours for _, one in held]), "times": 1.0, "months": months}
    given = {
        "cost_per_month": floats([past.workload_usd_per_month[place] for place, _ in held]),
        "gpu_hours_per_month": CARD.value("gpu_hours_per_month", as_logged),
        "activity": floats([one.activity for _, one in held]),
        "night_gpu_hours": np.array(at_night) / MILLI_GPU_SECONDS_PER_GPU_HOUR / months,
    }
    rows = zip(held, by_row(HELD.worked_out(given)), strict=True)
    return tuple(HeldRow(one.key, one.name, one.owner, figures) for (_, one), figures in rows)


def _most_expensive(past: Past) -> Sequence[HeldRow]:
    """Those of known activity whose useful GPU-hours cost most."""
    known = [row for row in held_rows(past) if row.figures["useful_rate"] is not None]
    return sorted(known, key=lambda row: (-(row.figures["useful_rate"] or 0.0), row.key))[:MOST_EXPENSIVE]


def _nights(past: Past) -> Sequence[HeldRow]:
    """The workloads of each team together; unknown where it is of one that holds GPUs at night, and then at least what
    is known.
    """
    teams: dict[str, list[HeldRow]] = {}
    for row in held_rows(past):
        if row.figures["night_gpu_hours"]:
            teams.setdefault(row.team or CALLED_NOBODY, []).append(row)
    found = []
    for team, mine in sorted(teams.items()):
        nights = [row.figures["idle_nights"] for row in mine]
        sums = {
            "night_gpu_hours": known_sum(row.figures["night_gpu_hours"] for row in mine),
            "idle_nights": known_sum(nights),
            "known_idle_nights": sum(filter(None, nights))
            if any(one is not None for one in nights)
            else None,
        }
        found.append(HeldRow(team, team, team, sums))
    return found


_HELD_READ: Final = READ | SHEET
USEFUL_RATES: Final = Report(
    worded("Most expensive per useful GPU-hour"), _most_expensive, media=_HELD_READ | DOCUMENT_ALONE
).with_columns(
    KEY,
    text("name", worded("Workload"), media=_HELD_READ, tip=_key),
    text("team", worded("Team"), lambda row: row.team or CALLED_NOBODY),
    Column(HELD["useful_rate"]),
    Column(HELD["activity"]),
    named(HELD["gpu_hours_per_month"]),
    Column(HELD["cost_per_month"]),
)
IDLE_NIGHTS: Final = Report(
    worded("Idle nights by team"),
    _nights,
    note=worded("Held from 20 to 6 h and on weekends, in the zone of the project, and inactive."),
    media=_HELD_READ | DOCUMENT_ALONE,
).with_columns(
    named("team", "name"),
    text("name", worded("Team"), media=_HELD_READ),
    Column(HELD["idle_nights"]),
    Column(HELD["known_idle_nights"]),
    Column(HELD["night_gpu_hours"]),
)

OF_HELD: Final = {"expensive_workloads": USEFUL_RATES, "idle_nights": IDLE_NIGHTS, **OF_PAST_RUNS}
"""Of a past, by their names in documents."""

HELD_WHY: Final = Answers[Past]()
_HELD_FROM: Final = {
    "cost_per_month": worded("what its GPU-hours cost in the window, as a month"),
    "gpu_hours_per_month": worded("its jobs"),
    "activity": worded("its jobs, by their GPU time"),
}
_HELD_SUMS: Final = {
    "night_gpu_hours": worded("GPU-h = \u03a3 over its workloads"),
    "idle_nights": worded(
        "Idle nights = \u03a3 over its workloads of GPU-h at night, on weekends \u00d7 (1 \u2212 activity) \u00d7 rate"
    ),
    "known_idle_nights": worded("At least = \u03a3 over its workloads of known activity"),
}


@HELD_WHY.gives_each({one.why: one.key for one in HELD.figures})
def held(key: str, past: Past, scope: str, subject: str) -> Trace:
    """A figure of a workload that holds GPUs, or of a team's nights."""
    one, rows = HELD[key], held_rows(past)
    if key in _HELD_SUMS:
        of = "idle_nights" if key == "known_idle_nights" else key
        mine = [
            row for row in rows if (row.team or CALLED_NOBODY) == subject and row.figures["night_gpu_hours"]
        ]
        if key == "known_idle_nights":
            mine = [row for row in mine if row.figures[of] is not None]
        value = known_sum(row.figures[of] for row in mine)
        listed = [TraceRow(row.name, (row.figures[of],)) for row in mine]
        return summed(titled(one, subject), value, one.unit.key, _HELD_SUMS[key], listed, (column_of(one),))
    row = next(row for row in rows if row.key == subject)
    if one.formula is None:
        return read(titled(one, row.name), row.figures[key], one.unit.key, _HELD_FROM[key])
    return explained(HELD, key, Inputs(row.figures, row.key, row.name))


# --- Who pays for a window: by team with its budget, by workload, model or endpoint --------------

WHAT_IT_IS: Final = ("gpu_hours", "direct_in_window", "idle_in_window", "overflow_in_window")
BUDGET: Final = ("budget_in_window", "left_in_window")
TITLES: Final[Mapping[ChargeBy, Message]] = {
    ChargeBy.TEAM: worded("Who pays, by team"),
    ChargeBy.WORKLOAD: worded("Who pays, by workload"),
    ChargeBy.MODEL: worded("Who pays, by model"),
    ChargeBy.ENDPOINT: worded("Who pays, by endpoint"),
}
_HEADINGS: Final[Mapping[ChargeBy, Message]] = {
    ChargeBy.TEAM: worded("Team"),
    ChargeBy.WORKLOAD: worded("Workload"),
    ChargeBy.MODEL: worded("Model"),
    ChargeBy.ENDPOINT: worded("Endpoint"),
}


def charges_of(evaluation: Evaluation, by: ChargeBy = ChargeBy.TEAM, past: Past | None = None) -> Charges:
    """Who pays for the window of an evaluation; of a plan with its advice also when it uses budgets up.

    past: of the evaluation, where it is at hand.
    """
    project, audit, advice = evaluation.project, evaluation.audit, evaluation.advice
    found = charges(project, charged(past or past_of(project, audit), audit), by)
    if advice is None or evaluation.scenario == TODAY:
        return found
    return with_used_up(found, advice, evaluation.in_parts.project.workloads)


def _most_first(row: Charge) -> tuple[bool, bool, float, str]:
    """Most charged first, what nobody knows behind it, nobody's last."""
    usd = row.total_in_window
    return row.is_nobodys, usd is None, -(usd or 0.0), row.name or ""


def _report(by: ChargeBy, *, has_budgets: bool) -> Report:
    of_teams = by is ChargeBy.TEAM
    team = () if of_teams else (text("whose", worded("Team"), media=READ),)
    budget = BUDGET if has_budgets else ()
    return Report(
        TITLES[by],
        attrgetter("rows"),
        attrgetter("subject"),
        scope=by.value,
        order={Medium.WINDOW: _most_first, Medium.TERMINAL: _most_first},
        total=attrgetter("whole"),
        media=READ,
        limits={} if of_teams else {Medium.TERMINAL: LISTED_IN_TERMINAL},
        adds_up=of_teams,
    ).with_columns(
        text("called", _HEADINGS[by], media=READ, tip=attrgetter("called")),
        # a panel is narrow: what is charged stands beside the name, what it is made of behind it
        *of_subject(CHARGE, "total_in_window", *budget, media=WINDOW),
        *team,
        *of_subject(CHARGE, *WHAT_IT_IS, media=READ),
        *of_subject(CHARGE, *budget, "total_in_window", media=TERMINAL),
    )


CHARGES: Final[Mapping[ChargeBy, Report]] = {by: _report(by, has_budgets=False) for by in ChargeBy}
BUDGETED: Final = _report(ChargeBy.TEAM, has_budgets=True)


def report_of(found: Charges) -> Report:
    """The report of some rows: that of teams with their budgets where one has any."""
    return BUDGETED if _has_budgets(found) else CHARGES[found.by]


def largest_first(part: ChargePart) -> tuple[bool, float, str, str]:
    """Most charged first, what nobody knows last."""
    usd = part.total_in_window
    return usd is None, -(usd or 0.0), part.key, part.cluster


STATEMENT: Final = Report(
    worded("What each workload is charged"),
    lambda charge: charge.parts,
    lambda part: part.key,
    order={Medium.BRIEF: largest_first},
    media=BRIEF,
    adds_up=True,
).with_columns(  # the key of a workload; of idle GPUs whose owner ran nothing there, that
    text("workload", worded("Workload"), lambda part: part.key or NO_JOB),
    text("cluster", worded("Cluster")),
    *of_subject(CHARGE, *WHAT_IT_IS, "total_in_window", media=BRIEF),
)
"""About one row of a chargeback: what it is made of."""


def _on_paper(*budget: str) -> Report:
    return Report(
        TITLES[ChargeBy.TEAM],
        attrgetter("rows"),
        attrgetter("subject"),
        order={Medium.BRIEF: _most_first},
        total=attrgetter("whole"),
        media=BRIEF,
        adds_up=True,
    ).with_columns(
        text("called", worded("Team")),
        *of_subject(CHARGE, *WHAT_IT_IS, "total_in_window", *budget, media=BRIEF),
    )


def overview_of(found: Charges) -> Report:
    """The report of teams on paper, with their budgets where one has any."""
    return _on_paper(*BUDGET) if _has_budgets(found) else _on_paper()


def _has_budgets(found: Charges) -> bool:
    return any(row.budget_in_window is not None for row in found.rows)


def _name_of(row: Charge) -> str | None:
    """The name in a document: null of work that has none."""
    return CALLED_NOBODY if row.is_nobodys else row.name


def _fields(*named_by: Column) -> Fields:
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
