"""The past as JSON: demand, energy, workloads, use of the window, hardware fit, leaks, costs and chargeback."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuplanner.cli.documents.head import Document, intake_document
from gpuplanner.domain.audit.chargeback import Charges
from gpuplanner.domain.audit.cost_result import Period, UnitCosts, Variance
from gpuplanner.domain.audit.energy import energy_of_sites
from gpuplanner.domain.audit.leak_list import totals_by_status
from gpuplanner.domain.audit.mix import cluster_mixes
from gpuplanner.domain.audit.result import Audit, Check, WorkloadToday
from gpuplanner.domain.audit.unit_costs import BusinessCost, past_of, retraining_of
from gpuplanner.domain.audit.use_by import MODELS, TEAMS
from gpuplanner.domain.commitment.result import PlanEnergy
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.demand.rule_preview import RuleAmount, rule_amounts
from gpuplanner.domain.evaluation import CardFigures, Evaluation, scenario_named
from gpuplanner.domain.figures.card import CARD
from gpuplanner.domain.figures.energy import ENERGY as OF
from gpuplanner.domain.figures.use import CONTRACT
from gpuplanner.domain.figures.window import USE
from gpuplanner.domain.fit.needs import Needed
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.fit.workload_fit import Counts, WorkloadFit, offers_by_light, pool_fits
from gpuplanner.domain.model import plan_inputs
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.only import ANYBODY, Only
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.domain.reports import use
from gpuplanner.domain.reports.cash import restart_delays
from gpuplanner.domain.reports.changes import CHANGES, TOTALS
from gpuplanner.domain.reports.clusters import BRIDGE, CLASSES, CLUSTERS, CONTRACTS
from gpuplanner.domain.reports.costs import (
    BUSINESS_COSTS,
    ENDPOINTS,
    EXPERIMENTS,
    OF_ASKED,
    OF_TEAMS,
    RETRAININGS,
    RUNS,
)
from gpuplanner.domain.reports.costs import MODELS as COSTED_MODELS
from gpuplanner.domain.reports.leaks import LEAKS, leak_list
from gpuplanner.domain.reports.mix import HIDDEN, HIDDEN_SHARE, LISTED, OF_CLUSTER
from gpuplanner.domain.reports.report import (
    Column,
    Entry,
    Fields,
    each,
    entries,
    entry,
    fields,
    inside,
    listed,
    named,
    of_part,
)
from gpuplanner.domain.reports.series import MONTHS
from gpuplanner.domain.reports.training import OTHER_HARDWARE, OUT_OF_MEMORY
from gpuplanner.files.importing.read_facts import quality_entry
from gpuplanner.lazy_dataclass import dataclass, replace

# --- The window, jobs and the cube

WINDOW: Final = fields(named("start", "start_s", "date"), named("end", "end_s", "date"), "hours", "timezone")
"""Times are ISO 8601, the end exclusive; the timezone is that of naive local times."""
JOBS: Final = fields(
    "count",
    "gpu_jobs",
    "gpu_hours",
    named("peak_gpus", lambda jobs: jobs.peak_milli_gpus / 1000),
    named("first_start", "first_start_s", "date"),
    named("last_end", "last_end_s", "date"),
    "clipped",
)
"""GPU-hours are of the window; peak_gpus: the largest number in use at once."""
CUBE: Final = fields(
    named("workloads", lambda project: len(project.workloads)),
    named("hours", "window.hours"),
    named("milli_gpu_seconds", "cube.total"),
)


def demand_document(project: Project, cube_sha256: str) -> Document:
    """intake, window, jobs and cube: what stands inside every document about demand.

    cube_sha256: of the demand, so that two documents can be compared.
    """
    return {
        "intake": intake_document(project.intake),
        "window": entry(WINDOW, project.window),
        "jobs": entry(JOBS, project.jobs),
        "cube": entry(CUBE, project) | {"sha256": cube_sha256},
        "data_quality": quality_entry(project.jobs.quality),
    }


# --- Energy as JSON: of the window by workload, contract and site, and of a plan by pool ---------

ENERGY: Final = fields("kwh_per_month", "kg_co2_per_month", OF["peak_kw"])
AMOUNTS: Final = fields("kwh_per_month", "kg_co2_per_month")
SITE: Final = fields("site_id", "kwh_per_month", "kg_co2_per_month")


def _parts(project: Project, audit: Audit) -> Document:
    """What of the window took it."""
    energy = audit.energy
    contracts = entries(use.ENERGY_OF_CONTRACTS, audit)[: len(energy.contracts)]
    return {
        "workloads": entries(use.ENERGY_OF_WORKLOADS, audit),
        "teams": entries(use.ENERGY_OF_TEAMS, audit),
        "contracts": contracts,
        "overflow": [{"cluster": row.name} | entry(AMOUNTS, row) for row in energy.overflow],
        "sites": [entry(SITE, row) for row in energy_of_sites(project, energy)],
    }


def plan_energy_entry(project: Project, audit: Audit, energy: PlanEnergy) -> Document:
    """The energy of a plan, beside it that of the window and its parts."""
    return (
        entry(ENERGY, energy)
        | {"by_pool": entries(use.ENERGY_OF_PLAN, energy), "today": entry(ENERGY, audit.energy)}
        | _parts(project, audit)
    )


# --- Workloads as JSON: those of the log, and planned work in the same fields --------------------

PlanUsd = Mapping[str, float | None]
"""$ a month in the plan, by key of a card; None is unknown."""


class _Part(NamedTuple):
    """A card of a workload that the plan divides."""

    card: CardFigures
    plan_usd_per_month: float | None


@dataclass(frozen=True, slots=True)
class _Row:
    """One workload or planned work in a plan.

    card: the largest of its cards, whose pool it has. parts: of one that is divided, else none. note, merged_into,
    only: None where nothing was said.
    """

    key: str
    name: str
    cluster: str
    classification: Classification
    card: CardFigures
    in_review: bool
    jobs: int
    gpu_hours: float
    peak_gpus: float
    usd_per_month: float | None
    plan_usd_per_month: float | None
    spell: plan_inputs.Spell
    is_planned: bool
    only: Only | None
    note: str | None = None
    merged_into: str | None = None
    parts: tuple[_Part, ...] = ()

    @property
    def runner_up(self) -> str | None:
        """The class that it nearly was; of planned work none, which says what it is."""
        second = None if self.is_planned else self.classification.runner_up
        return None if second is None else second.value


ONLY: Final = fields(
    named("provider", lambda only: only.provider or None),
    named("region", lambda only: only.region or None),
    named("country", lambda only: only.country or None),
)
"""Who alone may serve it; null: anybody."""
PART: Final = fields(
    *of_part("card", "key", "name"),
    named("pool", "card.pool.value"),
    named(CARD["gpu_hours_per_month"], "card.gpu_hours_per_month"),
    "plan_usd_per_month",
)
WORKLOAD: Final = fields(
    "key",
    "name",
    "cluster",
    named("class", "classification.pool.value"),
    *of_part("classification", "subtype", "confidence"),
    named("reasons", lambda row: list(row.classification.reasons)),
    "runner_up",
    named("decided_by", "classification.source"),
    named("pool", "card.pool.value"),
    "in_review",
    "jobs",
    "gpu_hours",
    "peak_gpus",
    "usd_per_month",
    "plan_usd_per_month",
    "note",
    "merged_into",
    named("begins", "spell.begins_s", "date"),
    named("ends", "spell.ends_s", "date"),
    named("planned", "is_planned"),
    inside(
        "only",
        ONLY,
        lambda row: row.only if row.only and replace(row.only, not_provider="") != ANYBODY else None,
    ),
    named("not_provider", lambda row: (row.only.not_provider or None) if row.only else None),
    each("parts", PART),
)
"""Begin and end are of the plan; null where nothing was said."""


def workload_entries(evaluation: Evaluation) -> list[Entry]:
    """Workloads of the log and planned work, by key; a workload in parts has the pool of its largest."""
    plan_usd = evaluation.advice.workload_usd if evaluation.advice else {}
    plan = scenario_named(evaluation.project, evaluation.scenario)
    # the cards of every workload in the scenario, by its key: more than one where the plan divides it
    cards: dict[str, list[CardFigures]] = {}
    for card in evaluation.figures.cards:
        cards.setdefault(plan_inputs.whole_key(card.key, plan.splits), []).append(card)
    rows = [
        _of_log(evaluation, plan, workload, today, cards[workload.key], plan_usd)
        for workload, today in zip(evaluation.project.workloads, evaluation.audit.workloads, strict=True)
    ]
    rows += [_planned(plan, work, cards[work.key][0], plan_usd) for work in plan.planned if work.key in cards]
    return [entry(WORKLOAD, row) for row in sorted(rows, key=lambda row: row.key)]


def _of_log(
    evaluation: Evaluation,
    plan: plan_inputs.Scenario,
    workload: Workload,
    today: WorkloadToday,
    cards: Sequence[CardFigures],
    plan_usd: PlanUsd,
) -> _Row:
    """A workload of the log. today: of the audit; cards: its own, several where the plan divides it."""
    key = workload.key
    largest = max(cards, key=lambda card: card.gpu_hours_per_month)
    return _Row(
        key=key,
        name=workload.name,
        cluster=workload.cluster,
        classification=today.classification,
        card=largest,
        in_review=any(card.in_review for card in cards),
        jobs=workload.jobs,
        gpu_hours=workload.gpu_hours,
        peak_gpus=workload.peak_milli_gpus / 1000,
        usd_per_month=today.usd_per_month,
        plan_usd_per_month=known_sum([plan_usd.get(card.key) for card in cards]),
        spell=plan.spells.get(key, plan_inputs.NO_SPELL),
        is_planned=False,
        only=plan.only.get(key),
        note=evaluation.project.notes.get(key),
        merged_into=plan_inputs.merge_of(largest.key, plan.merges),
        parts=tuple(_Part(card, plan_usd.get(card.key)) for card in cards) if len(cards) > 1 else (),
    )


def _planned(
    plan: plan_inputs.Scenario, work: plan_inputs.PlannedWork, card: CardFigures, plan_usd: PlanUsd
) -> _Row:
    """Work that no log has: it costs nothing today."""
    return _Row(
        key=work.key,
        name=work.name,
        cluster=work.cluster,
        classification=card.classification,
        card=card,
        in_review=card.in_review,
        jobs=0,
        gpu_hours=0.0,
        peak_gpus=work.gpus,
        usd_per_month=0.0,
        plan_usd_per_month=plan_usd.get(work.key),
        spell=plan_inputs.Spell(work.begins_s, work.ends_s),
        is_planned=True,
        only=plan.only.get(work.key),
    )


# --- The audit's use of the window as JSON: bridges, contended hours, hours of the week, GPU models and teams


def _by_weekday(name: str, of: str) -> Column:
    """A figure of each hour of the week: seven days, Monday first, of 24 hours each, UTC."""
    return named(name, lambda row: week(getattr(row.hours_of_week, of)))


WHOLE_BRIDGE: Final = fields(*(named(name, key) for key, name in BRIDGE))
CONTENTION: Final = fields(
    "contention_hours",
    named("contention_gpu_hours", "overflow_gpu_hours"),
    named("training_beside_inference_hours", "beside_inference_hours"),
    named("training_beside_inference", lambda found: list(found.shared_training)),
)
"""Hours in which a cluster was asked for more GPUs than it had."""
HOURS_OF_WEEK: Final = fields(_by_weekday("hours_of_week", "utilization"))
CLUSTER_USE: Final = fields(USE["break_even_utilization"], *HOURS_OF_WEEK)
CONTRACT_USE: Final = fields(USE["activity"], named(CONTRACT["paid_per_month"], "cost_per_month"))
TEAM_WEEK: Final = fields(_by_weekday("mean_gpus_by_hour_of_week", "mean_gpus"))


def use_document(audit: Audit) -> Document:
    """bridge, hours_of_week, by_gpu_model and by_team of an audit.

    Only the bridge where the use of the window was not worked out.
    """
    answer: Document = {"bridge": entry(WHOLE_BRIDGE, audit.bridge)}
    if audit.use is not None:
        answer |= entry(HOURS_OF_WEEK, audit.use.everything)
        answer["by_gpu_model"] = entries(use.USES[MODELS], audit.use)
        answer["by_team"] = [
            one | entry(TEAM_WEEK, row)
            for one, row in zip(entries(use.USES[TEAMS], audit.use), audit.use.teams, strict=True)
        ]
    return answer


def cluster_use_document(audit: Audit, cluster: str) -> Entry:
    """What one cluster's entry has besides its own figures.

    cluster: its name, empty for jobs that name none.
    """
    answer: Entry = {}
    if cluster in audit.contention:
        answer |= entry(CONTENTION, audit.contention[cluster])
    for row in audit.use.clusters if audit.use is not None else ():
        if row.name == cluster:
            answer |= entry(CLUSTER_USE, row)
    return answer


def contract_use_document(audit: Audit, contract_id: str) -> Entry:
    """What one contract's entry has besides its own figures.

    Empty where the use of the window was not worked out.
    """
    for row in audit.use.contracts if audit.use is not None else ():
        if row.name == contract_id:
            return entry(CONTRACT_USE, row)
    return {}


def week(values: npt.NDArray[np.float64]) -> list[list[float | None]]:
    """Values by day and hour; null where nothing is known.

    Shapes: values (7, 24).

    >>> week(np.full((1, 2), np.nan))
    [[None, None]]
    """
    return [[None if np.isnan(value) else value for value in day] for day in values.tolist()]


# --- Hardware fit as JSON: each workload on what it runs on, and each class ----------------------


class _FitRow(NamedTuple):
    """A workload's fit, and the offers that it would have by their light."""

    fit: WorkloadFit
    offers: Mapping[Light | None, list[str]]


