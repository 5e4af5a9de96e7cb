"""What each medium says of a project that is read once: for tests that change a formula many times."""

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from gpuplanner.app.past.audit_answers import ANSWERS as OF_AUDIT
from gpuplanner.app.past.costing import Costs
from gpuplanner.cli.audit_tables import audit_tables, series_text
from gpuplanner.cli.documents.audit import audit_document, series_document
from gpuplanner.cli.documents.awards import award_document
from gpuplanner.cli.documents.plan import plan_document
from gpuplanner.cli.documents.tracks import track_document
from gpuplanner.cli.documents.unit_costs import business_document, charge_document, cost_document
from gpuplanner.cli.documents.waits import queue_document
from gpuplanner.cli.place import place_document
from gpuplanner.cli.plan_tables.award_text import award_tables
from gpuplanner.cli.plan_tables.cost_text import business_text, charge_text, cost_tables
from gpuplanner.cli.plan_tables.plan_text import plan_tables
from gpuplanner.cli.plan_tables.queue_text import queue_tables
from gpuplanner.cli.plan_tables.track_text import track_tables
from gpuplanner.cli.tables import report_text
from gpuplanner.cli.terminal import Tables
from gpuplanner.domain.audit.chargeback import Charges, charged, charges
from gpuplanner.domain.audit.cost_result import ChargeBy
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.series import series
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.audit.unit_costs.business_costs import BusinessCost, business_costs, spend_by_hour
from gpuplanner.domain.audit.unit_costs.unit_costs import unit_costs
from gpuplanner.domain.audit.variance import halves, variance
from gpuplanner.domain.award.deciding import decide
from gpuplanner.domain.award.quote_worths import with_worth
from gpuplanner.domain.brief.briefs import brief_of
from gpuplanner.domain.brief.sensitivity_pages import Sensitivity
from gpuplanner.domain.commitment.plan.comparison import STEPS, Horizon
from gpuplanner.domain.commitment.plan.totals import month_12_of, with_used_up
from gpuplanner.domain.commitment.uncertainty.flips import CasePlan, price_sensitivity
from gpuplanner.domain.commitment.uncertainty.limit_costs import providers_alone
from gpuplanner.domain.evaluation import Evaluation, evaluate
from gpuplanner.domain.evidence.audit_evidence import evidence_of
from gpuplanner.domain.evidence.costs.cost_answers import WHY as OF_COSTS
from gpuplanner.domain.evidence.costs.cost_evidence import CostEvidence
from gpuplanner.domain.evidence.log_months import OF_MONTHS
from gpuplanner.domain.evidence.past import WHY as OF_PAST
from gpuplanner.domain.evidence.plan import plan_answers
from gpuplanner.domain.evidence.serving import OF_SIZING
from gpuplanner.domain.evidence.trace import Trace, figure, parts_of
from gpuplanner.domain.figures.chargeback import CHARGE
from gpuplanner.domain.figures.mix import KINDS, WEEK
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.figures.training import PAST_RUN
from gpuplanner.domain.figures.window import WINDOW
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing
from gpuplanner.domain.fit.sized_endpoints import size_endpoint
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.business_figures import BusinessFigure
from gpuplanner.domain.model.calendar_months import month_of
from gpuplanner.domain.model.intake import BILLED, LEFT_OUT
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.queue.ground import Queueing
from gpuplanner.domain.queue.logged import JobKind, QueueLog
from gpuplanner.domain.queue.rows import log_waits
from gpuplanner.domain.queue.waiting import waiting_of
from gpuplanner.domain.reports.mix import GAPS, H100S, HIDDEN, PREMIUMS, PUBLIC
from gpuplanner.domain.reports.report import entries
from gpuplanner.domain.reports.savings import PROVIDERS_ALONE
from gpuplanner.domain.reports.series import MONTHS
from gpuplanner.domain.reports.serving import CITIES, SITE_SETS, SIZES, sets_and_cheapest
from gpuplanner.domain.reports.serving_words import sentences_of
from gpuplanner.domain.serving.placement import current_placement, placement_of
from gpuplanner.domain.track.track import track
from gpuplanner.files.importing.read_facts import quality_entry
from gpuplanner.files.project.project_file import open_project
from gpuplanner.files.system.resources import read_serving_tables, read_tables
from gpuplanner.files.tables.odd_rates import market_of_offer
from gpuplanner.files.workbook.write import write_workbook
from gpuplanner.ui.panels.cost.detail import detail_of
from gpuplanner.ui.state.view_state import next_view_state
from gpuplanner.ui.why.plan_answers import plan_evidence
from tests.domain import worlds
from tests.golden.book_text import book_text
from tests.golden.projects import NOW_S, PROJECTS, saved, within
from tests.golden.store import json_text, kept

