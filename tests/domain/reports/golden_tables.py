"""Tables and sentences of reports, as golden tables: of five small projects, and of results written down by hand.

A case has the rows of a table in each medium; a medium that shows the same as one before is left out.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from gpuplanner.domain import evaluation
from gpuplanner.domain.audit.cost_result import ChargeBy
from gpuplanner.domain.audit.idle_leaks import PastRun
from gpuplanner.domain.award.offer_worths import OfferWorth
from gpuplanner.domain.commitment import order_days, payments
from gpuplanner.domain.commitment.outlook_result import NOT_YET, LimitCost, SavingsStep
from gpuplanner.domain.commitment.plan.totals import month_12_of
from gpuplanner.domain.commitment.savings import SavingsStory, savings_story
from gpuplanner.domain.evaluation import Evaluation, with_months
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.domain.queue import sentences
from gpuplanner.domain.queue.frontier import AsToday
from gpuplanner.domain.queue.rows import log_waits
from gpuplanner.domain.queue.waits import Range
from gpuplanner.domain.reports import (
    award,
    cash,
    changes,
    clusters,
    costs,
    leaks,
    mix,
    orders,
    plan_layers,
    savings,
    serving,
    serving_words,
    training,
    use,
    waiting,
)
from gpuplanner.domain.reports.report import Medium, Report
from gpuplanner.domain.reports.series import MONTHS
from gpuplanner.domain.training.choices import Asked, NetworkCost
from tests.domain import worlds
from tests.domain.commitment.conftest import Load, contract, offer
from tests.domain.reports import reported_results as results
from tests.domain.reports.report_columns import REPORTS, columns_text
from tests.domain.tables import media_text, plain
from tests.domain.track.conftest import planned, tracked
from tests.golden.tables import Table

FOLDER: Final = "tables_reports"
MEDIA: Final = (Medium.DOCUMENT, Medium.WINDOW, Medium.TERMINAL, Medium.BRIEF, Medium.WORKBOOK)

Reported = tuple[Report, Any]
"""A report, and what it is about."""
Words = Iterable[Text]
Cases = Mapping[str, Callable[[], Reported | Words]]


# --- The past ------------------------------------------------------------------------------------


def charged_by(key: ChargeBy) -> Reported:
    """Return the bill of the past by team, workload or another key."""
    bill = evaluation.charges_of(worlds.past().evaluation, key)
    return costs.report_of(bill), bill


def charged_on_paper() -> Reported:
    """Return the bill by team as it is printed."""
    bill = evaluation.charges_of(worlds.past().evaluation, ChargeBy.TEAM)
    return costs.overview_of(bill), bill


def statement() -> Reported:
    """Return the statement of the first team."""
    return costs.STATEMENT, evaluation.charges_of(worlds.past().evaluation, ChargeBy.TEAM).rows[0]


def tables_of_past() -> Cases:
    """Return the tables of a log and its contracts."""
    past = worlds.past
    uses = {f"by_{view}": report for view, report in use.USES.items()}
    over_time = {name: report for name, report in mix.OF_PAST.items() if name != "hours_of_week_by"}
    return {
        "clusters": lambda: (clusters.CLUSTERS, past().audit),
        "contracts": lambda: (clusters.CONTRACTS, past().audit),
        "classes": lambda: (clusters.CLASSES, past().audit),
        **{name: lambda report=report: (report, past().audit.use) for name, report in uses.items()},
        "energy_of_contracts": lambda: (use.ENERGY_OF_CONTRACTS, past().audit),
        "energy_of_workloads": lambda: (use.ENERGY_OF_WORKLOADS, past().audit),
        "energy_of_teams": lambda: (use.ENERGY_OF_TEAMS, past().audit),
        "runs": lambda: (costs.RUNS, past().unit),
        "models": lambda: (costs.MODELS, past().unit),
        "endpoints": lambda: (costs.ENDPOINTS, past().unit),
        "business": lambda: (costs.BUSINESS_COSTS, evaluation.business_of(past().evaluation)),
        **{name: lambda report=report: (report, past().past) for name, report in over_time.items()},
        **{f"charged_by_{key}": partial(charged_by, key) for key in ChargeBy},
        "charged_on_paper": charged_on_paper,
        "statement": statement,
        "leaks": lambda: (leaks.LEAKS, leaks.leak_list(past().project, past().audit, "Plan A")),
    }


# --- Plans ---------------------------------------------------------------------------------------


def tables_of_plan(plan: Callable[[], Evaluation]) -> Cases:
    """Return the tables of a plan: on its first day, and as read 70 days later."""

    def to_decide(days: int) -> orders.ToDecide:
        return orders.ToDecide(plan(), order_days.seen_in(plan().project, worlds.PLAN_S + days * DAY_S))

    def outlook() -> Any:
        return worlds.outlook_of(plan).outlook

    def story() -> SavingsStory:
        return savings_story(plan().advised, outlook(), plan().audit, has_today=True)

    by_pool = {
        f"{name}_{pool}": (report, place)
        for place, pool in enumerate(("burst", "inference", "training"))
        for name, report in (("layers", plan_layers.LAYERS), ("terms", plan_layers.TERMS))
    }
    return {
        **{
            name: lambda report=report, place=place: (report, plan().advised.pools[place])
            for name, (report, place) in by_pool.items()
        },
        "idle": lambda: (plan_layers.IDLE, plan().advised),
        "plan_layers": lambda: (plan_layers.PLAN_LAYERS, plan().advised),
        "orders": lambda: (orders.ORDERS, plan().advised),
        "orders_as_read": lambda: (orders.SHOWN_ORDERS, worlds.outlook_of(plan)),
        "verdicts": lambda: (orders.VERDICT_ROWS, plan()),
        "to_decide": lambda: (orders.TO_DECIDE, to_decide(0)),
        "to_decide_late": lambda: (orders.TO_DECIDE, to_decide(70)),
        **{name: lambda report=report: (report, plan()) for name, report in cash.READ_WITH_PLAN.items()},
        "horizons": lambda: (savings.HORIZONS, plan()),
        "question": lambda: (savings.QUESTION, worlds.with_before(plan())),
        "savings": lambda: (savings.SAVINGS, story()),
        "offered": lambda: (savings.OFFERED, story()),
        "separation": lambda: (savings.SEPARATION_LINES, story()),
        "limits": lambda: (savings.LIMITS, outlook()),
        "alone": lambda: (savings.PROVIDERS_ALONE, evaluation.alone(plan())),
        "energy_of_plan": lambda: (use.ENERGY_OF_PLAN, plan().advised.energy),
    }


def story() -> SavingsStory:
    """Return $1,205.4 saved by three steps, of which one is under a dollar of a bar, and demand that adds $400."""
    advice = worlds.plan().advised
    totals = replace(advice.totals, savings_vs_do_nothing=1205.4, savings=805.4)
    steps = (("terms", 1000.2), ("separation", 200.1), ("spot", 5.1), ("demand", -400.0), ("ending", 0.0))
    outlook = replace(
        NOT_YET,
        savings_steps=tuple(
            SavingsStep(step=name, cost_before=5000.0, cost_after=5000.0 - usd, saved_per_month=usd)
            for name, usd in steps
        ),
        savings_offered=(
            SavingsStep(
                step="right_size",
                cost_before=900.0,
                cost_after=800.5,
                saved_per_month=99.5,
                unmeasured=2,
                saved_in_year=1200.5,
            ),
        ),
    )
    return savings_story(replace(advice, totals=totals), outlook, worlds.past().audit, has_today=False)


def limits() -> tuple[LimitCost, ...]:
    """Return a limit that costs $1,000, one of unknown cost, and one that keeps the plan from nothing."""
    dear = worlds.evidence_of_trials().outlook.limits[0]
    free = replace(dear, limit_cost=0.0, limit_cost_in_year=0.0, unserved_gpu_hours=0.0)
    return dear, replace(dear, limit_cost=None), free


def month_12() -> Words:
    """Return start, cost and unserved GPU-hours of the twelfth month of a plan; a plan without advice has none."""
    assert month_12_of(None) is None
    month = month_12_of(worlds.plan().advice)
    assert month is not None
    return [plain([month.start_s, month.plan_usd, month.unserved_gpu_hours])]


PLANNED: Final[Cases] = {
    "savings_of_three_steps": lambda: (savings.SAVINGS, story()),
    "offered_with_unmeasured": lambda: (savings.OFFERED, story()),
    "limits_free_and_unknown": lambda: (savings.LIMITS, replace(NOT_YET, limits=limits())),
    "contracts_with_sla": lambda: (clusters.CONTRACTS, worlds.plan().audit),
    "totals": lambda: [plan_layers.totals_entry(worlds.outlook_of(worlds.plan).totals)],
    "totals_unpriced": lambda: [
        plan_layers.totals_entry(worlds.unpriced().totals),
        plan_layers.at_least_entry(worlds.unpriced().advised),
        plan_layers.at_least_entry(worlds.plan().advised),
    ],
    "days_without_a_calendar": lambda: [
        order_days.Seen(0, 0).day(days * DAY_S) for days in (-1, 0, 30, 31, 365)
    ],
    "quarters": lambda: [
        quarter
        for starts in (1, 2, 12)
        for quarter in payments.quarters(1_767_225_600, 1_780_272_000, starts)
    ],
    "month_12": month_12,
}


# --- Costs of the past that differ from the small project ----------------------------------------


def months() -> Evaluation:
    """Return the past with the whole of its log as one month that is cut."""
    past = worlds.past()
    return with_months(past.evaluation, [past.project], worlds.WATTS)


def statement_unknown() -> Reported:
    """Return the statement of a team, of which one part is unknown."""
    row = evaluation.charges_of(worlds.past().evaluation).rows[0]
    first, second = row.parts[:2]
    return costs.STATEMENT, replace(row, parts=(replace(first, direct_in_window=None), second))


def runs_to_midnight() -> Reported:
    """Return a run that ends at midnight."""
    unit = worlds.past().unit
    return costs.RUNS, replace(unit, runs=[replace(run, end_s=1_783_036_800) for run in unit.runs[:1]])


def few_hours() -> Words:
    """Return the remark about clusters with few hours of training."""
    audited = zip(worlds.past().audit.clusters, (1331, 1900), strict=True)
    return [clusters.few_hours_words([replace(row, training_hours=hours) for row, hours in audited])]


COSTS: Final[Cases] = {
    "months": lambda: (MONTHS, months()),
    "statement_unknown": statement_unknown,
    "runs_to_midnight": runs_to_midnight,
    "few_hours": few_hours,
}


# --- Serving -------------------------------------------------------------------------------------

SIZINGS: Final = (
    serving.NamedSizing("chat", results.sizing()),
    serving.NamedSizing("term", results.sizing(12)),
    serving.NamedSizing("chosen", results.sizing(0, "A100")),
    serving.NamedSizing("none", results.sizing(is_priced=False)),
)
SERVING: Final[Cases] = {
    "sizes": lambda: (serving.SIZES, results.sizing().costs),
    "sizes_by_term": lambda: (serving.SIZES, results.sizing(12).costs),
    "precisions": lambda: (serving.PRECISION_SIZES, results.sizing().costs),
    "not_fitting": lambda: (serving.NOT_FITTING, results.sizing().costs[2:]),
    "endpoints": lambda: (serving.ENDPOINTS, SIZINGS),
    "hours_held": lambda: (serving.HOURS_HELD, serving.hours_held(SIZINGS[0])),
    "hours_chosen": lambda: (serving.HOURS_HELD, serving.hours_held(SIZINGS[2])),
    "ratios": lambda: (serving.RATIOS, results.sizing().ratios),
    "ratio_words": lambda: [serving.RATIOS.column("instead").tip(results.sizing().ratios[0])],
    "regions": lambda: (serving.REGIONS, results.sizing().regional(results.cost("H100")).regions),
    **{
        f"serving_{model}": lambda model=model: serving_words.sentences_of(
            results.sizing(), results.cost(model)
        )
        for model in ("H100", "A100", "L40S")
    },
}


# --- Training ------------------------------------------------------------------------------------


def past_runs() -> list[PastRun]:
    """Return runs that took a quarter longer, failed, were cancelled, ended as usual, and of unknown end."""
    work = worlds.past().project.workloads[0]
    figures = {"gpus": 8.0, "hours": 10.0, "contended_hours": 4.0, "usual_hours": 8.0}
    ends = ((0.25, "COMPLETED"), (0.5, "FAILED"), (-0.1, "CANCELLED"), (0.0, "COMPLETED"), (None, ""))
    return [
        PastRun(
            workload=work,
            run=f"j{number}",
            start_s=1_782_864_000,
            state=state,
            figures=figures | {"longer_share": longer_share},
        )
        for number, (longer_share, state) in enumerate(ends)
    ]


ON_VIRTUAL: Final = Asked(tokens=1e9, virtual=(0.05, 0.15))
TRAINING: Final[Cases] = {
    "training_runs": lambda: (training.TRAINING_RUNS, (results.FITTING, results.ENDLESS, results.UNKNOWN)),
    "chips": lambda: (training.CHIPS, (results.CHIP,)),
    "largest": lambda: (training.LARGEST_MODELS, (results.FITTING,)),
    "networks": lambda: (
        training.NETWORKS,
        (
            NetworkCost(
                gpu_model="H100",
                nic_gbps=400.0,
                times=1.23456,
                hours=12.5,
                usd=None,
                hidden_from_tokens=2048.0,
            ),
        ),
    ),
    "words": lambda: training.sentences_of(results.FITTING, ON_VIRTUAL),
    "words_unpriced": lambda: training.sentences_of(
        replace(results.FITTING, offer=None, usd=None), replace(ON_VIRTUAL, storage_gb_per_s=2.5)
    ),
    "words_alone": lambda: training.sentences_of(results.FITTING, Asked(tokens=1e9)),
    "words_unknown": lambda: training.sentences_of(results.UNKNOWN, Asked(tokens=1e9)),
    "past_runs": lambda: (replace(training.OF_PAST_RUNS["contended_runs"], rows=list), past_runs()),
}


# --- Award ---------------------------------------------------------------------------------------

AWARD: Final[Cases] = {
    "rows": lambda: (award.ROWS, results.award()),
    "vendors": lambda: (award.VENDORS, results.award()),
    "quotes": lambda: (award.QUOTES, results.award()),
    "left_out": lambda: (award.LEFT_OUT, results.award()),
    "quote_entries": lambda: (award.QUOTE_ENTRIES, results.award()),
    "words": lambda: [award.headline(results.award()), *award.notes(results.award())],
    "margins": lambda: [
        award.OFFER_WORTHS.column("worth_rate").tip(
            OfferWorth(
                offer=results.SOLD[0], rate=2.5, worth_rate=3.0, why_not_worth=None, margin_share=share
            )
        )
        for share in (0.2, -0.1, None)
    ],
}


# --- Waits ---------------------------------------------------------------------------------------


def words_of_shorter_log() -> Words:
    """Return how far waits can be trusted where the log's own are shorter than those that are replayed."""
    waits = worlds.waiting()
    shorter = tuple(replace(row, waits=replace(row.waits, p90_h=0.5)) for row in waits.measured)
    return sentences.trust_words(replace(waits, measured=shorter))