class _NeedRow(NamedTuple):
    """One need of a workload, by name."""

    need: str
    needed: Needed


class _NeedCounts(NamedTuple):
    """One row of the table, by name, and how many workloads have which light in it."""

    need: str
    workloads: Counts


def light_name(light: Light | None) -> str | None:
    """red, amber or green; null where nobody knows.

    >>> light_name(Light.RED), light_name(None) is None
    ('red', True)
    """
    return None if light is None else light.name.lower()


def _of_light(name: str, light: Light | None, of: str, otherwise: Any) -> Column:
    """What a row has of one light, in its field `of`."""
    return named(name, lambda row: getattr(row, of).get(light, otherwise))


def _counts(of: str) -> Fields:
    """How many of each light, worst first; every light is there."""
    return tuple(_of_light(light_name(one) or "unknown", one, of, 0) for one in (*reversed(Light), None))


LIGHT: Final = named("light", lambda row: light_name(row.light))
NEED: Final = fields("need", *of_part("needed", "value", "source", "note"))
OFFERS: Final = fields(
    _of_light("green", Light.GREEN, "offers", []),
    _of_light("amber", Light.AMBER, "offers", []),
    _of_light("red", Light.RED, "offers", []),
    _of_light("unknown", None, "offers", []),
)
ON_NETWORK: Final = fields(
    "network", "step_s", "run_hours", "run_gpu_hours", "run_usd", "gpu_hours_per_month", "usd_per_month"
)
NETWORK: Final = fields(
    "has",
    "run_hours",
    "run_gpus",
    "usd_per_gpu_hour",
    inside("infiniband", ON_NETWORK),
    inside("ethernet", ON_NETWORK),
    "reason",
)
PREMIUM: Final = fields(
    "with_usd_per_gpu_hour", "without_usd_per_gpu_hour", "gpu_hours_per_month", "usd_per_month"
)
FIT_ROW: Final = fields("need", LIGHT, "has", "needs", "source", "source_words", "has_source", "reason")
WORKLOAD_FIT: Final = fields(
    named("key", "fit.key"),
    named("pool", "fit.pool.value"),
    named("gpu_model", "fit.gpu_model"),
    named("light", lambda row: light_name(row.fit.light)),
    named("runs_on", lambda row: [one.of for one in row.fit.hardware if one.of]),
    each("rows", FIT_ROW, "fit.rows"),
    each("needs", NEED, lambda row: [_NeedRow(*one) for one in row.fit.needs.items()]),
    inside("offers", OFFERS, lambda row: row),
    inside("network", NETWORK, "fit.network"),
    inside("interconnect_premium", PREMIUM, "fit.premium"),
    listed("other_hardware", OTHER_HARDWARE, lambda row: [row.fit]),
    listed("out_of_memory", OUT_OF_MEMORY, lambda row: [row.fit]),
)
"""What a workload runs on, row by row, what it needs, and offers by their light."""
NEED_COUNTS: Final = fields("need", *_counts("workloads"))
POOL_FIT: Final = fields(
    named("pool", "pool.value"),
    LIGHT,
    *_counts("workloads"),
    named("red_usd_per_month", lambda row: row.usd_per_month[Light.RED]),
    named("amber_usd_per_month", lambda row: row.usd_per_month[Light.AMBER]),
    each("rows", NEED_COUNTS, lambda row: [_NeedCounts(*one) for one in row.by_need.items()]),
)


