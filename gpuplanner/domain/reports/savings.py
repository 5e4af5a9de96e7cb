"""What a plan comes to: horizons, where savings come from, what limits cost, one provider alone."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Final

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.utilization import Contention
from gpuplanner.domain.commitment.outlook_result import LimitCost, Outlook, SavingsStep
from gpuplanner.domain.commitment.outlook_words import (
    OTHER_STEPS,
    SAVING_STEPS,
    STEP_MEANINGS,
    STEP_NAMES,
    saved_dollars,
)
from gpuplanner.domain.commitment.plan.comparison import SavingsBuy, horizons_of, savings_buy
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.sentences import HORIZON_NAMES
from gpuplanner.domain.commitment.uncertainty.limit_costs import ProviderPlan, is_binding, providers_alone
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures import plan
from gpuplanner.domain.figures.typed import amount, whole, worded_whole
from gpuplanner.domain.figures.typed import gpus as gpus_words
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.plan_inputs import DEMAND_CUTS, has_cost
from gpuplanner.domain.reports import report
from gpuplanner.lazy_dataclass import dataclass, replace

# --- What a plan comes to next month, in month 12 and in twelve months, and what a question asked of it changes

HORIZONS_READ: Final = report.TERMINAL | report.BRIEF
_NAME: Final = (
    report.named("horizon", "horizon.value"),
    report.text("name", worded("Horizon"), lambda row: HORIZON_NAMES[row.horizon], media=HORIZONS_READ),
)
_ALONE: Final = (
    report.Column(plan.AHEAD["do_nothing"]),
    report.Column(plan.AHEAD["plan"]),
    report.Column(plan.AHEAD["saved"]),
)
_ASKED: Final = (
    report.Column(plan.AHEAD["before"]),
    report.Column(plan.AHEAD["plan"]),
    report.Column(plan.AHEAD["changed"], form="change"),
    report.Column(plan.AHEAD["do_nothing"]),
    report.Column(plan.AHEAD["saved"]),
)


def _report(title: Text, columns: tuple[report.Column, ...]) -> report.Report:
    return report.Report(
        title,
        lambda of: () if of.advice is None else horizons_of(of.advice, of.before),
        lambda row: str(row.horizon.value),
        note=worded("Next month is the first of the twelve, which add up each month as it comes."),
        media=HORIZONS_READ | report.DOCUMENT_ALONE,
    ).with_columns(*_NAME, *columns)


HORIZONS: Final = _report(worded("What the plan comes to"), _ALONE)
"""Of a plan that asks nothing."""
QUESTION: Final = _report(worded("What the question changes"), _ASKED)
"""Of a plan beside the plan before the question; documents have it of every plan."""


# --- Where savings come from, step by step; and what separate pools cost beside what they avoid

BAR_SIGNS: Final = 32
"""Width of the longest bar of a terminal."""
FULL, THIN = "\u2588", "\u258f"
STEP: Final = report.fields(
    "step",
    "usd_per_month",
    *report.of_subject(plan.SAVINGS_STEP, "cost_before", "cost_after"),
    report.named("unknown", lambda step: str(step.unknown) or None),
)
"""One step in a document."""
OFFERED_STEP: Final = (*STEP, *report.fields("unmeasured"))
"""One that is not accepted: how many services it leaves alone, too."""
BUY: Final = report.fields(
    *report.of_subject(plan.SAVINGS_BUY, "marginal_rate", "bought_gpu_hours_per_month", "bought_gpus"),
    report.named("unknown", lambda buy: str(buy.unknown) or None),
)
"""What the savings would buy, in a document."""
AVOIDED: Final = report.fields(
    "contended_hours",
    "interference_hours",
    report.named("premium_usd_per_month", "premium.usd_per_month"),
    report.named("rate_premium_usd_per_month", "premium.rate_usd_per_month"),
    report.named("idle_premium_usd_per_month", "premium.idle_usd_per_month"),
)
"""Of an audit: what separate pools avoid, in a document."""
NOT_APPLICABLE: Final = report.Unknown("", worded("n/a"))
NOT_WORKED_OUT: Final = worded("Still being worked out.")


@dataclass(frozen=True, slots=True)
class StoryRow:
    """One bar: a step, or what some of them add up to.

    key: one of STEPS, or the figure that it is; saved_per_month: whole dollars that add up, exact: what they are
    rounded from (None: unknown); is_total: a bar that stands on zero; bar: as a terminal draws it.
    """

    key: str
    called: Text
    note: Text
    saved_per_month: int | None
    exact: float | None
    what: Text
    is_total: bool = False
    bar: str = ""


@dataclass(frozen=True, slots=True)
class SeparationRow:
    """What separate pools cost or avoid. $ a month, or hours of the window; None: unknown, or of the other kind.

    year_usd: $ of twelve months, of what they cost.
    """

    key: str
    called: Text
    separation_per_month: float | None
    hours: int | None
    source: Text
    is_of_hours: bool
    unknown: Text = ""
    year_usd: float | None = None


@dataclass(frozen=True, slots=True)
class SavingsStory:
    """Where the savings of a plan come from. total: the row under `steps`; offered: what is in no total of them."""

    steps: tuple[StoryRow, ...]
    total: StoryRow
    separation: tuple[SeparationRow, ...]
    buy: SavingsBuy
    offered: tuple[StoryRow, ...] = ()


def savings_story(advice: Advice, outlook: Outlook | None, audit: Audit, has_today: bool) -> SavingsStory:
    """The steps to the savings against doing nothing, those to today less the plan, and separation on both sides.

    outlook: None while it is worked out. has_today: there are contracts; without them what is spent today is all on
    demand. Law: the whole dollars of steps add up to those of the row under them.
    """
    *steps, total = _with_bars(_steps(advice, outlook, has_today))
    offered = (_step(one.step, None, one) for one in (outlook.savings_offered if outlook else ()))
    separation = separation_rows(outlook, audit)
    return SavingsStory(tuple(steps), total, separation, savings_buy(advice), tuple(offered))


def _steps(advice: Advice, outlook: Outlook | None, has_today: bool) -> list[StoryRow]:
    found = {one.step: one for one in outlook.savings_steps} if outlook else {}
    nothing, today = advice.totals.savings_vs_do_nothing, advice.totals.savings
    cuts = [name for name in DEMAND_CUTS if name in found]
    names = (*SAVING_STEPS, *(name for name in cuts if found[name].saved_per_month is not None))
    own = dict(zip(names, saved_dollars(tuple(found.values()), names, nothing), strict=True))
    others = saved_dollars(tuple(found.values()), OTHER_STEPS, today, nothing)
    return [
        *(_step(name, own.get(name), found.get(name)) for name in (*SAVING_STEPS, *cuts)),
        _total(
            "savings_vs_do_nothing",
            plan.PLAN["savings_vs_do_nothing"].title,
            nothing,
            worded("Those above.") if cuts else worded("The three above."),
        ),
        *(_step(name, usd, found.get(name)) for name, usd in zip(OTHER_STEPS, others, strict=True)),
        _total("savings", before_words(has_today), today, worded("Savings and the two above.")),
    ]


def before_words(has_today: bool) -> Text:
    """What today less the plan is called; without contracts nobody knows what is paid today."""
    return worded("Today less the plan") if has_today else worded("All on demand less the plan")


def _step(name: str, usd: int | None, step: SavingsStep | None) -> StoryRow:
    """One step; where it is unknown its meaning says why."""
    note = worded("no saving") if name in OTHER_STEPS else ""
    if step is None:
        return StoryRow(name, STEP_NAMES[name], note, None, None, NOT_WORKED_OUT)
    exact = step.saved_per_month
    what = joined(("\u2014: ", step.unknown)) if exact is None else _meaning(step)
    whole_usd = usd if usd is not None or exact is None else round(exact)
    return StoryRow(name, STEP_NAMES[name], note, whole_usd, exact, what)


def _meaning(step: SavingsStep) -> Text:
    """What a step is, and what a cut of demand leaves alone."""
    if not step.unmeasured:
        return STEP_MEANINGS[step.step]
    left = worded_whole(
        step.unmeasured,
        "Without {count} service whose activity nobody measured.",
        "Without {count} services whose activity nobody measured.",
    )
    return joined((STEP_MEANINGS[step.step], left), " ")


def _total(key: str, called: Text, usd: float | None, what: Text) -> StoryRow:
    return StoryRow(key, called, "", None if usd is None else round(usd), usd, what, is_total=True)


def _with_bars(rows: Sequence[StoryRow]) -> list[StoryRow]:
    """With the bars of a terminal: a step begins where the row before it ends; none beside what is unknown."""
    level: int | None = 0
    spans: list[tuple[int, int] | None] = []
    for row in rows:
        start = 0 if row.is_total else level
        level = None if start is None or row.saved_per_month is None else start + row.saved_per_month
        spans.append(None if start is None or level is None else (min(start, level), max(start, level)))
    known = [span for span in spans if span is not None]
    low, high = min((0, *(span[0] for span in known))), max((0, *(span[1] for span in known)))
    scale = BAR_SIGNS / ((high - low) or 1)
    return [
        row if span is None else replace(row, bar=_bar(span[0] - low, span[1] - low, scale))
        for row, span in zip(rows, spans, strict=True)
    ]


def _bar(begin: int, end: int, scale: float) -> str:
    """Full blocks between two places; what is too small for one is a thin line, nothing is nothing."""
    first = min(int(begin * scale), BAR_SIGNS - 1)
    many = round(end * scale) - first
    return " " * first + (FULL * many if many > 0 else THIN if end > begin else "")


def separation_rows(outlook: Outlook | None, audit: Audit) -> tuple[SeparationRow, ...]:
    """What separate pools cost in the plan, and what of the log they avoid that no $ of the plan holds."""
    found = audit.contention.values()
    clusters: Sequence[Contention] = tuple(found)
    met = sum(len(one.shared_training) for one in clusters)
    why_no_hours = "" if clusters else worded("No contract says how many GPUs a cluster has.")
    cost = outlook.separation.cost_usd() if outlook else None
    return (
        SeparationRow(
            "cost",
            worded("Costs: unshared peaks"),
            cost,
            None,
            worded("The plan less the same work in one pool for each GPU model: separate pools idle apart."),
            is_of_hours=False,
            unknown=NOT_WORKED_OUT if outlook is None else worded("A rate of the plan is missing."),
            year_usd=outlook.separation.cost_usd(COMPARED_MONTHS) if outlook else None,
        ),
        SeparationRow(
            "contention",
            worded("Avoids: contention"),
            None,
            audit.contended_hours if clusters else None,
            worded(
                "Hours in which more GPUs ran on a cluster than its contracts have; who waited did not run."
            ),
            is_of_hours=True,
            unknown=why_no_hours,
        ),
        SeparationRow(
            "interference",
            worded("Avoids: interference"),
            None,
            audit.interference_hours if clusters else None,
            worded(
                "Of these, hours in which training and inference ran side by side; {met} training workloads met it.",
                met=whole(met),
            ),
            is_of_hours=True,
            unknown=why_no_hours,
        ),
        *(
            SeparationRow(
                line,
                called,
                usd,
                None,
                source,
                is_of_hours=False,
                unknown=worded("An offer that fits, or a rate, is missing for some inference."),
            )
            for line, called, usd, source in (
                (
                    "premium",
                    worded("Avoids: consolidation premium"),
                    audit.premium.usd_per_month,
                    worded("What inference pays above the cheapest offers that fit it, at equal terms."),
                ),
                (
                    "rate_premium",
                    worded("Of it rate premium"),
                    audit.premium.rate_usd_per_month,
                    worded("Its GPU-hours at what they paid above those offers."),
                ),
                (
                    "idle_premium",
                    worded("Of it idle premium"),
                    audit.premium.idle_usd_per_month,
                    worded("What stands idle beside them, paid and at those offers."),
                ),
            )
        ),
    )


def _called(row: SeparationRow) -> Text:
    """A line with its $ of twelve months where it has some: those of the first month alone can be 0."""
    if row.year_usd is None:
        return row.called
    return worded("{called}, {usd} in twelve months", called=row.called, usd=amount(row.year_usd))


def _source(row: SeparationRow) -> Text:
    """Where a line comes from; of one that is unknown why it is."""
    is_unknown = row.hours is None if row.is_of_hours else row.separation_per_month is None
    return joined(("\u2014: ", row.unknown)) if is_unknown else row.source


def _hours(row: SeparationRow) -> report.Unknown:
    return report.Unknown(row.unknown) if row.is_of_hours else NOT_APPLICABLE


def _money(row: SeparationRow) -> report.Unknown:
    return NOT_APPLICABLE if row.is_of_hours else report.Unknown(row.unknown)


def separation_sentences(story: SavingsStory) -> tuple[Text, ...]:
    """Where each line comes from, a sentence each, and that what is avoided is in no $ of the plan."""
    return (
        *(worded("{called}. {source}", called=row.called, source=_source(row)) for row in story.separation),
        SEPARATION_LINES.note,
    )


def _sources(media: report.Media) -> report.Column:
    """Where each line comes from; a terminal has its texts on the left."""
    return report.text("source", worded("Where from"), _source, media=media)


SAVINGS: Final = report.Report(
    title=worded("Where savings come from"),
    rows=attrgetter("steps"),
    key=attrgetter("key"),
    total=attrgetter("total"),
    media=report.TERMINAL | report.BRIEF,
    # whole dollars already, which add up from one bar on zero to the next
).with_columns(
    report.text("called", worded("Step")),
    report.text("bar", "", media=report.TERMINAL),
    report.Column(plan.SAVINGS_STEP["saved_per_month"]),
    report.text("what", worded("What it is"), media=report.BRIEF),
)
OFFERED: Final = report.Report(
    worded("Savings that are not in the plan"),
    attrgetter("offered"),
    note=worded("One after the other, and in no total until they are accepted."),
    media=report.TERMINAL | report.SHEET,
).with_columns(
    report.text("called", worded("Step")),
    report.Column(
        plan.SAVINGS_STEP["saved_per_month"],
        value=attrgetter("exact"),
        unknown=lambda row: report.Unknown(row.what),
    ),
    report.text("what", worded("What it is")),
)
SEPARATION_LINES: Final = report.Report(
    worded("What separate pools cost, and avoid"),
    lambda story: story.separation,
    note=worded("What is avoided is of the log, and in no $ of the plan: it is not added to the cost."),
    media=report.WINDOW | report.TERMINAL | report.BRIEF,
).with_columns(
    report.text("called", worded("Separate pools"), _called, tip=_source),
    _sources(report.TERMINAL),
    report.Column(plan.SEPARATION["separation_per_month"], unknown=_money),
    report.Column(plan.SEPARATION["hours"], unknown=_hours),
    _sources(report.BRIEF),
)


# --- What the limits of the planner cost: each beside the plan without it, and what it keeps the plan from

READ: Final = report.WINDOW | report.TERMINAL
DOES_NOT_BIND: Final = worded("does not bind: the plan is the same without it")
CHECKED_ALONE: Final = worded(
    "checked, not kept: no plan is made to keep it, and Checks says where it is passed"
)


def binds_words(row: LimitCost) -> Text:
    """What a limit keeps the plan from, or that it keeps it from nothing; empty where its $ say all."""
    if not has_cost(row.limit):
        return CHECKED_ALONE
    is_known = row.limit_cost is not None and row.limit_cost_in_year is not None
    return row.why if is_binding(row) or not is_known else DOES_NOT_BIND


LIMITS: Final = report.Report(
    worded("Limits"),
    attrgetter("limits"),
    lambda row: str(row.limit.words),
    media=READ | report.DOCUMENT_ALONE,
).with_columns(
    *report.of_part("limit", "limit", "value"),
    report.named("provider", lambda row: row.limit.who.provider or None),
    report.named("region", lambda row: row.limit.who.region or None),
    report.named("country", lambda row: row.limit.who.country or None),
    report.named("not_provider", lambda row: row.limit.who.not_provider or None),
    report.named("keys", lambda row: list(row.limit.keys)),
    report.text("name", worded("Limit"), lambda row: row.limit.words, media=READ),
    report.Column(plan.LIMIT["limit_cost"], media=READ | report.DOCUMENT_ALONE, form="change"),
    report.Column(plan.LIMIT["limit_cost_in_year"], media=READ | report.DOCUMENT_ALONE, form="change"),
    report.named("unserved_gpu_hours"),
    report.named("binds", is_binding),
    report.text("why", worded("What it does"), binds_words, media=READ | report.DOCUMENT_ALONE, form="aside"),
)
"""One row a limit that is set. Source: docs/formulas.md, Limits."""


# --- Who could serve all with one provider, and at what $ ----------------------------------------


def alone(of: Evaluation, is_cancelled: Callable[[], bool] = lambda: False) -> tuple[ProviderPlan, ...]:
    """A plan with each provider alone; nothing without advice, or where it is cancelled."""
    planned, pools = of.in_parts, of.figures.workload_pools
    if of.advice is None:
        return ()
    plan = of.figures.basis.plan
    return providers_alone(planned.project, plan, pools, planned.audit, of.advice, is_cancelled)


def _lacks(row: ProviderPlan) -> Text:
    """What it cannot serve, GPUs and $ a month as planned; that it lacks nothing."""
    words = [
        worded(
            "{gpus} {model} not sold ({usd})",
            gpus=gpus_words(one.gpus),
            model=one.gpu_model or worded("unknown model"),
            usd=amount(one.usd_per_month),
        )
        for one in row.not_served
    ]
    return joined(words, ", ") if words else row.lacks or worded("serves all")


def _unknown(row: ProviderPlan) -> report.Unknown:
    return report.Unknown(worded("A rate is missing."))


NOT_SERVED: Final = report.fields("gpu_model", "gpus", "usd_per_month")


PROVIDERS_ALONE: Final = report.Report(
    worded("One provider alone"),
    key=attrgetter("provider"),
    note=worded(
        "Twelve months: existing contracts run to their end, what is bought is of this provider alone, and what it "
        "does not sell is there as planned, $ per month in brackets. Who serves all is judged from scratch, without "
        "any contract. Limits and rules of the plan hold, but for that on a provider's share. A GPU model may be "
        "served by another one where Models says so."
    ),
    media=report.EVERYWHERE - report.BRIEF,
).with_columns(
    report.text("provider", worded("Provider"), form="name", tip=_lacks),
    report.text("lacks", worded("Lacks"), _lacks, media=report.TERMINAL),
    report.named("serves_all"),
    report.named("lacks", lambda row: str(row.lacks) or None),
    report.each("not_served", NOT_SERVED, attrgetter("not_served")),
    report.Column(plan.ONE_PROVIDER["served"], key="served_usd_per_month", unknown=_unknown),
    report.Column(
        plan.ONE_PROVIDER["from_scratch"],
        key="from_scratch_usd_per_month",
        media=report.EVERYWHERE - report.WINDOW,
        unknown=_unknown,
    ),
    report.Column(plan.ONE_PROVIDER["alone_year"], key="year_usd", unknown=_unknown),
    report.Column(plan.ONE_PROVIDER["beside_plan"], key="beside_plan_usd", form="change", unknown=_unknown),
    report.text("lacks", worded("Lacks"), _lacks, media=report.WINDOW | report.SHEET, form="aside"),
)


# --- How far one provider's rate is below another's, model by model, and whether both are bought alike

PRICE_PAIRS: Final = report.Report(
    worded("Rates of one provider below another's"),
    key=lambda row: f"{row.gpu_model}/{row.provider}/{row.against}/{row.like_for_like}",
    media=report.SHEET | report.DOCUMENT_ALONE,
).with_columns(
    report.text("gpu_model", worded("GPU model")),
    report.text("provider", worded("Provider")),
    report.text("against", worded("Against")),
    report.text("usd_per_gpu_hour", worded("Its rate, $ per GPU-h")),
    report.text("against_usd_per_gpu_hour", worded("Against, $ per GPU-h")),
    report.text("percent_below", worded("Below, %")),
    report.text("like_for_like", worded("Like for like")),
)
"""Like for like is in one way; else the cheapest rate of one stands beside the on-demand rate of the other."""
