"""Evaluate a project in steps: audit, figures, advice, outlook.

The audit covers the past and does not depend on the board. Figures take less than a frame; advice and outlook run in a
worker. Each step is a pure function of its inputs; `previous` results only save work.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import count

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.audit.audit import audit as audit_of
from gpuplanner.domain.audit.audit import audit_in_parts, without_contracts, without_log
from gpuplanner.domain.audit.chargeback import Charges, charged, charges
from gpuplanner.domain.audit.cost_result import ChargeBy
from gpuplanner.domain.audit.energy import model_names, rated_power, usual_nodes
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.log_checks import place_checks
from gpuplanner.domain.audit.result import Audit, Check
from gpuplanner.domain.audit.series import MonthRow, series
from gpuplanner.domain.audit.spend.on_demand_rates import eligible_rates
from gpuplanner.domain.audit.spend.work_today import WorkToday, work_today
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.audit.unit_costs.business_costs import BusinessCost, business_costs, spend_by_hour
from gpuplanner.domain.audit.utilization.contention import contended_gpu_hours
from gpuplanner.domain.audit.utilization.dispatch import dispatch_window
from gpuplanner.domain.commitment import history
from gpuplanner.domain.commitment.asked_rows import asking_in
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.listed_order import ListedOrder, with_choices
from gpuplanner.domain.commitment.listed_orders import list_orders, with_orders
from gpuplanner.domain.commitment.next_decision import DECLINED, NextDecision, with_states
from gpuplanner.domain.commitment.next_decisions import next_decisions
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.commitment.plan.advice import advise, without_demand, without_prices
from gpuplanner.domain.commitment.plan.decisions import decide, may_decide
from gpuplanner.domain.commitment.plan.month_advice import advise_in_month, with_cards
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.plan.totals import month_12_of, with_used_up
from gpuplanner.domain.commitment.quote_wait import WaitForQuotes, quote_discount, wait_for_quotes
from gpuplanner.domain.commitment.result import Advice, Totals
from gpuplanner.domain.commitment.uncertainty.limit_costs import ProviderPlan, providers_alone
from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from gpuplanner.domain.demand.classification import Classification, classify
from gpuplanner.domain.demand.pools import (
    NOT_LOGGED,
    Parted,
    is_in_review,
    move_hours,
    moved_keys,
    parted,
    planned_class,
    pool_hours,
    pools_in,
    stands_on_board,
)
from gpuplanner.domain.figures.card import CARD
from gpuplanner.domain.figures.figure import floats, gpu_hours
from gpuplanner.domain.fit.workload_fit import WorkloadFit, fit_workloads
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model import amounts, gpu_family
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.cube import Cube
from gpuplanner.domain.model.intake import RequestDays
from gpuplanner.domain.model.places import Places
from gpuplanner.domain.model.plan.scenario import AS_TODAY, TODAY, Scenario, WholeDecisions
from gpuplanner.domain.model.plan.splits import whole_key
from gpuplanner.domain.model.project import Project, while_asking, with_nodes
from gpuplanner.domain.model.tables import POOLS, Pool, Tables
from gpuplanner.domain.model.window import has_calendar
from gpuplanner.lazy_dataclass import dataclass, field, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFigures:
    """A workload on the board of a scenario.

    pool: its pool, or its likely pool while in review. milli_gpu_seconds: GPU time in the window. times: factor of the
    demand that the scenario plans. gpu_hours_per_month: GPU time x times, per month.
    """

    key: str
    name: str
    cluster: str
    owner: str
    classification: Classification
    pool: Pool
    in_review: bool
    is_pinned: bool
    milli_gpu_seconds: int
    times: float
    gpu_hours_per_month: float
    gpu_models: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolFigures:
    """A column of the board: sums over its cards; cards in review count in their likely pool.

    milli_gpu_seconds: of the window, exact. gpu_hours_per_month: of the planned demand.
    """

    pool: Pool
    workloads: int
    in_review: int
    milli_gpu_seconds: int
    gpu_hours_per_month: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FiguresBasis:
    """Inputs of a set of figures, so that the next set only recalculates changes.

    begin: pool of each workload before the user's choices; valid for the same cube, audit and start.
    parts: workloads on the board where the plan splits some; all fields below refer to them.
    pool_number (index into POOLS), in_review, milli_gpu_seconds, planned_share: (workloads,).
    demand: factor on logged demand, by pool. planned_share: share of a month in which planned work runs, 0 if it ends
    before the plan starts, NaN for logged work.
    begins_s: start of the plan, epoch seconds. is_settling: the plan's whole decisions are from before an edit.
    """

    cube: Cube
    audit: Audit
    plan: Scenario
    review_below: float
    index_by_key: Mapping[str, int]
    begin: tuple[Pool, ...]
    pool_number: Ints
    in_review: npt.NDArray[np.bool_]
    milli_gpu_seconds: Ints
    demand: Mapping[Pool, float]
    planned_share: Floats
    begins_s: int
    parts: Parted | None = None
    is_settling: bool = False

    @property
    def planned_cube(self) -> Cube:
        """The cube of the workloads on the board, where parts replace split workloads."""
        return self.cube if self.parts is None else self.parts.cube


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Figures:
    """Step 1, within a frame: cards in the order of Project.workloads (parts replace split workloads), columns and
    demand.

    hourly: logged milli-GPU-seconds by pool, without planned work, int64, shape (hours,); exact sums.
    """

    scenario: str
    cards: tuple[CardFigures, ...]
    pools: dict[Pool, PoolFigures]
    hourly: dict[Pool, Ints]
    basis: FiguresBasis

    @property
    def workload_pools(self) -> tuple[Pool, ...]:
        """Pool of every card, in the order of `Evaluation.in_parts.project.workloads`. In review: the likely pool."""
        return tuple(card.pool for card in self.cards)

    @property
    def whole_pools(self) -> tuple[Pool, ...]:
        """Pool of every workload, in the order of Project.workloads; for a split one the pool of its largest part."""
        return tuple(card.pool for card in self.whole_cards)

    @property
    def whole_cards(self) -> tuple[CardFigures, ...]:
        """Card of every workload, in the order of Project.workloads; for a split one the card of its largest part.

        Without planned work, which is not a workload of the project.
        """
        parts = self.basis.parts
        if parts is None:
            return self.cards
        largest: dict[int, CardFigures] = {}
        for card, place in zip(self.cards, parts.whole, strict=True):
            if place == NOT_LOGGED:
                continue
            if place not in largest or card.gpu_hours_per_month > largest[place].gpu_hours_per_month:
                largest[place] = card
        return tuple(largest[place] for place in sorted(largest))


@dataclass(frozen=True, eq=False, kw_only=True)
class Evaluation:
    """The results for a project in one scenario. advice, outlook, fit and before are None until calculated.

    before: advice of the plan that a question refers to; None without a question.
    fit: of every workload on its present GPUs, in the order of Project.workloads.
    months: the whole log by calendar month; None if not calculated.
    worths: by offer_id, the break-even rate of an offered term, $ per GPU-hour, or the reason for none.
    waits: checks of a replay of the log with the plan's GPUs; none without a replay.
    """

    project: Project
    scenario: str
    audit: Audit
    figures: Figures
    advice: Advice | None = None
    outlook: Outlook | None = None
    fit: tuple[WorkloadFit, ...] | None = None
    before: Advice | None = None
    months: tuple[MonthRow, ...] | None = None
    worths: Mapping[str, float | Text] = field(default_factory=dict)
    waits: tuple[Check, ...] = ()

    def __post_init__(self) -> None:
        """Put the advice's whole decisions into the plan of the figures."""
        if self.advice is not None and self.advice.whole_decisions != self.plan.whole_decisions:
            object.__setattr__(self, "figures", with_decisions(self.figures, self.advice.whole_decisions))

    @property
    def plan(self) -> Scenario:
        """The evaluated scenario."""
        return self.figures.basis.plan

    @property
    def is_hypothetical(self) -> bool:
        """Whether the plan starts from scratch: it ignores contracts, or there are none."""
        return self.plan.greenfield or not self.project.contracts

    @property
    def checks(self) -> tuple[Check, ...]:
        """Checks of audit, plan, outlook and waits, each once, sorted by code and subject."""
        return all_checks(self.audit, self.advice, self.outlook, self.project.places, self.waits)

    @property
    def advised(self) -> Advice:
        """The advice. Errors: ValueError before it is calculated."""
        if self.advice is None:
            raise ValueError("the evaluation has no advice; advise first")
        return self.advice

    @property
    def listed_orders(self) -> tuple[ListedOrder, ...]:
        """The orders of the plan by number, with the user's choices; empty before the outlook, which numbers them."""
        listed = () if self.outlook is None else self.outlook.listed_orders
        plan = next((plan for plan in self.project.scenarios if plan.name == self.scenario), None)
        return listed if plan is None else with_choices(listed, plan)

    def decisions_on(self, day_s: int) -> tuple[NextDecision, ...]:
        """Return the next decisions with their states, as read on a day (epoch seconds); none before the outlook."""
        if self.outlook is None:
            return ()
        plan = scenario_named(self.project, self.scenario)
        return with_states(self.outlook.next_decisions, plan, day_s)

    def listed_decisions_on(self, day_s: int) -> tuple[NextDecision, ...]:
        """Return the same without declined ones, as papers list them."""
        return tuple(row for row in self.decisions_on(day_s) if row.state != DECLINED)

    def wait_for_quotes(self, days: RequestDays) -> WaitForQuotes | None:
        """Return what waiting for the quotes of a request costs; None if no order waits, or before the advice.

        None too for a plan without a calendar. days: of the request, such as `asked_rows.usual_days`.
        Source: docs/formulas/savings.md, Waiting for quotes.
        """
        project = self.in_parts.project
        if self.advice is None or not has_calendar(project.plan_window.end_s):
            return None
        discount = quote_discount(project.offers, project.earlier_offers)
        asking = asking_in(days, project.offers)
        supplies = {(row.pool, row.gpu_model): row.supply for row in self.advice.pools}
        return wait_for_quotes(self.listed_orders, asking, supplies, discount)

    @property
    def in_parts(self) -> "Evaluation":
        """The evaluation with the project and audit of the workloads on the board; itself if the plan splits none.

        All planning uses this evaluation.
        """
        project, audit = _in_parts(self.project, self.figures)
        return self if project is self.project else replace(self, project=project, audit=audit)

    @cached_property
    def past(self) -> Past:
        """The window as unit costs, chargeback and terms read it: served once more, contract by contract."""
        return past_of(self.project, self.audit)

    @property
    def totals(self) -> Totals | None:
        """The plan's totals, with the cost of separation after the outlook; None before the advice."""
        if self.advice is None or self.outlook is None:
            return self.advice.totals if self.advice else None
        return replace(
            self.advice.totals,
            cost_of_separation=self.outlook.separation.cost_usd(),
            cost_of_separation_year=self.outlook.separation.cost_usd(COMPARED_MONTHS),
        )