def hardware_fit_entries(evaluation: Evaluation) -> list[Entry]:
    """The `hardware_fit` array: one entry a workload, by key.

    Empty where hardware fit was not worked out.
    """
    fits = sorted(evaluation.fit or (), key=lambda fit: fit.key)
    offers = offers_by_light(fits, evaluation.project.offers, evaluation.project.mappings)
    return [entry(WORKLOAD_FIT, _FitRow(*both)) for both in zip(fits, offers, strict=True)]


def pool_fit_entries(evaluation: Evaluation) -> list[Entry]:
    """The `hardware_fit_pools` array: one entry a class, in its usual order.

    $ a month, null where the cost of one workload is unknown. Classes without workloads are left out.
    """
    usd = {row.key: row.usd_per_month for row in evaluation.audit.workloads}
    return [entry(POOL_FIT, one) for one in pool_fits(evaluation.fit or (), usd)]


# --- The past as JSON: classes, workloads, rules, clusters, contracts, leaks, hardware fit and checks

CHECK: Final = fields("code", "severity", "subject", "message", "usd_per_month")
"""Workloads that the window offers to settle are left out: a document names things in words."""


class _RuleRow(NamedTuple):
    """One of the planner's own rules, and what it decides."""

    rule: ClassRule
    amount: RuleAmount