def knee_by_log() -> Words:
    """Return the remark about a size: at the knee or not, near the wait of today or far from it."""
    size = worlds.waiting().frontier[0]
    near, far = AsToday(8, False, 1.0), AsToday(8, False, 1.95)
    return [
        plain(sentences.by_log(replace(size, marks=marks, likely=likely, today=today)))
        for likely in (Range(2.0, 3.0), None)
        for marks, today in ((("knee",), near), (("knee",), far), ((), near))
    ]


WAITING: Final[Cases] = {
    "measured": lambda: (waiting.POOL_WAITS, worlds.waiting().measured),
    "by_model": lambda: (waiting.POOL_WAITS, worlds.waiting().by_model),
    "sizes": lambda: (waiting.SIZES, worlds.waiting().frontier),
    "of_log": lambda: (waiting.LOG_WAITS, log_waits(worlds.queueing())),
    "lines": lambda: sentences.wait_lines(worlds.waiting()),
    "lines_today": lambda: sentences.wait_lines(worlds.waiting(is_planned=False)),
    "words": lambda: sentences.trust_words(worlds.waiting()),
    "words_today": lambda: sentences.trust_words(worlds.waiting(is_planned=False)),
    "words_longer": words_of_shorter_log,
    "target": lambda: [sentences.target_words(worlds.waiting().target, worlds.waiting().frontier)],
    "knee_by_log": knee_by_log,
}


