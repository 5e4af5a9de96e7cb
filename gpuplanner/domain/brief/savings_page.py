"""Page 3 of a brief: the plan against doing nothing by calendar month, its cash by quarter, and its risks."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gpuplanner.domain.brief import pages
from gpuplanner.domain.brief.decision_words import unknown_words
from gpuplanner.domain.brief.plan_pages import horizons_table, saved_in_year
from gpuplanner.domain.brief.sensitivity_pages import Sensitivity, band_words
from gpuplanner.domain.commitment.calendar_costs import CalendarCost, calendar_costs
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.commitment.payments import cash_rows
from gpuplanner.domain.commitment.plan import comparison
from gpuplanner.domain.commitment.result import Advice, Totals
from gpuplanner.domain.commitment.uncertainty.flips import flip_sentence
from gpuplanner.domain.commitment.words.price_paths import paths_sentences
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.figures.typed import amount, month_of_year, plan_month, whole, worded_whole
from gpuplanner.domain.message import Message, Part, Text, joined, lowered, worded
from gpuplanner.domain.model.amounts import PartSum, known_sum, largest_remainder, sum_text
from gpuplanner.domain.model.window import DAY_S

_MONTHS: Final = (
    pages.Column(worded("Month"), is_number=False, share=1.4),
    pages.Column(worded("Do nothing, $")),
    pages.Column(worded("Plan, $")),
    pages.Column(worded("Saves, $")),
    pages.Column(worded("Saves so far, $")),
)
_QUARTERS: Final = (
    pages.Column(worded("Quarter"), is_number=False),
    pages.Column(worded("Monthly bills, $")),
    pages.Column(worded("Upfront, $")),
    pages.Column(worded("Cash, $")),
)
QUARTER_HEADINGS: Final = tuple(column.heading for column in _QUARTERS)
TWELVE_MONTHS: Final = worded("12 months")
DO_NOTHING_IS: Final = worded("Do nothing: no new orders; contracts end on their dates or renew as stated.")
COSTS_AS_MUCH: Final = worded("The plan costs {plan} in 12 months, as much as doing nothing")
COSTS_MORE: Final = worded("The plan costs {plan} in 12 months: {saved} more than doing nothing")
COSTS_LESS: Final = worded("The plan costs {plan} in 12 months: {saved} less than doing nothing")
SAVINGS_UNKNOWN: Final = worded("The plan costs {plan} in 12 months; {saved} are unknown")
CASH_ABOVE: Final = worded(
    "Cash exceeds cost by {usd}: upfront payments are spread over their terms in the cost."
)
CASH_BELOW: Final = worded("Cost exceeds cash by {usd}: it contains parts of earlier payments.")
BY_MONTH: Final = worded("By month, $")
WHOLE_MONTHS: Final = worded("By month, $; cut months are left out")


def savings_page(
    evaluation: Evaluation,
    advice: Advice,
    outlook: Outlook | None,
    totals: Totals,
    sensitivity: Sensitivity | None,
) -> pages.Page:
    """What the plan saves by calendar month, what it pays by quarter of the fiscal year, and its risks."""
    horizon = evaluation.project.assumptions_in(evaluation.figures.basis.plan).horizon_months
    risks = list_risks(evaluation, totals, outlook, sensitivity, horizon)
    wrong = pages.TextBlock(worded("Risks and their cost"), risks)
    is_compared = comparison.compares_with_nothing(advice)
    months = list_months(advice)
    year = sum_year(advice)
    by_month: tuple[pages.Block, ...] = (horizons_table(evaluation),)
    if any(month.plan_usd is not None for month in months):
        table = month_table(months, year, is_compared=is_compared)
        by_month = table, month_chart(months, is_compared=is_compared)
    elif months and (year.nothing.is_at_least or year.plan.is_at_least):
        by_month = (month_table(months, year, is_compared=is_compared),)
    return pages.Page(
        key="savings",
        kicker=worded("Savings"),
        title=savings_title(advice),
        rows=(by_month, (*cash_tables(evaluation, advice), wrong)),
        is_whole=True,
    )


def savings_title(advice: Advice) -> Message:
    """Return what twelve months of the plan cost, and how much less than doing nothing; what is unknown says so."""
    plan_usd = known_sum(month.plan_usd for month in advice.comparison)
    saved_usd = saved_in_year(advice)
    if plan_usd is None:
        unknown = unknown_words(advice) or worded("Plan cost unknown: a rate is missing")
        if not saved_usd or saved_usd < 0:
            return unknown
        return worded(
            "The plan saves {saved} in 12 months; {unknown}",
            saved=amount(saved_usd),
            unknown=lowered(unknown),
        )
    if saved_usd is None:
        title = PLAN["savings_vs_do_nothing"].title
        return Message(SAVINGS_UNKNOWN.template, {"plan": amount(plan_usd), "saved": title})
    given: dict[str, Part] = {"plan": amount(plan_usd), "saved": amount(abs(saved_usd))}
    if not round(saved_usd):
        return Message(COSTS_AS_MUCH.template, given)
    return Message((COSTS_MORE if round(saved_usd) < 0 else COSTS_LESS).template, given)


class MonthCost(NamedTuple):
    """What a month costs, $; None is unknown. is_cut: the plan has only a part of it."""

    name: Text
    do_nothing_usd: float | None
    plan_usd: float | None
    is_cut: bool = False


def list_months(advice: Advice) -> list[MonthCost]:
    """Return the months of the calendar, or of a plan without dates its own."""
    months = calendar_costs(advice)
    if not months:
        return [
            MonthCost(plan_month(row.month), row.do_nothing_usd, row.plan_usd) for row in advice.comparison
        ]
    return [MonthCost(month_name(row), row.do_nothing_usd, row.plan_usd, row.is_cut) for row in months]


class YearSums(NamedTuple):
    """What twelve months cost, with what is known of it where a rate is missing, and what they save, $."""

    nothing: PartSum
    plan: PartSum
    saved_usd: float | None


def sum_year(advice: Advice) -> YearSums:
    """Return the sums below the months, of every medium: a lower bound where a rate is missing, never 0."""
    months, year = advice.comparison, comparison.Horizon.TWELVE_MONTHS
    return YearSums(
        nothing=comparison.sum_in(year, [month.nothing_side[0] for month in months]),
        plan=comparison.sum_in(year, [month.plan_sum for month in months]),
        saved_usd=saved_in_year(advice),
    )


def month_table(months: Sequence[MonthCost], year: YearSums, *, is_compared: bool) -> pages.TableBlock:
    """Return the months with their sums in whole dollars that add up.

    is_compared: doing nothing serves the same work; otherwise only the plan is shown.
    """
    nothing = largest_remainder([month.do_nothing_usd if is_compared else None for month in months])
    plan = largest_remainder([month.plan_usd for month in months])
    saved = [None if a is None or b is None else a - b for a, b in zip(nothing, plan, strict=True)]
    so_far = [known_sum(saved[: place + 1]) for place in range(len(saved))]
    names = [month.name for month in months]
    nothing_usd, plan_usd, saved_usd = (known_sum(column) for column in (nothing, plan, saved))
    sums = (
        whole(nothing_usd) if nothing_usd is not None or not is_compared else sum_text(year.nothing, whole),
        whole(plan_usd) if plan_usd is not None else sum_text(year.plan, whole),
        whole(year.saved_usd if saved_usd is None and is_compared else saved_usd),
    )
    return pages.TableBlock(
        title=worded("By month"),
        columns=_MONTHS,
        rows=tuple(
            (name, *map(whole, amounts))
            for name, *amounts in zip(names, nothing, plan, saved, so_far, strict=True)
        ),
        total=(TWELVE_MONTHS, *sums, ""),
        note=DO_NOTHING_IS,
    )


def month_name(month: CalendarCost) -> Message:
    """Return a calendar month, with its days in the plan where these are not all: Nov 2026 (1 day)."""
    name = joined((month_of_year(month.start_s),))
    if not month.is_cut:
        return name
    days = max(1, round((month.end_s - month.start_s) / DAY_S))
    return worded("{month} ({days})", month=name, days=pages.counted(days, "day"))


def month_chart(months: Sequence[MonthCost], *, is_compared: bool) -> pages.MonthsChart:
    """Return whole months as lines; a part of a month would look like a cheap one."""
    full = [month for month in months if not month.is_cut]
    plan = pages.Line(worded("Plan"), tuple(month.plan_usd for month in full), is_main=True)
    nothing = pages.Line(PLAN["do_nothing"].title, tuple(month.do_nothing_usd for month in full))
    return pages.MonthsChart(
        title=WHOLE_MONTHS if len(full) < len(months) else BY_MONTH,
        months=tuple(month.name for month in full),
        lines=(nothing, plan) if is_compared else (plan,),
    )


def cash_tables(evaluation: Evaluation, advice: Advice) -> tuple[pages.TableBlock, ...]:
    """Return the cash of the plan by quarter of the fiscal year, with its difference to the cost; none if unknown."""
    rows = cash_rows(evaluation.project, evaluation.plan, advice)
    columns = {key: [row.figures[key] for row in rows] for key in ("by_hour", "at_once")}
    by_hour, at_once = (largest_remainder(columns[key]) for key in ("by_hour", "at_once"))
    cash = [known_sum(pair) for pair in zip(by_hour, at_once, strict=True)]
    sums = [known_sum(column) for column in (by_hour, at_once, cash)]
    plan_usd = known_sum(month.plan_usd for month in advice.comparison)
    if all(usd is None for usd in cash):
        return ()
    table = pages.TableBlock(
        title=worded("Cash of the plan by quarter of the fiscal year"),
        columns=_QUARTERS,
        rows=tuple(
            (row.name, *map(whole, amounts))
            for row, *amounts in zip(rows, by_hour, at_once, cash, strict=True)
        ),
        total=("", *map(whole, sums)),
        note=cash_words(sums[-1], plan_usd),
    )
    return (table,)


def cash_words(cash_usd: float | None, plan_usd: float | None) -> Text:
    """Return how cash differs from cost, $; empty where it does not or one is unknown."""
    if cash_usd is None or plan_usd is None or not round(cash_usd - plan_usd):
        return ""
    words = CASH_ABOVE if cash_usd > plan_usd else CASH_BELOW
    return Message(words.template, {"usd": amount(abs(cash_usd - plan_usd))})


# ---------------------------------------------------------------- risks


def list_risks(
    evaluation: Evaluation,
    totals: Totals,
    outlook: Outlook | None,
    sensitivity: Sensitivity | None,
    horizon_months: int,
) -> tuple[Text, ...]:
    """The range of twelve months, the worst that prices may do, and what would change the advice first."""
    band = None if outlook is None else outlook.uncertainty
    sentences: list[Text] = []
    if band is not None and band.year_p10_usd is not None:
        sentences.append(joined((band_words(band, evaluation), "."), ""))
    if outlook is not None and outlook.price_paths and totals.plan is not None:
        sentences.append(paths_sentences(outlook.price_paths, horizon_months)[0])
    if sensitivity is not None:
        sentences += [joined((flip_sentence(point), ".")) for point in sensitivity.flips[:1]]
    if outlook is not None:
        sentences += list_longer_waits(outlook.open_decisions)
    return tuple(sentences)


MOST_WAITS: Final = 2
"""Decisions after which jobs wait longer that page 1 names."""


def list_longer_waits(decisions: Sequence[NextDecision]) -> list[Text]:
    """Return a sentence for each decision that lengthens waits most, and how many more decisions lengthen them."""
    longer = [
        (row.waits.main.increase, row)
        for row in decisions
        if row.waits is not None and row.waits.is_much_longer
    ]
    longer.sort(key=lambda entry: entry[0], reverse=True)
    sentences: list[Text] = [joined((row.wait_words, ".")) for _, row in longer[:MOST_WAITS]]
    if (more := len(longer) - MOST_WAITS) > 0:
        sentences.append(
            worded_whole(
                more,
                "{count} more decision lengthens waits by over an hour.",
                "{count} more decisions lengthen waits by over an hour.",
            )
        )
    return sentences