RULE: Final = fields(
    *of_part("rule", "rule_id", "field", "pattern"),
    named("class", "rule.pool.value"),
    *of_part("rule", "subtype", "confidence", "reason"),
    *of_part("amount", "matched", "workloads", "gpu_hours_per_month", "usd_per_month"),
)
RESTART_DELAYS: Final = fields("count", "p50_h", "p90_h", "lost", "lost_p50", "lost_p90")
ALL: Final = ""
STATUSES: Final = ("open", *map(str, plan_inputs.LeakStatus))
"""What a plan can have decided about a leak; ALL stands for any of it."""


def _counted(status: str, name: str, of: str) -> Column:
    """What leaks of a status count, each GPU-hour once, in a mapping of totals by status."""
    return named(f"{status}_{name}" if status else name, lambda totals: getattr(totals[status], of))


LEAKS_TOTAL: Final = fields(
    _counted(ALL, "gpu_hours", "counted_gpu_hours"),
    _counted(ALL, "usd_per_month", "counted_per_month"),
    *(_counted(status, "gpu_hours", "counted_gpu_hours") for status in STATUSES),
    *(_counted(status, "usd_per_month", "counted_per_month") for status in STATUSES),
)


def audit_document(evaluation: Evaluation) -> Document:
    """classes, workloads, clusters, contracts, use of the window, leaks, hardware fit and checks of an evaluation.

    $ are US dollars, null where unknown; shares are ratios 0..1.
    """
    audit = evaluation.audit
    past = past_of(evaluation.project, audit)
    mixes = {row.cluster: entry(OF_CLUSTER, row) for row in cluster_mixes(past)}
    return {
        "classes": {
            CLASSES.key(row): one
            for row, one in zip(CLASSES.rows(audit), entries(CLASSES, audit), strict=True)
        },
        "workloads": workload_entries(evaluation),
        "rules": _rules(evaluation),
        "clusters": [
            one | cluster_use_document(audit, one["cluster"]) | mixes[one["cluster"]]
            for one in entries(CLUSTERS, audit)
        ],
        "contracts": [
            one | contract_use_document(audit, one["contract_id"]) for one in entries(CONTRACTS, audit)
        ],
        **use_document(audit),
        "leaks": entries(LEAKS, leak_list(evaluation.project, audit, evaluation.scenario)),
        "leaks_total": _leaks_total(evaluation),
        "hardware_fit": hardware_fit_entries(evaluation),
        "hardware_fit_pools": pool_fit_entries(evaluation),
        "energy": entry(ENERGY, audit.energy) | _parts(evaluation.project, audit),
        "restart_delays": None
        if (found := restart_delays(evaluation)) is None
        else entry(RESTART_DELAYS, found),
        **{name: entries(of, past) for name, of in LISTED.items()},
        HIDDEN_SHARE: next(iter(entries(HIDDEN, past)), None),
        "checks": check_entries(evaluation.checks),
    }