def all_checks(
    audit: Audit,
    advice: Advice | None,
    outlook: Outlook | None,
    places: Places,
    waits: tuple[Check, ...] = (),
) -> tuple[Check, ...]:
    """Return the checks of all given results, each once: what is to come first, then by code, subject and text."""
    given = (
        *audit.checks,
        *(advice.checks if advice else ()),
        *(outlook.checks if outlook else ()),
        *place_checks(places),
        *waits,
    )
    return tuple(
        sorted(
            dict.fromkeys(given),
            key=lambda check: (not check.is_first, check.code, str(check.subject), str(check.message)),
        )
    )


def scenario_named(project: Project, name: str) -> Scenario:
    """Return a plan of the project, or the read-only Today. Errors: KeyError for an unknown plan.

    In Today, every workload has the pool of its cluster.
    """
    return Scenario(name=TODAY, start=AS_TODAY) if name == TODAY else project.scenario(name)


def audit_project(project: Project, tables: Tables) -> Audit:
    """Return the audit of the past, which depends on imports, labels and rules but not on the scenario.

    tables: GPU models, rules and scores. Without a log, all figures of usage are unknown; without contracts, all of
    paid GPUs.
    """
    classifications = classify(project.workloads, project.cube, project.labels, tables, project.rules)
    families = gpu_family.families_of(tables.gpu_models)
    powers = rated_power(model_names(project), tables.gpu_models, families)
    audit = replace(audit_of(project, classifications, families, powers), node_gpus=_nodes(project, tables))
    if not project.has_log:
        return without_log(audit)
    if not project.has_spend:
        return without_contracts(audit)
    if not any(row.paid_gpu_hours for row in audit.clusters) and audit.spend is None:
        return replace(audit, unused_per_month=None)  # without any known paid GPUs, unused is unknown, not 0
    return audit


