"""The pages of what is advised: the question and its answer, the plan's layers, and where its savings come from."""

from collections.abc import Collection, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.utilization.contracts_apart import any_paid
from gpuplanner.domain.brief import pages
from gpuplanner.domain.brief.approval import Approval
from gpuplanner.domain.brief.timeline import build_timeline
from gpuplanner.domain.commitment.order_days import Seen
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.commitment.plan import comparison
from gpuplanner.domain.commitment.plan.happenings import Happening, happening
from gpuplanner.domain.commitment.plan.orders import most_bought, together_words
from gpuplanner.domain.commitment.plan.totals import cost_sum, is_priced
from gpuplanner.domain.commitment.result import Advice, Layer, Order, Totals
from gpuplanner.domain.commitment.savings import SavingsStory, StoryRow, savings_story
from gpuplanner.domain.commitment.words.plan_costs import all_on_demand
from gpuplanner.domain.commitment.words.savings import bought_words
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.figures.typed import (
    amount,
    change,
    day,
    decimals,
    percent,
    plan_month,
    short_day,
    whole,
)
from gpuplanner.domain.figures.window import WINDOW
from gpuplanner.domain.message import Message, Text, capital, joined, worded
from gpuplanner.domain.model.amounts import sum_text
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.model.book.renewal import notice_by_s
from gpuplanner.domain.model.cube import short_advice_words
from gpuplanner.domain.model.tables import POOL_TITLES
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.domain.reports import savings
from gpuplanner.domain.reports.plan_layers import LAYERS, PLAN_LAYERS
from gpuplanner.domain.reports.report import BRIEF, Medium, Report
from gpuplanner.domain.reports.report import Column as ReportColumn
from gpuplanner.lazy_dataclass import replace


def saved_in_year(advice: Advice) -> float | None:
    """$ of twelve months with nothing signed less those of the plan; None: unknown, or of unlike work."""
    return comparison.horizon_row(comparison.Horizon.TWELVE_MONTHS, advice, None).saved


CURVES: Final = 2
MOST_NAMES: Final = 3


def plan_figures(
    audit: Audit, advice: Advice, totals: Totals, has_today: bool
) -> tuple[pages.LargeFigure, ...]:
    """What of the plan's GPUs stands idle, and how long it binds; has_today: there are contracts."""
    unused = worded(
        "today {usd}; stranded (metered) {stranded}",
        usd=sum_text(cost_sum(advice, "unused_now")),
        stranded=amount(audit.bridge.stranded_metered),
    )
    used, lock_in = percent(totals.effective_utilization_now, 1), decimals(totals.lock_in_now_months)
    return (
        pages.LargeFigure(
            key="unused_plan",
            title=WINDOW["unused_per_month"].title,
            unit=worded("$ per month"),
            amount=totals.unused_plan,
            text=sum_text(cost_sum(advice, "unused_plan")),
            note=unused if has_today else "",
        ),
        pages.LargeFigure(
            key="effective_utilization_plan",
            title=PLAN["effective_utilization_plan"].title,
            unit=worded("of GPU-hours paid"),
            amount=totals.effective_utilization_plan,
            text=percent(totals.effective_utilization_plan, 1),
            note=worded("today {value}", value=used) if has_today else "",
        ),
        pages.LargeFigure(
            key="lock_in_months",
            title=PLAN["lock_in_months"].title,
            unit=worded("months, weighted by $"),
            amount=totals.lock_in_months,
            text=decimals(totals.lock_in_months),
            note=worded("today {value}", value=lock_in) if has_today else "",
        ),
    )


def _months(advice: Advice, seen: Seen) -> pages.MonthsChart:
    """What the plan costs in each of twelve months, and doing nothing where it serves the same work."""
    nothing = pages.Line(PLAN["do_nothing"].title, tuple(row.do_nothing_usd for row in advice.comparison))
    plan = pages.Line(worded("Plan"), tuple(row.plan_usd for row in advice.comparison), is_main=True)
    lines = (nothing, plan) if comparison.compares_with_nothing(advice) else (plan,)
    return pages.MonthsChart(_MONTHS, _month_names(advice, seen), lines)