BACKTESTED: Final = {"way_paid", "way_over", "variant_paid", "variant_beside"}
"""Kinds of figures of a backtest, which a window works out when its panel is seen."""
MANY: Final = {one.why for subject in (WEEK, PAST_RUN) for one in subject.figures}
"""Kinds of figures of every hour of a week and of every run of a log: hundreds, of formulas that others show."""
BUDGETS: Final = dict.fromkeys(("ann", "chat", "foundation", "lab", "search", "vision"), 60_000.0)
"""Of teams of the golden projects, which have none."""
BILL: Final = {kind: 100.0 * place for place, kind in enumerate(KINDS, 1)}
"""$ on a bill, by kind; the golden projects have none."""
RATIO: Final = ModelMapping("H100", "L40S", 0.5)
"""The golden projects state none. At this the H100 of a contract is the more expensive of the two."""
A_MONTH_BEFORE: Final = "2026-08-20"
"""A month before the day of every offer."""
GONE: Final = "(no longer planned)"
NOT_ALLOWED: Final = "(its unit is not that of the figure)"


def forget_places() -> None:
    """Placements are worked out anew."""
    current_placement.cache_clear()
    placement_of.cache_clear()


def text_of(tables: Tables) -> str:
    """The tables of an answer, one below the other."""
    return "\n".join(text for _, table in tables if (text := table()))


@cache
def project_of(folder: str) -> Project:
    """A project of the golden files, from its inputs."""
    made = next(one for one in PROJECTS if one.name == folder)
    with tempfile.TemporaryDirectory(prefix="golden-") as place:
        return open_project(saved(made, Path(place) / folder))


@cache
def figure_ids(folder: str) -> tuple[str, ...]:
    """Every figure of the project that the window can be asked about, as its golden file has them."""
    text = kept(f"window_{folder}")[f"window_{folder}/why.txt"]
    heads = (line[2:].split(" | ")[0] for line in text.splitlines() if line.startswith("# "))
    of_all = (figure(one.why) for subject in (PLAN, WINDOW) for one in subject.figures if one.why)
    return tuple(dict.fromkeys((*of_all, *(one for one in heads if not one.startswith("headline ")))))


OF_SAVINGS: Final = (
    *(figure("savings_step", name) for name in STEPS),
    *map(figure, ("marginal_rate", "bought_hours", "bought_gpus")),
)
"""Figures of the savings that charts and sentences show, which are in no table."""