def _nodes(project: Project, tables: Tables) -> dict[str, int]:
    """Return the GPUs of the usual node, by GPU model of the table and by name in the project."""
    named = usual_nodes(model_names(project), tables.gpu_models, gpu_family.families_of(tables.gpu_models))
    return tables.node_gpus | named


def fit_project(project: Project, audit: Audit, tables: Tables) -> tuple[WorkloadFit, ...]:
    """Return the hardware fit of every workload, which depends on imports, labels and needs but not on the board.

    Source: docs/formulas/hardware-fit.md.
    """
    classes = [row.classification.pool for row in audit.workloads]
    return fit_workloads(
        project,
        classes,
        contended_gpu_hours(project, classes, audit.contention),
        [row.usd_per_month for row in audit.workloads],
        tables,
    )


def evaluate_figures(
    project: Project, scenario: str, audit: Audit, previous: Figures | None = None
) -> Figures:
    """Return the cards, columns and hourly sums of a scenario.

    previous: figures of the same scenario before an edit, or of the plan it was copied from; if only pools and pins
    differ, the new figures are derived from them. Law: equal to the result without `previous`, to the bit.
    """
    plan = scenario_named(project, scenario)
    review_below = project.assumptions_in(plan).review_below
    if previous is not None and previous.scenario in (scenario, plan.scratch_of):
        basis = previous.basis
        known = (basis.cube, basis.audit, basis.plan.start, basis.review_below)
        same = known[0] is project.cube and known[1] is audit and known[2:] == (plan.start, review_below)
        if same and plan.spells == basis.plan.spells and has_same_parts(project, scenario, previous):
            return _figures_after_edit(project, plan, previous)
    return _figures_afresh(project, plan, audit, review_below)