_MONTHS: Final = worded("Twelve months of the plan, $ per month")


def _month_names(advice: Advice, seen: Seen) -> tuple[Text, ...]:
    """The day on which each month begins; its number, where there is no calendar."""
    return tuple(
        joined((short_day(row.start_s),)) if seen.is_dated else plan_month(row.month)
        for row in advice.comparison
    )


def horizons_table(evaluation: Evaluation) -> pages.TableBlock:
    """Next month, month 12 and all twelve; where the plan is a question, beside the plan that it is asked of."""
    report = savings.HORIZONS if evaluation.before is None else savings.QUESTION
    return pages.report_block(report, evaluation, report.title, {"name": 1.2})


# ---------------------------------------------------------------- the plan


def plan_page(evaluation: Evaluation, advice: Advice, totals: Totals) -> pages.Page:
    """The layers of every pool, and the two largest load duration curves. A short log is said.

    The two rows of most $ have their curves. Where prices are missing the title says so.
    """
    largest = sorted(advice.pools, key=lambda plan: (-(plan.cost_per_month or 0.0), -plan.demand.gpu_hours))[
        :CURVES
    ]
    curves = tuple(
        pages.DurationChart(
            worded(
                "{pool}, {model}: GPUs, busiest hours first, mean existing GPUs",
                pool=POOL_TITLES[plan.pool],
                model=plan.gpu_model or pages.UNKNOWN_MODEL,
            ),
            plan,
        )
        for plan in largest
    )
    project = evaluation.project
    short = short_advice_words(project.window.hours)
    notes = ((pages.TextBlock(worded("Before signing"), (short,)),),) if short else ()
    rows = (*notes, *((curves,) if curves else ()), (_layers(advice),))
    figures = plan_figures(evaluation.audit, advice, totals, any_paid(project))
    return pages.Page(
        key="plan", kicker=titles.THE_PLAN, title=plan_title(advice), rows=rows, figures=figures
    )


def plan_title(advice: Advice) -> Message:
    """What the plan has on new terms in its first month; or that it signs nothing, or that nobody can know."""
    committed = [layer for plan in advice.pools for layer in plan.layers if is_new_commitment(layer)]
    has_existing = any(layer.existing and layer.gpus for plan in advice.pools for layer in plan.layers)
    has_existing = has_existing or bool(advice.idle_existing)
    if committed:
        gpus = pages.counted_gpus(sum(layer.gpus for layer in committed))
        terms = write_terms({(layer.term_months or 0, layer.term_days or 0) for layer in committed})
        rest = (
            worded("existing contracts, the rest on demand") if has_existing else worded("the rest on demand")
        )
        return worded(
            "First month: {gpus} on new terms of {terms}, {rest}", gpus=gpus, terms=terms, rest=rest
        )
    if not is_priced(advice.pools):
        return worded("Orders unknown: prices are missing")
    rest = worded("all on demand")
    if has_existing:
        rest = worded("existing contracts to their end, the rest on demand")
    if any(order.is_certain for order in advice.orders):
        return worded("First month: no new terms, {rest}", rest=rest)
    return worded("No new commitments: {rest}", rest=rest)


def write_terms(terms: Collection[tuple[int, int]]) -> Message:
    """36 and 12 months; 36 months and 90 days, where one is sold by the day: the longest first.

    terms: months and days of each, 0 days where it is of months.
    """
    longest_first = sorted(terms, reverse=True)
    if len(terms) == 1 or any(days for _, days in terms):
        return pages.listed([term_words(*term) for term in longest_first])
    return worded("{terms} months", terms=pages.listed([whole(months) for months, _ in longest_first]))


def is_new_commitment(layer: Layer) -> bool:
    """A commitment that is yet to be signed."""
    return not layer.existing and bool(layer.term_months) and layer.gpus > 0


def _layers(advice: Advice) -> pages.TableBlock:
    """Layers from the bottom, then existing GPUs that stand idle. Of too many the smallest stand in one row,
    so that the column still adds up.
    """
    widths = {"pool": 1.2, "gpu_model": 1.2, "layer": 2.0, "cost_per_month": 1.2}
    block = pages.report_block(PLAN_LAYERS, advice, LAYERS.title, widths)
    if PLAN_LAYERS.rest_in(Medium.BRIEF, advice) is None:
        return block
    return replace(block, note=worded("All layers: sheet Calc orders."))