@dataclass(frozen=True)
class Readings:
    """A project as it is worked out now, named as its golden files; each medium is written when it is asked for."""

    name: str

    @property
    def project(self) -> Project:
        return project_of(self.name)

    @cached_property
    def evaluation(self) -> Evaluation:
        found = evaluate(self.project, self.project.scenarios[0].name, read_tables())
        advice = found.advice
        assert advice is not None
        usd = advice.totals.plan
        cheaper = replace(advice.totals, plan=None if usd is None else 0.9 * usd)
        return replace(
            found, before=replace(advice, totals=cheaper)
        )  # as if a question made it more expensive

    @cached_property
    def _told(self) -> Evaluation:
        """The same with what is told of a past and no golden project has: what it is planned with stays as it is.

        A bill, a ratio between GPU models, rates a month before, and two months, which are the window twice.
        """
        found, project = self.evaluation, self.project
        first, *others = project.intake
        billed = (*first.facts, (BILLED, {"": BILL}), (LEFT_OUT, []))
        told = replace(
            project,
            intake=(replace(first, facts=billed), *others),
            mappings=(RATIO,),
            earlier_offers=tuple(replace(one, as_of=A_MONTH_BEFORE) for one in project.offers),
        )
        later = replace(project, window=project.window.later(3600 * project.window.hours))
        months = series(((project, found.audit), (later, found.audit)), found.figures.basis.plan)
        return replace(found, project=told, months=months)

    @cached_property
    def _past(self) -> Past:
        return past_of(self._told.project, self._told.audit)

    @cached_property
    def _costs(self) -> CostEvidence:
        past = past_of(self.project, self.evaluation.audit)
        changes = variance(past, *halves(self.project.window))
        past = replace(past, project=replace(self.project, budgets=BUDGETS))
        return CostEvidence(
            unit=unit_costs(past),
            variance=changes,
            past=past,
            charged=charged(past, self.evaluation.audit),
            business=self._business(past),
        )

    def _business(self, past: Past) -> tuple[BusinessCost, ...]:
        """Spend for one of some orders, in the month in which the window begins and in month 12 of the plan."""
        advice, month = self.evaluation.advice, month_of(self.project.window.start_s)
        given = replace(self.project, business=(BusinessFigure("orders", month, 1_000.0),))
        return business_costs(given, spend_by_hour(past), month_12_of(advice))

    @cached_property
    def _who_pays(self) -> Charges:
        found = self._costs
        rows = charges(found.past.project, found.charged, ChargeBy.TEAM)
        assert self.evaluation.advice is not None
        return with_used_up(rows, self.evaluation.advice, self.evaluation.in_parts.project.workloads)

    @cached_property
    def document(self) -> dict[str, Any]:
        """What `plan` answers, but for the intake."""
        costs = self._costs
        return (
            audit_document(self._told)
            | series_document(self._told)
            | {"data_quality": quality_entry(self.project.jobs.quality)}
            | cost_document(costs.unit, costs.variance, self.project.window)
            | charge_document(self._who_pays, has_names=False)
            | business_document(costs.business)
            | plan_document(self.evaluation)
            | {"sizing": {one.key: entries(SIZES, one.costs) for one in self._sizings}}
            | {"placement": place_document((), self.project.places, self.project.assumptions, None)}
        )

    @cached_property
    def _sizings(self) -> tuple[EndpointSizing, ...]:
        """What is sized of the project, by key."""
        project = self.project
        found = (
            size_endpoint(project, key, project.assumptions, project.offers, read_serving_tables())
            for key in sorted(project.serving)
        )
        return tuple(one for one in found if one is not None)

    def text(self, medium: str) -> str:
        """All that a medium says. Placements are kept from one call to the next: not those of a changed formula."""
        forget_places()
        try:
            return str(getattr(self, medium))
        finally:
            forget_places()

    @cached_property
    def json(self) -> str:
        return json_text(self.document)

    @cached_property
    def terminal(self) -> str:
        costs, placement = self._costs, placement_of(self.project.places)
        return "\n".join(
            (
                text_of(audit_tables(self._told)),
                text_of(plan_tables(self._told, self.document)),
                series_text(self._told),
                text_of(cost_tables(costs.unit, costs.variance, self.project.window)),
                charge_text(self._who_pays),
                business_text(costs.business),
                *(report_text(SIZES, [cost for cost in one.costs if cost.row.fits]) for one in self._sizings),
                *(
                    str(said)
                    for one in self._sizings
                    if one.drawn is not None
                    for said in sentences_of(one, one.drawn)
                ),
                report_text(SITE_SETS, sets_and_cheapest(placement)),
                report_text(CITIES, placement.today.current.service.legs),
            )
        )

    @cached_property
    def award(self) -> str:
        """What `award` answers, as document and as text, where two vendors quote the same for a little less."""
        rivals = tuple(
            replace(one, offer_id=f"{one.offer_id}-{vendor}", provider=vendor, source=f"Quote {vendor}-1",
                    upfront_usd=Decimal(10), rate_usd_per_gpu_hour=one.rate_usd_per_gpu_hour * Decimal(part))
            for one in self.project.offers
            if one.term_months and one.rate_usd_per_gpu_hour
            for vendor, part in (("Rival", "0.95"), ("Second", "0.97"))
        )  # fmt: skip
        project = replace(self.project, offers=(*self.project.offers, *rivals))
        evaluation = evaluate(project, project.scenarios[0].name, read_tables())
        decided = decide(evaluation, NOW_S, market_of_offer)
        found = None if decided is None else with_worth(decided, evaluation)
        assert found is not None  # nobody cancels it
        return json_text(award_document(found)) + text_of(award_tables(found))

    @cached_property
    def one_provider(self) -> str:
        """What `plan --one-provider` answers, as document and as text."""
        evaluation, figures = self.evaluation.in_parts, self.evaluation.figures
        assert evaluation.advice is not None
        found = providers_alone(
            evaluation.project, figures.basis.plan, figures.workload_pools, evaluation.advice
        )
        return json_text({"rows": entries(PROVIDERS_ALONE, found)}) + report_text(PROVIDERS_ALONE, found)

    @cached_property
    def track(self) -> str:
        """What `track` answers, as document and as text, where the same log comes again."""
        window = self.project.window
        later = replace(self.project, window=window.later(3600 * window.hours))
        found = track(self.evaluation, later, read_tables(), has_contracts=False, has_prices=False)
        assert found is not None  # nobody cancels it
        return json_text(track_document(found)) + text_of(track_tables(found))

    @cached_property
    def queue(self) -> str:
        """What `queue` answers, as document and as text, where four jobs of two GPUs wait for one another."""
        eligible_s, start_s = (
            self.project.window.start_s + 3600 * np.array(hours) for hours in ((0, 0, 0, 1), (0, 2, 4, 6))
        )
        contract, ones = self.project.contracts[0], np.ones(4, dtype=np.int64)
        log = QueueLog(
            kinds=(JobKind(0, contract.cluster, "ml", contract.gpu_model),),
            kind=0 * ones,
            milli_gpus=2_000 * ones,
            nodes=0 * ones,
            eligible_s=eligible_s,
            start_s=start_s,
            end_s=start_s + 7200,
            planned_s=7_200 * ones,
            job_ids=tuple("abcd"),
            is_known=ones > 0,
            limit_known=0.0,
        )
        queueing = Queueing(self.evaluation, log)
        waiting, of_log = waiting_of(queueing), log_waits(queueing)
        return json_text(queue_document(waiting, of_log)) + text_of(queue_tables(waiting, of_log))

    @cached_property
    def brief(self) -> str:
        """Without what other assumptions would change: each of them takes a plan of its own."""
        return "\n".join(map(repr, brief_of(self._told, NOW_S, "", Sensitivity(self._cases, ())).pages))

    @cached_property
    def _cases(self) -> tuple[CasePlan, ...]:
        evaluation = self.evaluation.in_parts
        figures = self.evaluation.figures
        return price_sensitivity(
            evaluation.project, figures.basis.plan, figures.workload_pools, evaluation.audit
        )

    @cached_property
    def workbook(self) -> str:
        """Every cell of its workbook."""
        with tempfile.TemporaryDirectory(prefix="golden-") as place, within(Path(place)):
            write_workbook(self._told, Path("plan.xlsx"), NOW_S)
            return book_text(Path("plan.xlsx"))

    @cached_property
    def window(self) -> str:
        """What the panel Cost says of each run, where no table has it."""
        found = self._costs
        costs = Costs(
            parts=(),
            periods=halves(self.project.window),
            past=found.past,
            unit=found.unit,
            variance=found.variance,
            charged=found.charged,
            charges={},
            energy=self.evaluation.audit.energy,
            usd_by_hour=None,
            retraining=(),
        )
        return "\n".join(repr(detail_of("runs", run.subject, costs)) for run in costs.unit.runs)

    @property
    def _of_workloads(self) -> list[str]:
        """Figures of what changed that a window lists once a cluster is chosen."""
        return [
            figure(kind, part.key, row.cluster)
            for row in self._costs.variance.clusters
            for part in row.workloads
            for kind in ("volume_hours", "volume_usd")
        ]

    @property
    def _of_business(self) -> list[str]:
        """Figures of business and of retraining."""
        keys = {run.key for run in self._costs.unit.runs}
        return [
            *(figure("business_each", row.subject) for row in self._costs.business),
            *(figure("retrain_usd", key) for key in sorted(keys)),
        ]

    @property
    def _of_who_pays(self) -> list[str]:
        """Figures of who pays, by team and by workload."""
        found = self._costs
        kinds = [one.why for one in CHARGE.figures if one.why]
        return [
            figure(kind, row.subject, by)
            for by in (ChargeBy.TEAM, ChargeBy.WORKLOAD)
            for row in charges(found.past.project, found.charged, by).rows
            for kind in kinds
        ]

    @property
    def _of_past(self) -> list[str]:
        """Figures of what a past is told beside, and of its months."""
        told = ((of, self._past) for of in (PUBLIC, HIDDEN, H100S, PREMIUMS, GAPS))
        return [
            figure(column.figure.why, of.key(row), column.figure.why_scope)
            for of, about in (*told, (MONTHS, self._told))
            for row in of.rows(about)
            for column in of.columns
            if column.figure is not None and column.figure.why
        ]

    @property
    def _of_horizons(self) -> list[str]:
        """Figures of how far a plan is looked ahead."""
        kinds = ("ahead_plan", "ahead_nothing", "ahead_saved", "ahead_change")
        return [figure(kind, horizon.value) for horizon in Horizon for kind in kinds]

    @cached_property
    def _answers(self) -> Mapping[str, Callable[[str], Trace]]:
        evaluation = self.evaluation
        audit = evidence_of(self.project, evaluation.audit, evaluation.fit or ())
        plan = plan_evidence(next_view_state(None, evaluation), NOW_S, cases=self._cases)
        costs = self._costs
        sizes = {
            kind: lambda one: OF_SIZING.answer(self._sizings[0], one) for kind in OF_SIZING if self._sizings
        }
        return {
            **sizes,
            **dict.fromkeys(OF_PAST, lambda one: OF_PAST.answer(self._past, one)),
            **dict.fromkeys(OF_MONTHS, lambda one: OF_MONTHS.answer(self._told, one)),
            **dict.fromkeys(OF_COSTS, lambda one: OF_COSTS.answer(costs, one)),
            **dict.fromkeys(plan_answers.ANSWERS, lambda one: plan_answers.answer(plan, one)),
            **dict.fromkeys(OF_AUDIT, lambda one: OF_AUDIT.answer(audit, one)),
        }

    @cached_property
    def divided(self) -> str:
        """What the parts of a divided workload cost today; no project of the golden files divides one."""
        evidence = worlds.evidence_of_plan(worlds.divided())
        parts = (figure("part_today", f"c2/team/load-001#{number}") for number in (1, 2))
        return "\n".join(
            f"{part} {_trace_text(partial(plan_answers.answer, evidence), part)}" for part in parts
        )

    @cached_property
    def why(self) -> str:
        """What answers to "Why this number?" come to, and what they say went into it, under their figures."""
        return "\n".join(
            f"{one} {_trace_text(self._answers[kind], one)}"
            for one in (
                *figure_ids(self.name),
                *self._of_workloads,
                *self._of_who_pays,
                *self._of_business,
                *OF_SAVINGS,
                *self._of_past,
                *self._of_horizons,
            )
            if (kind := parts_of(one)[0]) in self._answers and kind not in BACKTESTED | MANY
        )


def _trace_text(answer: Callable[[str], Trace], figure_id: str) -> str:
    try:
        trace = answer(figure_id)
    except TypeError as error:  # of a changed formula whose unit is none of its figure's
        return f"{NOT_ALLOWED}: {error}"
    except (StopIteration, IndexError):  # a changed rate of an offer changes what is bought
        return GONE
    return (
        f"{trace.value} {trace.symbols} {[row.values for row in trace.rows]} {trace.readings} {trace.note!r}"
    )