def has_same_parts(project: Project, scenario: str, previous: Figures) -> bool:
    """Return whether a scenario has the same splits, planned work and start as `previous`.

    Figures then take less than a frame; a new split needs a copy of the cube.
    """
    plan, basis = scenario_named(project, scenario), previous.basis
    if (plan.planned or plan.spells) and project.plan_window.end_s != basis.begins_s:
        return False
    return bool(plan.splits == basis.plan.splits and plan.planned == basis.plan.planned)


def _in_parts(project: Project, figures: Figures) -> tuple[Project, Audit]:
    """Return the project and audit of the workloads on the board, with GPUs of usual nodes where offers need them;
    unchanged
    if the plan splits none.
    """
    parts, audit = figures.basis.parts, figures.basis.audit
    project = with_nodes(project, audit.node_gpus)
    if parts is None:
        return project, audit
    return parts.put_in(project), audit_in_parts(audit, project, parts)


def advise_plan(project: Project, figures: Figures, cache: AdviceCache | None = None) -> Advice:
    """Return layers, orders, verdicts and totals of the figures' scenario, with its decisions as a whole.

    Without a log there are no orders; without offers, no verdicts. The cache does not change results.
    """
    return advise_soon(project, decided(project, figures, cache), cache)


def advise_soon(project: Project, figures: Figures, cache: AdviceCache | None = None) -> Advice:
    """Return the advice with earlier whole decisions, or none; `is_settling` is then set.

    Undecided contracts that may renew do renew. For a window, which then calls `settle_plan`.
    """
    planned, audit = _in_parts(project, figures)
    plan, cache = figures.basis.plan, AdviceCache() if cache is None else cache
    advice = _advise(planned, audit, figures, cache, is_whole=True)
    if not planned.has_log:
        return advice
    return with_cards(planned, plan, figures.workload_pools, advice, cache)


def advise_costs(project: Project, figures: Figures, cache: AdviceCache | None = None) -> Advice:
    """Return the advice of `advise_soon` with what a hover shows, in half of its time.

    Energy, checks, the costs of workloads and cards, and contracts for training that recurs are left out. Law: all else
    is the same, to the bit.
    """
    planned, audit = _in_parts(project, figures)
    return _advise(planned, audit, figures, AdviceCache() if cache is None else cache, is_whole=False)


def _advise(
    planned: Project, audit: Audit, figures: Figures, cache: AdviceCache, *, is_whole: bool
) -> Advice:
    """Return the advice without the costs of its cards. planned, audit: of the workloads on the board."""
    plan = figures.basis.plan
    advice = advise(planned, plan, figures.workload_pools, audit, cache, is_whole=is_whole)
    is_open = plan.whole_decisions is None and may_decide(planned, plan)
    advice = replace(advice, is_settling=is_open or figures.basis.is_settling)
    if not planned.has_log:
        return without_demand(advice)
    return advice if planned.offers else without_prices(advice)