def series_document(evaluation: Evaluation) -> Document:
    """The whole log by calendar month; null where its rows are not kept."""
    return {"series": None if evaluation.months is None else entries(MONTHS, evaluation)}


def check_entries(checks: Sequence[Check]) -> list[Entry]:
    """The `checks` array, in the order in which they are told."""
    return [entry(CHECK, check) for check in checks]


def _rules(evaluation: Evaluation) -> list[Entry]:
    """The planner's own rules in the order in which they decide, with what each decides."""
    project, workloads = evaluation.project, evaluation.audit.workloads
    found = [row.classification for row in workloads]
    amounts = rule_amounts(project, found, {row.key: row.usd_per_month for row in workloads})
    return [entry(RULE, _RuleRow(*both)) for both in zip(project.rules, amounts, strict=True)]


def _leaks_total(evaluation: Evaluation) -> Entry:
    """Counted once each, in all and by what the plan decided."""
    project, audit = evaluation.project, evaluation.audit
    plan = None if evaluation.scenario == plan_inputs.TODAY else project.scenario(evaluation.scenario)
    by_status = totals_by_status(audit.leaks, plan, project.window.months)
    return entry(LEAKS_TOTAL, {ALL: audit.leaks_total} | by_status)


# --- Unit costs, variance and chargeback as JSON -------------------------------------------------


