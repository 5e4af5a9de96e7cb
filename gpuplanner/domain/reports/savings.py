"""What a plan comes to: horizons, where savings come from, what limits cost, one provider alone."""

from collections.abc import Mapping
from operator import attrgetter
from typing import Any, Final

from gpuplanner.domain.commitment.plan.comparison import horizons_of
from gpuplanner.domain.commitment.savings import SavingsStory, SeparationRow
from gpuplanner.domain.commitment.uncertainty.limit_costs import ProviderPlan, binds_words, is_binding
from gpuplanner.domain.commitment.words.horizons import HORIZON_NAMES
from gpuplanner.domain.figures import plan
from gpuplanner.domain.figures.typed import amount
from gpuplanner.domain.figures.typed import gpus as gpus_words
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.reports import report

# --- What a plan comes to next month, in month 12 and in twelve months, and what a question asked of it changes

HORIZONS_READ: Final = report.TERMINAL | report.BRIEF
_NAME: Final = (
    report.named("horizon", "horizon.value"),
    report.text("name", worded("Horizon"), lambda row: HORIZON_NAMES[row.horizon], media=HORIZONS_READ),
)
_ALONE: Final = (
    report.Column(figure=plan.AHEAD["do_nothing"]),
    report.Column(figure=plan.AHEAD["plan"]),
    report.Column(figure=plan.AHEAD["saved"]),
)
_ASKED: Final = (
    report.Column(figure=plan.AHEAD["before"]),
    report.Column(figure=plan.AHEAD["plan"]),
    report.Column(figure=plan.AHEAD["changed"], form="change"),
    report.Column(figure=plan.AHEAD["do_nothing"]),
    report.Column(figure=plan.AHEAD["saved"]),
)


def _report(title: Text, columns: tuple[report.Column, ...]) -> report.Report:
    return report.Report(
        title=title,
        rows=lambda of: () if of.advice is None else horizons_of(of.advice, of.before),
        key=lambda row: str(row.horizon.value),
        note=worded('"Next month" is the first of the twelve; their total adds each month\'s cost.'),
        media=HORIZONS_READ | report.DOCUMENT_ALONE,
    ).with_columns(*_NAME, *columns)


HORIZONS: Final = _report(worded("Plan total"), _ALONE)
"""Of a plan that asks nothing."""
QUESTION: Final = _report(worded("Question's effect"), _ASKED)
"""Of a plan beside the plan before the question; documents have it of every plan."""


# --- Where savings come from, step by step; and what separate pools cost beside what they avoid

STEP: Final = report.fields(
    "step",
    "usd_per_month",
    *report.of_subject(plan.SAVINGS_STEP, "cost_before", "cost_after"),
    report.named("unknown", lambda step: str(step.unknown) or None),
)
"""One step in a document."""
OFFERED_STEP: Final = (
    *STEP,
    *report.fields(*report.of_subject(plan.SAVINGS_STEP, "saved_in_year"), "unmeasured"),
)
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


def _called(row: SeparationRow) -> Text:
    """A line with its $ of twelve months where it has some: those of the first month alone can be 0."""
    if row.year_usd is None:
        return row.called
    return worded("{name}, {usd} in 12 months", name=row.called, usd=amount(row.year_usd))


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
        *(worded("{name}. {source}", name=row.called, source=_source(row)) for row in story.separation),
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
    report.Column(figure=plan.SAVINGS_STEP["saved_per_month"]),
    report.text("meaning", worded("What it is"), media=report.BRIEF),
)
OFFERED: Final = report.Report(
    title=worded("Savings not in the plan"),
    rows=attrgetter("offered"),
    note=worded("Applied in this order, in no total until accepted."),
    media=report.TERMINAL | report.SHEET | report.BRIEF,
).with_columns(
    report.text("called", worded("Step")),
    report.Column(
        figure=plan.SAVINGS_STEP["saved_per_month"],
        value="exact",
        unknown=lambda row: report.Unknown(row.meaning),
    ),
    report.Column(figure=plan.SAVINGS_STEP["saved_in_year"], unknown=lambda row: report.Unknown(row.meaning)),
    report.text("meaning", worded("What it is")),
)
SEPARATION_LINES: Final = report.Report(
    title=worded("Cost and benefit of separate pools"),
    rows=lambda story: story.separation,
    note=worded("The benefit is from the log, not in plan cost."),
    media=report.WINDOW | report.TERMINAL | report.BRIEF,
).with_columns(
    report.text("called", worded("Separate pools"), _called, tip=_source),
    _sources(report.TERMINAL),
    report.Column(figure=plan.SEPARATION["separation_per_month"], unknown=_money),
    report.Column(figure=plan.SEPARATION["hours"], unknown=_hours),
    _sources(report.BRIEF),
)