def with_decisions(figures: Figures, decisions: WholeDecisions | None) -> Figures:
    """Return the figures with these whole decisions in their plan; no figure changes."""
    plan = replace(figures.basis.plan, whole_decisions=decisions)
    return replace(figures, basis=replace(figures.basis, plan=plan, is_settling=False))


def decided(project: Project, figures: Figures, cache: AdviceCache | None = None) -> Figures:
    """Return the figures with the plan's whole decisions; unchanged if it has them, or has no decision to make."""
    planned, audit = _in_parts(project, figures)
    plan = figures.basis.plan
    if plan.whole_decisions is not None or not may_decide(planned, plan):
        return figures
    cache = AdviceCache() if cache is None else cache
    return with_decisions(
        figures, decide(planned, plan, figures.workload_pools, audit.classifications, cache)
    )


def settle_plan(
    project: Project, figures: Figures, advice: Advice, is_cancelled: Callable[[], bool] = lambda: False
) -> Advice:
    """Return the advice with its whole decisions tried again after an edit; unchanged if they are settled.

    Slower than the advice: for a thread. Errors: Cancelled soon after is_cancelled() returns True.
    """
    if not advice.is_settling:
        return advice
    fresh = decided(project, with_decisions(figures, None), AdviceCache(is_cancelled))
    is_same = fresh.basis.plan.whole_decisions == advice.whole_decisions
    return replace(advice, is_settling=False) if is_same else advise_plan(project, fresh)


def advise_month(
    project: Project, figures: Figures, advice: Advice, month: int, cache: AdviceCache | None = None
) -> Advice:
    """Return the advice for one of its twelve months, from 0; without a log or prices all months are the same."""
    planned, audit = _in_parts(project, figures)
    if not (planned.has_log and planned.offers):
        return advice
    plan = replace(figures.basis.plan, whole_decisions=advice.whole_decisions)
    pools = figures.workload_pools
    return advise_in_month(planned, plan, pools, audit, advice, month, cache)


def outlook_plan(
    project: Project, figures: Figures, advice: Advice, is_cancelled: Callable[[], bool] = lambda: False
) -> Outlook:
    """Return the outlook: range, cost of separation, joint plan and next decisions.

    Slower than the advice: for a thread. Errors: Cancelled soon after is_cancelled() returns True.
    """
    planned, _ = _in_parts(project, figures)
    plan = replace(figures.basis.plan, whole_decisions=advice.whole_decisions)
    pools = figures.workload_pools
    cache = AdviceCache(is_cancelled)
    answer = outlook(planned, plan, pools, advice, cache)
    decisions = next_decisions(planned, figures.basis.plan, pools, advice, answer, cache)
    orders = list_orders(planned, figures.basis.plan, advice, decisions)
    return replace(answer, next_decisions=with_orders(decisions, orders), listed_orders=orders)


def evaluate_audit(project: Project, scenario: str, tables: Tables) -> Evaluation:
    """Return audit, fit and figures of a scenario, without advice. Errors: KeyError for an unknown plan."""
    audit = audit_project(project, tables)
    figures = evaluate_figures(project, scenario, audit)
    return Evaluation(
        project=project,
        scenario=scenario,
        audit=audit,
        figures=figures,
        fit=fit_project(project, audit, tables),
    )


OnProgress = Callable[[float, Text], None]
"""Callback with the share done, 0..1, and the present step in words."""


def unheard(share: float, words: Text) -> None:
    """Ignore progress."""


def evaluate(
    project: Project, scenario: str, tables: Tables, on_progress: OnProgress = unheard
) -> Evaluation:
    """Return the whole evaluation, step by step, for the command line. Errors: KeyError for an unknown plan."""
    evaluation = evaluate_advice(project, scenario, tables, on_progress)
    on_progress(0.5, worded("Calculating the plan's certainty"))
    return with_outlook(evaluation)


def with_outlook(of: Evaluation) -> Evaluation:
    """Return an evaluation that has advice, with its outlook and the advice of the plan that a question refers to."""
    outlook = outlook_plan(of.project, of.figures, of.advised)
    return replace(of, outlook=outlook, before=advice_before(of.project, of.scenario, of.audit))