# ---------------------------------------------------------------- the year


class MonthRow(NamedTuple):
    """A month of the plan: what it is called, what it costs ($, None: unknown), and words for what happens in it."""

    month: Text
    plan: float | None
    starts: Text
    ends: Text
    to_sign: Text


def happens_in(events: Happening) -> tuple[Text, Text, Text]:
    """What starts, ends and is to be signed: GPUs, and contracts by name; "" where nothing does."""

    def bought(orders: Sequence[Order]) -> Text:
        """The most GPUs of the orders that run at one time."""
        return pages.counted_gpus(most_bought(orders)) if orders else ""

    ending: list[Text] = [contract.contract_id for contract in events.contracts_ending]
    if events.ending:
        ending.append(bought(events.ending))
    return (bought(events.starting), joined(ending, ", ") if ending else "", bought(events.to_sign))


def happens_sentences(events: Happening) -> tuple[Text, ...]:
    """Starts: 24 GPUs; Ends: atlas-core; To sign: 12 GPUs; End by 28 Jan 2027 (give notice): atlas-h200; or nothing.

    What is to be signed has the words of Recommendations: all GPUs of the orders, and the most that run together.
    """
    starts, ends, _ = happens_in(events)
    return (
        *((worded("Starts: {gpus}", gpus=starts),) if starts else ()),
        *((worded("Ends: {names}", names=ends),) if ends else ()),
        *((worded("To order: {gpus}", gpus=together_words(events.to_sign)),) if events.to_sign else ()),
        *(
            worded(
                "End by {day} (give notice): {name}",
                day=day(notice_by_s(row, row.end_s) or 0),
                name=row.contract_id,
            )
            for row in events.notices
        ),
    ) or (worded("No starts, ends or orders"),)


_TEXTS: Final = {"starts": worded("Starts"), "ends": worded("Ends"), "to_sign": worded("To order")}
THE_YEAR: Final = Report(title=worded("The year"), key=attrgetter("month"), media=BRIEF).with_columns(
    ReportColumn(key="month", title=worded("Month from")),
    ReportColumn(figure=PLAN["plan"]),
    *(ReportColumn(key=key, title=title) for key, title in _TEXTS.items()),
)
"""About the months of a plan: what each costs, and what starts, ends and is to be signed in it."""


def year_page(evaluation: Evaluation, advice: Advice, approval: Approval) -> pages.Page:
    """Return contracts and orders over time, and what starts, ends and is to be ordered in each of twelve months."""
    seen = approval.seen
    months = [
        MonthRow(
            month,
            row.plan_usd,
            *happens_in(happening(advice.orders, advice.contracts, row.start_s, row.start_s + MONTH_S)),
        )
        for month, row in zip(_month_names(advice, seen), advice.comparison, strict=True)
    ]
    first, last = months[0].plan, months[-1].plan
    if first is None or last is None:
        title = worded("Plan cost unknown: a rate is missing")
    else:
        title = worded(
            "The plan costs {first} in month 1 and {last} in month 12", first=amount(first), last=amount(last)
        )
    shares = {"month": 0.8, "starts": 1.2, "ends": 2.4, "to_sign": 1.2}
    timeline = build_timeline(evaluation, approval, {row.contract_id: row for row in advice.verdicts})
    horizons = ((horizons_table(evaluation),),) if comparison.is_priced_ahead(advice) else ()
    rows = ((timeline,), (pages.report_block(THE_YEAR, months, "", shares),), *horizons)
    return pages.Page(key="year", kicker=THE_YEAR.title, title=title, rows=rows)