# --- Changes: between two windows, and between a plan and what came ------------------------------


def track() -> Any:
    """Return 8 GPUs planned on 4 of a contract at $2 and 4 on demand at $4; 10 came, at $4.50 on demand."""
    hours = 730
    held = [contract("K", 4, 2.0, 20, hours)]
    plan = planned([Load(pool=Pool.TRAINING, gpus=[8.0] * hours)], held, [offer("od", 0, 4.0)])
    return tracked(plan, [Load(pool=Pool.TRAINING, gpus=[10.0] * hours)], held, [offer("od", 0, 4.5)])


def left_at_midnight() -> Reported:
    """Return a contract that runs out at midnight."""
    return replace(changes.BURN_DOWNS, rows=list), [replace(track().contracts[0], runs_out_s=1_798_761_600)]


CHANGES: Final[Cases] = {
    "clusters": lambda: (changes.CHANGES, worlds.evidence_of_costs().variance),
    "workloads": lambda: (changes.WORKLOAD_PARTS, worlds.evidence_of_costs().variance.clusters),
    "contracts": lambda: (changes.CONTRACT_PARTS, worlds.evidence_of_costs().variance.clusters),
    "track_steps": lambda: (changes.STEPS, track()),
    "track_moved": lambda: (changes.MOVED, track()),
    "track_rows": lambda: (changes.ROW_ENTRIES, track()),
    "track_left": lambda: (changes.BURN_DOWNS, track()),
    "track_left_at_midnight": left_at_midnight,
    "track_workloads": lambda: (changes.BY_WORKLOAD, track()),
    "track_words": lambda: [changes.headline(track()), changes.beside(track())],
}