def without_answers(evaluation: Evaluation) -> Evaluation:
    """Return the evaluation that vendors are asked from: without their answers, and without waiting for any; itself if
    nothing came back.

    Source: docs/formulas/quotes.md, Requests for quote.
    """
    offers = tuple(offer for offer in evaluation.project.offers if answered_row(offer) is None)
    if evaluation.advice is None or (
        evaluation.project.request_days is None and len(offers) == len(evaluation.project.offers)
    ):
        return evaluation
    project = while_asking(replace(evaluation.project, offers=offers))
    return replace(
        evaluation,
        project=project,
        advice=advise_plan(project, with_decisions(evaluation.figures, None)),
        outlook=None,
    )


def evaluate_advice(
    project: Project, scenario: str, tables: Tables, on_progress: OnProgress = unheard
) -> Evaluation:
    """Return audit, figures and advice, without outlook. Errors: KeyError for an unknown plan."""
    on_progress(0.0, worded("Calculating the audit"))
    evaluation = evaluate_audit(project, scenario, tables)
    on_progress(0.2, worded("Working out the plan"))
    return replace(evaluation, advice=advise_plan(project, evaluation.figures))


def advice_before(project: Project, scenario: str, audit: Audit) -> Advice | None:
    """Return the advice of the plan that a scenario's question refers to; None without a question. audit: of the
    project.
    """
    plan = project.plan_before(scenario)
    return None if plan is None else advise_plan(project, evaluate_figures(project, plan.name, audit))


def advice_of(project: Project, scenario: str, tables: Tables) -> Advice:
    """Return the advice of a plan, calculated from the project. Errors: KeyError for an unknown plan."""
    audit = audit_project(project, tables)
    return advise_plan(project, evaluate_figures(project, scenario, audit))


def history_in(
    project: Project, scenario: str, tables: Tables, logs_so_far: history.LogsSoFar | None = None
) -> history.History:
    """Return the log for a backtest of a scenario.

    logs_so_far: returns the log as known at each hour; None without job rows. Workloads are then known from the whole
    log, and only demand is cut.
    """
    plan, project = scenario_named(project, scenario), with_nodes(project, _nodes(project, tables))
    if not history.has_fold(project):
        return history.history_known(project, plan, ())
    if logs_so_far is None:
        known = known_in(project, plan, tables)
        return history.history_of(known.project, plan, known.pools, known.classes)
    logs = logs_so_far(history.windows_of(project.window))
    return history.history_known(project, plan, (known_in(log, plan, tables) for log in logs))


def with_months(evaluation: Evaluation, months: Iterable[Project] | None, tables: Tables) -> Evaluation:
    """Return the evaluation with figures by month. months: the project for each month; None without job rows.

    Decisions on leaks are those of the evaluation's plan.
    """
    if months is None:
        return evaluation
    audits = ((month, audit_project(month, tables)) for month in months)
    return replace(evaluation, months=series(audits, evaluation.figures.basis.plan))


def known_in(project: Project, plan: Scenario, tables: Tables) -> history.Known:
    """Return the parts, classes and pools of a log's workloads in a plan.

    Of the plan, only splits and pools are used.
    """
    classes = classify(project.workloads, project.cube, project.labels, tables, project.rules)
    parts = parted(project, plan.splits)
    if parts is not None:
        project, classes = parts.put_in(project), tuple(classes[place] for place in parts.whole)
    return history.Known(project, pools_in(project, plan, classes), classes)