def month_scene(advice: Advice, seen: Seen, month: int) -> pages.Page:
    """A month of the year alone, for a screen with the year under a handle: what it costs, and what happens in it."""
    row, chart, unit = (
        advice.comparison[month],
        replace(_months(advice, seen), at=month),
        worded("$ per month"),
    )
    ends_s, usd = row.start_s + MONTH_S, row.plan_usd
    nothing = row.do_nothing_usd if comparison.compares_with_nothing(advice) else None
    events = happening(advice.orders, advice.contracts, row.start_s, ends_s)
    days = (pages.days(row.start_s, ends_s),) if seen.is_dated else ()
    figures = (
        ("plan", worded("Plan"), usd),
        ("do_nothing", PLAN["do_nothing"].title, nothing),
        (
            "savings_vs_do_nothing",
            PLAN["savings_vs_do_nothing"].short,
            None if nothing is None or usd is None else nothing - usd,
        ),
    )
    return pages.Page(
        key="year",
        kicker=THE_YEAR.title,
        title=joined((capital(plan_month(month)), *days), ": "),
        rows=((chart, pages.TextBlock("", happens_sentences(events))),),
        figures=tuple(
            pages.LargeFigure(key=key, title=name, unit=unit, amount=value, text=amount(value))
            for key, name, value in figures
        ),
    )


# ---------------------------------------------------------------- savings


def steps_page(
    advice: Advice, outlook: Outlook | None, audit: Audit, has_today: bool
) -> tuple[pages.Page, ...]:
    """Return where savings of the first month come from by step, and separation on both sides; no page of zeros.

    has_today: there are contracts; without them what is spent today is all on demand. Bars of savings that are unknown
    would be an empty picture: the table says why.
    """
    story = savings_story(advice, outlook, audit, has_today)
    bars = (*story.steps, story.total)
    is_worth = any(row.exact or row.saved_in_year for row in story.offered)
    is_known_zero = all(row.exact is not None and not round(row.exact) for row in bars)
    if is_known_zero and not is_worth and not any(row.separation_per_month for row in story.separation):
        return ()
    table = pages.report_block(savings.SAVINGS, story, worded("Step by step"), {"called": 1.2, "what": 3.0})
    apart = pages.report_block(
        savings.SEPARATION_LINES, story, savings.SEPARATION_LINES.title, {"called": 1.5, "source": 3.0}
    )
    offered = pages.report_block(
        savings.OFFERED, story, savings.OFFERED.title, {"called": 1.2, "meaning": 3.0}
    )
    note = pages.sentences(bought_words(story.buy), all_on_demand(advice.totals) or "")
    steps = ((replace(table, note=note),),) if not is_known_zero else ()
    tables = (*steps, (apart,), *([(offered,)] if is_worth else ()))
    chart = pages.BridgeChart(
        worded("Where savings come from in the first month, $"), tuple(map(savings_bar, bars))
    )
    rows = ((chart,), *tables) if _saved(story) is not None and not is_known_zero else tables
    kicker = worded("First month")
    return (pages.Page(key="steps", kicker=kicker, title=steps_title(story, advice), rows=rows),)


def _saved(story: SavingsStory) -> float | None:
    """$ per month against doing nothing; None where they are unknown."""
    return next(row.exact for row in story.steps if row.key == "savings_vs_do_nothing")


def steps_title(story: SavingsStory, advice: Advice) -> Message:
    """The savings against doing nothing, of twelve months and of the first."""
    saved, nothing, year = PLAN["savings_vs_do_nothing"].title, _saved(story), saved_in_year(advice)
    if nothing is None or year is None:
        return worded("{saved} are unknown", saved=saved)
    return worded(
        "{saved}: {year} in twelve months, {usd} in the first month",
        saved=saved,
        year=amount(year),
        usd=amount(nothing),
    )


def savings_bar(row: StoryRow) -> pages.Bar:
    """A step with its sign, a total as it is; the longest name on two lines."""
    if not row.is_total:
        return pages.Bar(
            name=row.called, note=row.note, usd=row.exact, kind="step", text=change(row.saved_per_month)
        )
    if row.key == "savings_vs_do_nothing":
        return pages.Bar(
            name=worded("Savings against"),
            note=worded("doing nothing"),
            usd=row.exact,
            kind="result",
            text=whole(row.exact),
        )
    return pages.Bar(name=row.called, note="", usd=row.exact, kind="result", text=whole(row.exact))
