"""The pages of prices and of other assumptions: how far they may move before the advice changes, and what it costs."""

from collections.abc import Callable, Sequence
from typing import Final

from gpuplanner.domain.brief.approval import sources
from gpuplanner.domain.brief.pages import Block, Column, Page, TableBlock, TextBlock, counted
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.outlook_result import Outlook, Uncertainty
from gpuplanner.domain.commitment.result import Totals
from gpuplanner.domain.commitment.uncertainty.flips import (
    PROBES,
    CasePlan,
    FlipPoint,
    flip_points,
    flip_sentence,
    price_sensitivity,
    share_words,
)
from gpuplanner.domain.commitment.words import bands, price_paths
from gpuplanner.domain.commitment.words.coverage import coverage_sentences
from gpuplanner.domain.commitment.words.plan_costs import npv_sentence
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.figures.typed import amount, percent, significant, whole
from gpuplanner.domain.message import NO_WORDS, Message, Part, Text, capital, joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.assumptions import ASSUMPTIONS, AssumptionSpec, AssumptionValue
from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.cube import WEEK_HOURS
from gpuplanner.domain.model.intake import source_words
from gpuplanner.lazy_dataclass import dataclass

MOST_FLIPS: Final = 4
MOST_ASSUMPTIONS: Final = 12
ASSUMPTIONS_SHOWN: Final = ("lambda", "delta", "sigma", "wacc", "growth", "horizon_months", "block")
DIGITS: Final = 10
"""Of the value of an assumption."""


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The plan at low, mid and high rates, and where it gives way; worked out for a brief alone: it takes many plans.

    cases: in the order low, mid, high; flips: nearest first.
    """

    cases: tuple[CasePlan, ...]
    flips: tuple[FlipPoint, ...]


def sensitivity_of(evaluation: Evaluation, is_cancelled: Callable[[], bool] = lambda: False) -> Sensitivity:
    """Of the plan that was evaluated; with less in it where it was cancelled.

    Takes many plans to work out. is_cancelled: asked between them.
    """
    cache = AdviceCache()
    planned, figures = evaluation.in_parts, evaluation.figures  # with the work that no log has
    project, plan, pools = planned.project, figures.basis.plan, figures.workload_pools
    cases = price_sensitivity(project, plan, pools, planned.audit, cache, is_cancelled)
    return Sensitivity(
        cases, flip_points(project, plan, pools, cache, is_cancelled, planned.audit.classifications)
    )


# ---------------------------------------------------------------- prices


def price_page(
    evaluation: Evaluation, outlook: Outlook | None, totals: Totals, sensitivity: Sensitivity | None
) -> Page:
    """What the advice comes to at other prices. sensitivity: None where nobody worked it out."""
    plan = evaluation.figures.basis.plan
    values = evaluation.project.assumptions_in(plan)
    words: list[Text] = []
    if totals.plan is None:
        words.append(worded("Plan cost unknown at any price."))
    elif sensitivity is not None:
        advice = evaluation.advice
        pools = () if advice is None else advice.pools
        signs = any(layer.is_new and layer.gpus for pool in pools for layer in pool.layers)
        words.append(price_flip_words(sensitivity.flips, values.delta, signs=signs))
    paths = () if outlook is None else outlook.price_paths
    if paths and totals.plan is not None:
        words += price_paths.paths_sentences(paths, values.horizon_months)
    words += price_paths.price_changes_sentences(plan.price_changes)
    if outlook is not None:
        hanging = [check.message for check in outlook.checks if check.code == "terms_hang_on_prices"]
        words += [joined((capital(message), ".")) for message in hanging]
    has_contracts = bool(evaluation.project.contracts) and not plan.greenfield
    paths_table = price_paths_table(outlook, values.horizon_months, has_contracts=has_contracts)
    tables = [table for table in (paths_table, price_cases_table(sensitivity)) if table is not None]
    rows: tuple[tuple[Block, ...], ...] = (
        (TextBlock(worded("Price range that keeps the advice"), tuple(words)),),
        *((table,) for table in tables),
    )
    return Page(key="prices", kicker=worded("Prices"), title=price_title(sensitivity), rows=rows)


def price_flip_words(flips: Sequence[FlipPoint], delta: float, *, signs: bool) -> Message:
    """How far the price fall may be from the one assumed before a largest layer gets another term.

    flips: of any assumption; delta: the price fall assumed, a ratio a month; below 0 prices rise. signs:
    whether anything is signed at it.
    """
    moves = sorted((flip for flip in flips if flip.assumption == "delta"), key=lambda flip: flip.at)
    above = next((move for move in moves if move.at > move.value), None)
    below = next((move for move in reversed(moves) if move.at < move.value), None)
    assumed = percent(delta, 1)
    stays = (
        worded("All largest layers keep their term")
        if signs
        else worded("No order pays off in the first month")
    )
    edges = [words for words in (write_faster_decline(above), write_slower_decline(below)) if words]
    if not edges:
        return worded(
            "{stays} from +{rise} to −{fall} per month; assumed decline: {assumed}.",
            stays=stays,
            rise=percent(-PROBES["delta"][0], 1),
            fall=percent(PROBES["delta"][-1], 1),
            assumed=assumed,
        )
    return worded(
        "{stays} unless prices {edges}; assumed monthly decline: {assumed}.",
        stays=stays,
        edges=joined(edges, worded(", or ")),
        assumed=assumed,
    )


def write_faster_decline(above: FlipPoint | None) -> Message:
    """The edge where prices fall faster."""
    if above is None:
        return NO_WORDS
    return worded("fall by {share} per month or more", share=share_words(above))


def write_slower_decline(below: FlipPoint | None) -> Message:
    """The edge where they fall more slowly, stay or rise."""
    if below is None:
        return NO_WORDS
    if below.at < 0:
        return worded("rise by {share} per month or more", share=percent(-below.at, 1))
    if not below.at:
        return worded("do not fall")
    return worded("fall by {share} per month or less", share=share_words(below))


def price_title(sensitivity: Sensitivity | None) -> Message:
    """What the plan saves over all price cases; words without figures where one is unknown."""
    saved = (
        [] if sensitivity is None else [row.savings_vs_do_nothing_usd_per_month for row in sensitivity.cases]
    )
    known = [usd for usd in saved if usd is not None]
    if not known or len(known) < len(saved):
        return worded("Cost of the advice if prices change")
    low, high = min(known), max(known)
    if not any(map(round, known)):
        return worded("At all listed prices, the plan costs the same as do nothing in the first month")
    if round(low) < 0:
        return worded(
            "At its worst prices, the plan costs {usd} more than do nothing in the first month",
            usd=amount(-low),
        )
    if round(low) == round(high):
        return worded("At all listed prices, the plan saves {usd} in the first month", usd=amount(known[0]))
    return worded(
        "From high to low prices, the plan saves {low} to {high} in the first month",
        low=amount(low),
        high=amount(high),
    )


def price_paths_table(
    outlook: Outlook | None, horizon_months: int, *, has_contracts: bool
) -> TableBlock | None:
    """What signing short, as advised and long costs on each path; None without any that is known.

    has_contracts: whether existing contracts serve in the plan.
    """
    paths = () if outlook is None else outlook.price_paths
    if not any(path.advice_usd is not None for path in paths):
        return None
    rows: tuple[tuple[Part, ...], ...] = tuple(
        (
            price_paths.PATH_NAMES[path.path],
            *(whole(getattr(path, policy)) for policy in price_paths.WAYS),
            whole(path.regret_usd),
        )
        for path in paths
    )
    columns = (
        Column(worded("Prices"), False, 1.2),
        *(Column(worded("{name}, $", name=name)) for name in price_paths.WAYS.values()),
        Column(worded("Advice, cost of being wrong, $"), True, 1.2),
    )
    months = whole(horizon_months)
    expected = [worded("Expected $ over {months} months, discounted", months=months)]
    expected += [worded("with existing contracts")] if has_contracts else []
    wrong = worded("Cost of being wrong: advice cost above perfect price knowledge.")
    return TableBlock(
        title=price_paths.PATHS_TITLE,
        columns=columns,
        rows=rows,
        total=(),
        note=joined((joined(expected, ", "), wrong), ". "),
    )


CASE_NAMES: Final = {
    PriceCase.LOW: worded("Low rates"),
    PriceCase.MID: capital(worded("mid rates")),
    PriceCase.HIGH: worded("High rates"),
}


def _changed_layers(case: CasePlan) -> Text:
    """Count the layers that a case changes; empty for the mid rates, which change none."""
    if case.changed_layers:
        return counted(len(case.changed_layers), "layer")
    return worded("none") if case.case is not PriceCase.MID else ""


def price_cases_table(sensitivity: Sensitivity | None) -> TableBlock | None:
    """The plan at low, mid and high rates; None without them."""
    if sensitivity is None or all(case.plan_usd_per_month is None for case in sensitivity.cases):
        return None
    rows: tuple[tuple[Part, ...], ...] = tuple(
        (
            CASE_NAMES[case.case],
            whole(case.plan_usd_per_month),
            whole(case.do_nothing_usd_per_month),
            whole(case.savings_vs_do_nothing_usd_per_month),
            _changed_layers(case),
        )
        for case in sensitivity.cases
    )
    columns = (
        Column(worded("Prices"), False, 1.4),
        Column(worded("Plan, $ per month")),
        Column(PLAN["do_nothing"].heading(", ")),
        Column(PLAN["savings_vs_do_nothing"].heading(", ", is_short=True)),
        Column(worded("Layers that change"), True, 1.1),
    )
    title = worded("First month at other rates")
    return TableBlock(title=title, columns=columns, rows=rows)


# ---------------------------------------------------------------- other assumptions


def sensitivity_page(
    evaluation: Evaluation, outlook: Outlook | None, totals: Totals, sensitivity: Sensitivity | None
) -> Page:
    """What the advice rests on, and what beside prices would change it.

    sensitivity: None where nobody worked it out; the page then has the assumptions alone.
    """
    sentences: list[Text] = []
    if sensitivity is not None:
        moving = [point for point in sensitivity.flips if point.assumption != "delta"]
        nearest = sorted(moving, key=lambda flip: abs(flip.at - flip.value))[:MOST_FLIPS]
        sentences += [joined((flip_sentence(point), ".")) for point in nearest]
        if not nearest and totals.plan is not None:
            sentences.append(
                worded("No plausible growth, attrition or volatility changes the largest layers.")
            )
    if outlook is not None:
        if outlook.coverage is not None:
            sentences += coverage_sentences(outlook.coverage)
        horizon = evaluation.project.assumptions_in(evaluation.figures.basis.plan).horizon_months
        sentences.append(npv_sentence(outlook.npv_usd, horizon))
    would = TextBlock(worded("Possible changes"), tuple(sentences))
    sizes = term_sizes_table(outlook)
    rows: tuple[tuple[Block, ...], ...] = (
        (would, assumptions_table(evaluation)),
        *(((sizes,),) if sizes is not None else ()),
        (sources(evaluation),),
    )
    return Page(
        key="sensitivity", kicker=worded("Sensitivity"), title=band_title(evaluation, outlook), rows=rows
    )


def band_title(evaluation: Evaluation, outlook: Outlook | None) -> Message:
    """The band of twelve months; words without figures where there is none."""
    band = None if outlook is None else outlook.uncertainty
    if band is None or band.year_p10_usd is None or band.year_p90_usd is None:
        return worded("Basis of the advice and possible changes")
    return band_words(band, evaluation)


WIDE: Final = 3.0
"""A P90 above so many times the plan needs its reason."""
MOVED: Final = 1.5
"""Weeks of a log differ so much that they explain a wide range."""


def band_words(band: Uncertainty, evaluation: Evaluation) -> Message:
    """Return the range of twelve months; a P90 over three times the plan with its reason, or else the P10 alone."""
    given = {"p10": amount(band.year_p10_usd), "p90": amount(band.year_p90_usd)}
    words = worded("In 80% of draws, twelve months cost {p10} to {p90}", **given)
    if band.if_pattern_continues:
        words = worded("In 80% of draws, twelve months cost {p10} to {p90} if the pattern lasts", **given)
    advice = evaluation.advice
    plan_usd = None if advice is None else known_sum(month.plan_usd for month in advice.comparison)
    if not plan_usd or band.year_p90_usd is None or band.year_p90_usd <= WIDE * plan_usd:
        return words
    weeks = weekly_gpu_hours(evaluation)
    if not weeks or max(weeks) < MOVED * min(weeks):
        return worded(
            "In 90% of draws, twelve months cost over {p10}; the log does not bound them above", **given
        )
    return worded(
        "{range}: weeks of the log differ, {low} to {high} GPU-hours, and what orders do not cover is on demand",
        range=words,
        low=whole(min(weeks)),
        high=whole(max(weeks)),
    )


def weekly_gpu_hours(evaluation: Evaluation) -> list[float]:
    """Return the GPU-hours of each whole week of the lookback period."""
    hourly = evaluation.figures.hourly.values()
    weeks = min(map(len, hourly), default=0) // WEEK_HOURS
    sums = [pool[: weeks * WEEK_HOURS].reshape(weeks, WEEK_HOURS).sum(axis=1) for pool in hourly]
    return [sum(map(float, week)) / MILLI_GPU_SECONDS_PER_GPU_HOUR for week in zip(*sums, strict=True)]


def term_sizes_table(outlook: Outlook | None) -> TableBlock | None:
    """The band of each size of the shortest term; None without them."""
    band = None if outlook is None else outlook.uncertainty
    if band is None or not band.sizes:
        return None
    rows: tuple[tuple[Part, ...], ...] = tuple(
        (
            bands.SIZE_NAMES[row.size],
            whole(row.p10_usd_per_month),
            whole(row.p50_usd_per_month),
            whole(row.p90_usd_per_month),
        )
        for row in band.sizes
    )
    columns = (
        Column(worded("Size of the shortest term"), False, 1.6),
        Column(worded("P10, $ per month")),
        Column(worded("P50, $ per month")),
        Column(worded("P90, $ per month")),
    )
    note = worded(
        "{drawn}. {tested}. Cost of being wrong in 90% of draws: {costs} per month.",
        drawn=bands.drawn_words(band),
        tested=tested_words(band),
        costs=write_regret(band),
    )
    return TableBlock(
        title=worded("Possible monthly cost of the full plan"),
        columns=columns,
        rows=rows,
        total=(),
        note=note,
    )


def tested_words(band: Uncertainty) -> Message:
    """How the band did: so far 6 of 6 months fell inside."""
    words = bands.coverage_words(band)
    return capital(words) if band.coverage is None else worded("{words} so far, one per week", words=words)


def write_regret(band: Uncertainty) -> Message:
    """Under so much, or nothing where it rounds to that."""
    usd = band.regret_p90_usd_per_month
    return worded("nothing") if usd is not None and not round(usd) else worded("under {usd}", usd=whole(usd))


def write_value(spec: AssumptionSpec, value: AssumptionValue) -> Part:
    """A value as its kind is written."""
    if value is None:
        return worded("not set")
    if isinstance(value, str):
        return value
    return percent(value, 1) if spec.kind == "ratio" else significant(value, DIGITS)


SET: Final = worded("set in the plan")


def assumptions_table(evaluation: Evaluation) -> TableBlock:
    """Those that are always shown, and those that the plan sets, with their sources; at most twelve rows."""
    plan = evaluation.figures.basis.plan
    values = evaluation.project.assumptions_in(plan)
    rows: list[tuple[Part, ...]] = [
        (title, whole(count), unit, SET)
        for title, count, unit in (
            (worded("Work not in the log"), len(plan.planned), worded("workloads")),
            (worded("Workloads with a first or last day"), len(plan.spells), worded("workloads")),
            (worded("Demand changes on a day"), len(plan.changes), worded("steps")),
        )
        if count
    ]
    for spec in ASSUMPTIONS:
        differs = spec.name in plan.assumptions
        if spec.name not in ASSUMPTIONS_SHOWN and not differs:
            continue
        value = getattr(values, spec.field)
        seen = source_words(spec.name, value, evaluation.project.intake)
        rows.append(
            (spec.title, write_value(spec, value), spec.unit, SET if differs else seen or spec.source)
        )
    columns = (
        Column(worded("Assumption"), False, 1.5),
        Column(worded("Value"), True, 0.7),
        Column(worded("Unit"), False),
        Column(worded("Source"), False, 1.6),
    )
    return TableBlock(
        title=worded("Assumptions behind every amount"), columns=columns, rows=tuple(rows[:MOST_ASSUMPTIONS])
    )