def _figures_afresh(project: Project, plan: Scenario, audit: Audit, review_below: float) -> Figures:
    """Calculate all cards: initial pool, the user's pool, and the sums of each column."""
    classifications = tuple(row.classification for row in audit.workloads)
    parts, cube = stands_on_board(project, plan), project.cube
    if parts is not None:
        project = parts.put_in(project)
        planned = {work.key: planned_class(work.pool) for work in plan.planned}
        classifications = tuple(
            planned[workload.key] if place == NOT_LOGGED else classifications[place]
            for workload, place in zip(parts.workloads, parts.whole, strict=True)
        )
    pools = pools_in(project, plan, classifications)
    models = _models_by_workload(project)
    demand = _demand(project, plan)
    begins_s = project.plan_window.end_s
    planned_share = {work.key: work.month_share(begins_s) for work in plan.planned}
    over = {key for key, s in plan.spells.items() if s.ends_s is not None and s.ends_s <= begins_s}
    shares: list[float] = []
    for workload, classification in zip(project.workloads, classifications, strict=True):
        if classification.source == "planned":
            shares.append(planned_share[workload.key])
        elif whole_key(workload.key, plan.splits) in over:
            shares.append(0.0)
        else:
            shares.append(np.nan)
    times = [demand[pool] if np.isnan(share) else share for share, pool in zip(shares, pools, strict=True)]
    hours = _per_month([workload.milli_gpu_seconds for workload in project.workloads], times, project)
    cards = tuple(
        CardFigures(
            key=workload.key,
            name=workload.name,
            cluster=workload.cluster,
            owner=workload.owner,
            classification=classification,
            pool=pool,
            in_review=is_in_review(workload.key, classification, plan, review_below),
            is_pinned=workload.key in plan.pinned,
            milli_gpu_seconds=workload.milli_gpu_seconds,
            times=times[index],
            gpu_hours_per_month=hours[index],
            gpu_models=models[index],
        )
        for index, (workload, classification, pool) in enumerate(
            zip(project.workloads, classifications, pools, strict=True)
        )
    )
    number = {pool: place for place, pool in enumerate(POOLS)}
    basis = FiguresBasis(
        cube=cube,
        audit=audit,
        plan=plan,
        review_below=review_below,
        index_by_key={card.key: index for index, card in enumerate(cards)},
        begin=pools_in(project, replace(plan, pools={}), classifications),
        pool_number=np.array([number[card.pool] for card in cards], dtype=np.int64),
        in_review=np.array([card.in_review for card in cards], dtype=np.bool_),
        milli_gpu_seconds=np.array(
            [workload.milli_gpu_seconds for workload in project.workloads], dtype=np.int64
        ),
        demand=demand,
        planned_share=np.array(shares, dtype=np.float64),
        begins_s=begins_s,
        parts=parts,
    )
    logged = [None if card.classification.source == "planned" else card.pool for card in cards]
    return Figures(
        scenario=plan.name,
        cards=cards,
        pools=_columns(basis, project),
        hourly=pool_hours(project.cube, logged),
        basis=basis,
    )


def _models_by_workload(project: Project) -> list[tuple[str, ...]]:
    """Return the known GPU models of each workload, by name."""
    names = amounts.grouped((workload, model) for workload, model in project.cube.pairs if model is not None)
    return [tuple(sorted(names.get(workload, ()))) for workload in range(len(project.workloads))]


def _figures_after_edit(project: Project, plan: Scenario, previous: Figures) -> Figures:
    """Recalculate only cards with another pool, pin or demand factor, and adjust the sums."""
    basis = previous.basis
    if basis.plan.whole_decisions is not None and may_decide(project, plan):
        plan = replace(plan, whole_decisions=basis.plan.whole_decisions)
        basis = replace(basis, is_settling=True)
    demand = _demand(project, plan)
    changed = _changed_indexes(basis, plan)
    others = [pool for pool in POOLS if demand[pool] != basis.demand[pool]]
    if not changed and not others:
        return replace(previous, scenario=plan.name, basis=replace(basis, plan=plan))
    cards, hourly = list(previous.cards), previous.hourly
    pool_number, in_review = basis.pool_number.copy(), basis.in_review.copy()
    for index in changed:
        card = cards[index]
        pool = plan.pools.get(card.key, basis.begin[index])
        review = is_in_review(card.key, card.classification, plan, basis.review_below)
        cards[index] = replace(card, pool=pool, in_review=review, is_pinned=card.key in plan.pinned)
        if card.classification.source != "planned":
            hourly = move_hours(hourly, basis.planned_cube, index, card.pool, pool)
        pool_number[index], in_review[index] = POOLS.index(pool), review
    in_others = np.isin(pool_number, [POOLS.index(pool) for pool in others])
    places = sorted({*changed, *np.flatnonzero(in_others).tolist()})
    counted = [
        demand[cards[index].pool] if np.isnan(basis.planned_share[index]) else cards[index].times
        for index in places  # its factor stays, whatever the demand of the pool
    ]
    spent = [cards[index].milli_gpu_seconds for index in places]
    for index, times, hours in zip(places, counted, _per_month(spent, counted, project), strict=True):
        cards[index] = replace(cards[index], times=times, gpu_hours_per_month=hours)
    after = replace(basis, plan=plan, pool_number=pool_number, in_review=in_review, demand=demand)
    return Figures(
        scenario=plan.name, cards=tuple(cards), pools=_columns(after, project), hourly=hourly, basis=after
    )