# --- Files ---------------------------------------------------------------------------------------


def text_of(cases: Cases, name: str) -> str:
    """Return the rows of a table in each medium, or the sentences, a line each."""
    result = cases[name]()
    if isinstance(result, tuple) and len(result) == 2 and isinstance(result[0], Report):
        return media_text(*result, MEDIA)
    words: Words = result
    return "\n".join(plain(sentence) or "-" for sentence in words)


PLANS: Final = {
    "plan": worlds.plan,
    "limited": worlds.limited,
    "unpriced": worlds.unpriced,
    "asked": worlds.asked,
}
OF_PROJECTS: Final = {
    "past": tables_of_past(),
    **{name: tables_of_plan(plan) for name, plan in PLANS.items()},
}
"""Each golden file has the tables in which its project differs from the others."""
OF_RESULTS: Final = {
    "planned": PLANNED,
    "costs": COSTS,
    "serving": SERVING,
    "training": TRAINING,
    "award": AWARD,
    "waiting": WAITING,
    "changes": CHANGES,
}
TABLES: Final = {
    "columns.txt": Table(text_of=columns_text, cases=tuple(REPORTS)),
    **{f"{name}.txt": Table(text_of=partial(text_of, cases)) for name, cases in OF_PROJECTS.items()},
    **{
        f"{name}.txt": Table(text_of=partial(text_of, cases), cases=tuple(cases))
        for name, cases in OF_RESULTS.items()
    },
}