# --- What the limits of the planner cost: each beside the plan without it, and what it keeps the plan from

READ: Final = report.WINDOW | report.TERMINAL


LIMITS: Final = report.Report(
    title=worded("Limits"),
    rows=attrgetter("limits"),
    key=lambda row: str(row.limit.words),
    media=READ | report.DOCUMENT_ALONE,
).with_columns(
    *report.of_part("limit", "limit", "value"),
    report.named("provider", lambda row: row.limit.who.provider or None),
    report.named("region", lambda row: row.limit.who.region or None),
    report.named("country", lambda row: row.limit.who.country or None),
    report.named("not_provider", lambda row: row.limit.who.not_provider or None),
    report.named("keys", lambda row: list(row.limit.keys)),
    report.text("name", worded("Limit"), "limit.words", media=READ),
    report.Column(figure=plan.LIMIT["limit_cost"], media=READ | report.DOCUMENT_ALONE, form="change"),
    report.Column(figure=plan.LIMIT["limit_cost_in_year"], media=READ | report.DOCUMENT_ALONE, form="change"),
    report.named("unserved_gpu_hours"),
    report.named("binds", is_binding),
    report.text("why", worded("What it does"), binds_words, media=READ | report.DOCUMENT_ALONE, form="aside"),
)
"""One row a limit that is set. Source: docs/formulas/savings.md, Limits."""


# --- Who could serve all with one provider, and at what $ ----------------------------------------


def _lacks(row: ProviderPlan) -> Text:
    """What it cannot serve, GPUs and $ a month as planned; that it lacks nothing."""
    words = [
        worded(
            "{gpus} {model} not sold ({usd})",
            gpus=gpus_words(part.gpus),
            model=part.gpu_model or worded("unknown model"),
            usd=amount(part.usd_per_month),
        )
        for part in row.not_served
    ]
    return joined(words, ", ") if words else row.lacks or worded("serves all")


def _unknown(row: ProviderPlan) -> report.Unknown:
    return report.Unknown(worded("A rate is missing."))


def _of_whole_plan(key: str) -> Mapping[str, Any]:
    """Return the fields of a column of the whole plan with one provider alone.

    Blank for a provider that serves a part of the plan: the rest would be the plan's dollars under its name.
    """

    def unknown(row: ProviderPlan) -> report.Unknown:
        return (
            _unknown(row) if row.serves_all else report.Unknown(worded("It serves only a part of the plan."))
        )

    return {
        "figure": plan.ONE_PROVIDER[key],
        "value": lambda row: getattr(row, key) if row.serves_all else None,
        "is_rare": True,
        "unknown": unknown,
    }


NOT_SERVED: Final = report.fields("gpu_model", "gpus", "usd_per_month")


PROVIDERS_ALONE: Final = report.Report(
    title=worded("One provider alone"),
    key=attrgetter("provider"),
    note=worded(
        "Same work today: the cost today of the GPU-hours it serves. Against the plan: 12 months, existing "
        "contracts to their end, then only this provider's offers; GPUs it does not sell cost the same in both "
        "($ per month in brackets). Its share ignores contracts. Other limits apply. Replaceable GPU models: Models."
    ),
    media=report.EVERYWHERE - report.BRIEF,
).with_columns(
    report.text("provider", worded("Provider"), form="name", tip=_lacks),
    report.text("lacks", worded("Lacks"), _lacks, media=report.TERMINAL),
    report.named("serves_all"),
    report.named("lacks", lambda row: str(row.lacks) or None),
    report.each("not_served", NOT_SERVED, "not_served"),
    report.Column(figure=plan.ONE_PROVIDER["serves"], media=READ | report.SHEET, unknown=_unknown),
    report.Column(figure=plan.ONE_PROVIDER["served"], key="served_usd_per_month", unknown=_unknown),
    report.Column(figure=plan.ONE_PROVIDER["same_work_now"], key="same_work_now_usd", unknown=_unknown),
    report.named("from_scratch_usd_per_month", "from_scratch"),
    report.Column(media=report.TERMINAL | report.SHEET, **_of_whole_plan("from_scratch")),
    report.named("year_usd", "alone_year"),
    report.Column(media=READ | report.SHEET, **_of_whole_plan("alone_year")),
    report.Column(
        figure=plan.ONE_PROVIDER["beside_plan"], key="beside_plan_usd", form="change", unknown=_unknown
    ),
    report.text("lacks", worded("Lacks"), _lacks, media=report.WINDOW | report.SHEET, form="aside"),
)