def _demand(project: Project, plan: Scenario) -> dict[Pool, float]:
    """Return the factor on logged demand by pool; 1 for Today."""
    if plan.name == TODAY:
        return dict.fromkeys(POOLS, 1.0)
    assumptions = project.assumptions_in(plan)
    return {pool: assumptions.demand_of(pool) for pool in POOLS}


def _per_month(milli_gpu_seconds: Sequence[int], times: Sequence[float], project: Project) -> list[float]:
    """Return GPU time in the window times a factor as GPU-hours per month, one value each."""
    given = {
        "gpu_hours": gpu_hours(milli_gpu_seconds),
        "times": floats(times),
        "months": floats([project.window.months] * len(times)),
    }
    hours: list[float] = CARD.value("gpu_hours_per_month", given).tolist()
    return hours


def _changed_indexes(basis: FiguresBasis, plan: Scenario) -> Collection[int]:
    """Return the indexes of cards whose pool or pin may differ."""
    keys = moved_keys(basis.plan, plan) | (basis.plan.pinned ^ plan.pinned)
    return sorted(basis.index_by_key[key] for key in keys if key in basis.index_by_key)


def _columns(basis: FiguresBasis, project: Project) -> dict[Pool, PoolFigures]:
    """Return the sums of every column, in exact integers until the conversion to GPU-hours per month."""
    spent: list[int] = []
    times: list[float] = []
    is_inside = [basis.pool_number == number for number in range(len(POOLS))]
    is_planned = ~np.isnan(basis.planned_share)
    for pool, inside in zip(POOLS, is_inside, strict=True):
        works = inside & is_planned
        planned = int(basis.milli_gpu_seconds[works].sum())
        share = basis.milli_gpu_seconds[works] @ basis.planned_share[works] / planned if planned else 1.0
        spent += int(basis.milli_gpu_seconds[inside].sum()) - planned, planned
        times += basis.demand[pool], float(share)
    hours = _per_month(
        spent, times, project
    )  # all in one call, because a formula takes no longer for six numbers than for one
    return {
        pool: PoolFigures(
            pool=pool,
            workloads=int(inside.sum()),
            in_review=int((inside & basis.in_review).sum()),
            milli_gpu_seconds=spent[at] + spent[at + 1],
            gpu_hours_per_month=hours[at] + hours[at + 1],
        )
        for at, pool, inside in zip(count(step=2), POOLS, is_inside, strict=False)
    }


def alone(of: Evaluation, is_cancelled: Callable[[], bool] = lambda: False) -> tuple[ProviderPlan, ...]:
    """Return a plan for each provider alone; empty without advice or after a cancellation."""
    planned, pools = of.in_parts, of.figures.workload_pools
    if of.advice is None:
        return ()
    today = planned_work_today(of)
    return providers_alone(planned.project, of.plan, pools, of.advice, is_cancelled, today=today)


def planned_work_today(evaluation: Evaluation) -> WorkToday:
    """Return today's cost of the log's work by the plan's pools; a split workload is in that of its largest part."""
    project, pools = evaluation.project, evaluation.figures.whole_pools
    clusters, rates = dispatch_window(project, pools), eligible_rates(project, pools)
    return work_today(clusters, rates, project.window.months)


def business_of(evaluation: Evaluation) -> tuple[BusinessCost, ...]:
    """Return spend per business figure by month, and in month 12 of the plan if there is one."""
    project, advice = evaluation.project, evaluation.advice
    if not project.business:
        return ()
    month_12 = month_12_of(None if evaluation.scenario == TODAY else advice)
    return business_costs(project, spend_by_hour(evaluation.past), month_12)


def charges_of(evaluation: Evaluation, by: ChargeBy = ChargeBy.TEAM, past: Past | None = None) -> Charges:
    """Return the chargeback of the window; for a plan with advice, also the date when budgets run out.

    past: of the evaluation, if available.
    """
    project, audit, advice = evaluation.project, evaluation.audit, evaluation.advice
    who_pays = charges(project, charged(past or evaluation.past, audit), by)
    if advice is None or evaluation.scenario == TODAY:
        return who_pays
    return with_used_up(who_pays, advice, evaluation.in_parts.project.workloads)