class _PeriodRow(NamedTuple):
    """A period, and the window that its hours are counted in."""

    period: Period
    window: Window


PERIOD: Final = fields(
    named("start", lambda row: row.window.start_s + row.period.first * HOUR_S, "date"),
    named("end", lambda row: row.window.start_s + row.period.last * HOUR_S, "date"),
    named("hours", "period.hours"),
)
"""ISO 8601, the end exclusive."""


def cost_document(costs: UnitCosts, variance: Variance, window: Window) -> Document:
    """unit_costs and variance of an audit.

    $ are of the window for runs, a month for all else; null where a rate is missing.
    """
    return {
        "unit_costs": {
            "run_gap_hours": costs.run_gap_hours,
            "runs": entries(RUNS, costs),
            "models": entries(COSTED_MODELS, costs),
            "endpoints": entries(ENDPOINTS, costs),
            "experiments": entries(EXPERIMENTS, costs),
            "retraining": entries(RETRAININGS, retraining_of(costs.runs, window)),
            "consolidation_premium_usd_per_month": costs.premium.usd_per_month,
            "rate_premium_usd_per_month": costs.premium.rate_usd_per_month,
            "idle_premium_usd_per_month": costs.premium.idle_usd_per_month,
        },
        "variance": {
            "before": entry(PERIOD, _PeriodRow(variance.before, window)),
            "after": entry(PERIOD, _PeriodRow(variance.after, window)),
            **entry(TOTALS, variance),
            "clusters": entries(CHANGES, variance),
        },
    }


def business_document(rows: Sequence[BusinessCost]) -> Document:
    """Spend for one of the business figures; nothing where none are given."""
    return {"business": entries(BUSINESS_COSTS, rows)} if rows else {}


def charge_document(charges: Charges, *, has_names: bool) -> Document:
    """The chargeback of an audit, $ of the window. has_names: whether it was said by what, which rows then name."""
    table = OF_ASKED if has_names else OF_TEAMS
    return {"chargeback": [entry(table, row) for row in charges.rows]}
