"""The outlook in plain words: band, paths of prices, levels, savings, checkpoints on spot."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.outlook_result import (
    CostOfLevels,
    LevelCost,
    LevelValues,
    Outlook,
    PathCost,
    SavingsStep,
    SpotAdvice,
    Uncertainty,
)
from gpuplanner.domain.commitment.plan.comparison import NOTHING_USD, STEPS, SavingsBuy, more_words, step_usd
from gpuplanner.domain.commitment.recursion import rates
from gpuplanner.domain.figures.plan import PATH
from gpuplanner.domain.figures.typed import (
    amount,
    day,
    decimals,
    gpus,
    percent,
    significant,
    whole,
    worded_whole,
)
from gpuplanner.domain.message import Message, Part, Text, joined, worded, worded_count
from gpuplanner.domain.model.amounts import known_sum, largest_remainder
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME
from gpuplanner.domain.model.book.contract import in_force, mean_gpus
from gpuplanner.domain.model.plan.changes import PriceChange
from gpuplanner.domain.model.plan.scenario import DEMAND_CUTS
from gpuplanner.domain.model.project import Project

# --- The band in words: what it is drawn from, and how past bands did ----------------------------

SIZE_NAMES: Final = {
    "advice": worded("As advised"),
    "one_less": worded("A unit less"),
    "quarter_less": worded("A quarter less"),
    "one_more": worded("A unit more"),
    "quarter_more": worded("A quarter more"),
}
"""Sizes of the shortest term by their names in SizeBand, as tables of documents have them."""


def coverage_words(band: Uncertainty) -> Message:
    """7 of 9 months fell inside; or that nothing could be tested.

    band: with its coverage, a ratio, None where too few months could be tested.
    """
    if band.coverage is None:
        return worded("untested: too few months of log")
    return worded(
        "{inside} of {folds} months in range",
        inside=whole(round(band.coverage * band.coverage_folds)),
        folds=whole(band.coverage_folds),
    )


def drawn_words(band: Uncertainty) -> Message:
    """What the band holds, and what it does not."""
    return worded(
        "{resamples} draws of log weeks, demand and ending workloads, with fixed advice; prices have their own "
        "table",
        resamples=whole(band.resamples),
    )


# --- The paths of prices in words: what each is called, which way costs least on it, and how wrong each way can be

PATH_NAMES: Final[dict[str, Message]] = {
    "fall": worded("Fall {share}/month", share=percent(rates.FALL_PER_MONTH, 1)),
    "cut": worded("Cut by {share}", share=percent(rates.CUT)),
    "flat": worded("Flat"),
    "rise": worded("Rise {share}/month", share=percent(rates.RISE_PER_MONTH, 1)),
}
"""A path -> what prices do on it, in the room of a cell."""
PATH_WHERE: Final[dict[str, Message]] = {
    "fall": worded("if prices fall {share} per month", share=percent(rates.FALL_PER_MONTH, 1)),
    "cut": worded(
        "if prices drop by {share} in month {month}",
        share=percent(rates.CUT),
        month=whole(rates.MONTH_OF_CUT),
    ),
    "flat": worded("if prices stay the same"),
    "rise": worded(
        "if prices rise {share} per month for {months} months",
        share=percent(rates.RISE_PER_MONTH, 1),
        months=whole(rates.MONTHS_OF_RISE),
    ),
}
"""A path -> the same, whole, within a sentence about prices."""
WAYS: Final[dict[str, Message]] = {
    "shorter_only_usd": worded("Shorter only"),
    "advice_usd": worded("The advice"),
    "longer_only_usd": worded("Longer only"),
}
"""Field of PathCost -> what the first month signs."""
PATHS_TITLE: Final = worded("First-month orders on four price paths")
SAME_USD: Final = 0.5


def cheapest_ways(cost: PathCost) -> frozenset[str]:
    """The keys of WAYS whose cost on a path is less than SAME_USD above the least.

    Empty where a cost is unknown, or where all of them are that close.
    """
    usd = {option: getattr(cost, option) for option in WAYS}
    if None in usd.values():
        return frozenset()
    least = min(usd.values())
    cheapest = frozenset(option for option, amount in usd.items() if amount < least + SAME_USD)
    return frozenset() if len(cheapest) == len(WAYS) else cheapest


def regret_usd(cost: PathCost, option: str) -> float | None:
    """What a way costs more on a path than the policy that knows it; None where unknown.

    option: a key of WAYS. Source: docs/formulas/uncertainty.md, Price paths.
    """
    return PATH.row({"expected": getattr(cost, option), "least_expected": cost.best_usd})["regret"]


class Regret(NamedTuple):
    """What a way costs more on a path than the policy that knows it. path: its key."""

    usd: float
    path: str


def worst_regret(paths: Sequence[PathCost], option: str) -> Regret | None:
    """The largest regret of a way over all paths; None where one is unknown. option: a key of WAYS."""
    regrets = [(regret_usd(cost, option), cost.path) for cost in paths]
    known = [Regret(usd, path) for usd, path in regrets if usd is not None]
    return max(known, key=lambda regret: regret.usd) if known and len(known) == len(regrets) else None


def paths_sentences(paths: Sequence[PathCost], horizon_months: int) -> tuple[Text, ...]:
    """How wrong the advice can be, and the other two beside it; why they are unknown.

    One sentence where all ways are the same now, or nothing is known.
    """
    worst = {option: worst_regret(paths, option) for option in WAYS}
    advice, shorter, longer = (worst[key] for key in ("advice_usd", "shorter_only_usd", "longer_only_usd"))
    if advice is None or shorter is None or longer is None:
        return (worded("Path costs unknown: a rate is missing, or demand is unserved."),)
    if advice.usd < SAME_USD:
        first = worded("On every price path, the advice matches known prices.")
    else:
        first = worded(
            "Worst case: ${usd} more over {months} months than known prices ({path}).",
            usd=whole(advice.usd),
            months=whole(horizon_months),
            path=PATH_WHERE[advice.path],
        )
    if not any(_differs(paths, option) for option in WAYS):
        return (first, worded("Short, as advised and long cost the same now."))
    return (
        first,
        compare_paths(worded("No new commitments over 12 months"), shorter, paths, "shorter_only_usd"),
        compare_paths(worded("All on the longest term"), longer, paths, "longer_only_usd"),
    )


def price_changes_sentences(changes: Sequence[PriceChange]) -> tuple[Message, ...]:
    """Prices of H100 times 0.8 from 1 Dec 2026 on are in the plan and in all paths.

    In given order, one each.
    """
    return tuple(map(_price_change, changes))


def _price_change(change: PriceChange) -> Message:
    values: dict[str, Part] = {
        "gpu_model": change.gpu_model,
        "factor": significant(change.factor, 10),
        "day": day(change.from_s),
    }
    if change.by:
        return worded("All paths include {gpu_model} prices moving evenly to × {factor} by {day}.", **values)
    return worded("All paths include {gpu_model} prices × {factor} from {day}.", **values)


def _differs(paths: Sequence[PathCost], option: str) -> bool:
    """Whether a way costs something else than the advice on some path."""
    return any(abs(beside) >= SAME_USD for beside in _beside_advice(paths, option))


def _beside_advice(paths: Sequence[PathCost], option: str) -> list[float]:
    """On each path $ that a way costs more than the advice."""
    return [(regret_usd(cost, option) or 0.0) - (regret_usd(cost, "advice_usd") or 0.0) for cost in paths]


def compare_paths(name: Message, worst: Regret, paths: Sequence[PathCost], option: str) -> Message:
    """On how many paths a way costs less than the advice, and how wrong it can be."""
    if not _differs(paths, option):
        return worded("{name} matches the advice on all {count} paths.", name=name, count=whole(len(paths)))
    less = sum(beside < -SAME_USD for beside in _beside_advice(paths, option))
    return worded(
        "{name}: costs less than the advice on {less} of {count} price paths. Worst case: ${usd} above known "
        "prices ({path}).",
        name=name,
        less=whole(less),
        count=whole(len(paths)),
        usd=whole(worst.usd),
        path=PATH_WHERE[worst.path],
    )


# --- What levels set by hand cost beside the advice, in words: month 0, the whole horizon, and why

THE_SAME: Final = worded("the same")


def cost_of_levels_sentences(cost: CostOfLevels, values: LevelValues) -> tuple[Message, ...]:
    """The total first, then each level that costs more or less than the advice for the same GPUs.

    cost: in $; below 0 the levels cost less. One sentence where there is nothing to tell.
    """
    horizon = whole(cost.horizon_months)
    if max(abs(cost.usd), abs(cost.month_0_usd)) < NOTHING_USD:
        same = worded(
            "These levels cost as much as the advice, in the first month and over {horizon} months.",
            horizon=horizon,
        )
        return (same,)
    first = worded(
        "Against the advice: {month} in the first month, expected {usd} over {horizon} months (present "
        "value). Later orders follow the advice.",
        month=more_words(cost.month_0_usd, THE_SAME),
        usd=more_words(cost.usd, THE_SAME),
        horizon=horizon,
    )
    return (first, *(_level(level, values) for level in cost.levels if abs(level.usd) >= NOTHING_USD))


def _level(level: LevelCost, values: LevelValues) -> Message:
    """One level: its GPUs and term, what it costs more or less, and why."""
    term = level.term_months
    many = worded_count(level.gpus, "{gpus} GPU", "{gpus} GPUs", gpus=whole(level.gpus))
    gpus_and_term = (
        worded_count(term, "{many} for {term} month", "{many} for {term} months", many=many, term=whole(term))
        if term
        else worded("{many} on demand", many=many)
    )
    return worded(
        "{name}: {usd} over {horizon_months} months, {level}.",
        name=gpus_and_term,
        usd=more_words(level.usd, THE_SAME),
        horizon_months=whole(values.horizon_months),
        level=_why(level, values),
    )


def _why(level: LevelCost, values: LevelValues) -> Message:
    """Why a level costs more, or less, than the advice for the same GPUs."""
    term = level.term_months
    if level.usd < 0:
        return worded("as the log is too short for this term")
    if not term:
        return worded("where the advice signs")
    if level.month_0_usd >= 0:
        return worded("of which ${month} in the first month", month=whole(level.month_0_usd))
    prices, end = float(rates.over(values.use_prices, term + 1)[term]), 1 - (1 - values.churn) ** term
    moved = (
        worded("{share} lower", share=percent(1 - prices))
        if prices <= 1
        else worded("{share} higher", share=percent(prices - 1))
    )
    return worded(
        "but ${month} less in the first month. It is paid to its end. By then, prices are expected to be "
        "{moved}, and its demand has ended with a chance of {end}",
        month=whole(-level.month_0_usd),
        moved=moved,
        end=percent(end),
    )


# --- Where savings come from, in the words of the window, the terminal and the documents ---------

STEP_NAMES: Final = {
    "demand": worded("Demand now"),
    "ending": worded("Contracts starting or ending"),
    "terms": worded("Terms and rates"),
    "separation": worded("Moves between pools"),
    "spot": worded("Spot"),
    **DEMAND_CUTS,
}
"""In the order of the steps. Separate pools are something else: pools that share nothing, beside one pool for all."""

STEP_MEANINGS: Final = {
    "demand": worded("Next month's demand: work started or ended. Not a saving."),
    "ending": worded("No new orders: contracts end or start, the rest runs on demand. Not a saving."),
    "terms": worded("Savings from new orders, with all work where it runs today, without spot."),
    "separation": worded("Effect of the plan's pools, without spot."),
    "spot": worded("Effect of spot."),
    "right_size": worded("Fixed-size services, resized to their busiest hour at target activity."),
    "autoscale": worded("Then they follow each hour's need."),
    "idle_ended": worded("Ends idle development."),
}

assert tuple(STEP_NAMES) == tuple(STEP_MEANINGS) == (*STEPS, *DEMAND_CUTS)

SAVING_STEPS: Final = ("terms", "separation", "spot")
"""With the cuts of demand that are accepted they make up the savings against doing nothing."""
OTHER_STEPS: Final = ("demand", "ending")
"""What came or fell away by itself: no saving. With the savings against doing nothing, today less the plan."""


def by_itself(project: Project, outlook: Outlook | None) -> tuple[Text, float | None]:
    """What came or fell away by itself is called, and its $ a month: demand; where contracts began or ended while the
    log ran, both steps, for its hours count by how recent they are, and so does what was paid in them."""
    window, steps = project.window, () if outlook is None else outlook.savings_steps
    held = sum(mean_gpus(contract, window) for contract in project.contracts)
    if held == sum(contract.gpus for contract in in_force(project.contracts, window.end_s - 1)):
        return worded("demand"), step_usd(steps, "demand")
    return worded("demand and contracts"), known_sum(step_usd(steps, name) for name in OTHER_STEPS)


def avoided_words(audit: Audit) -> Text:
    """What separate pools avoid beside their $, in one sentence; empty where the log has none of it."""
    hours, premium = audit.contended_hours, audit.premium
    usd = premium.usd_per_month
    if not (hours or usd):
        return ""
    avoided = worded(
        "Separate pools also avoid {hours} hours over capacity ({both} with training and inference).",
        hours=whole(hours),
        both=whole(audit.interference_hours),
    )
    if usd is None:
        return joined((avoided, worded("Consolidation premium unknown: an offer or rate is missing.")), " ")
    saved = worded(
        "Consolidation premium avoided at equal terms: {usd} per month (rate {rate}, idle {idle}).",
        usd=amount(usd),
        rate=amount(premium.rate_usd_per_month),
        idle=amount(premium.idle_usd_per_month),
    )
    return joined((avoided, saved), " ")


def bought_words(buy: SavingsBuy) -> Text:
    """What the savings would buy, at which rate; why that is unknown where it is."""
    if buy.unknown:
        return worded("GPU-hours for the savings are unknown. {why}", why=buy.unknown)
    return worded(
        "At the plan's on-demand rate of ${rate}, the savings buy {hours} GPU-hours per month ({gpus} GPUs).",
        hours=whole(buy.bought_gpu_hours_per_month or 0.0),
        gpus=gpus(buy.bought_gpus or 0.0),
        rate=decimals(buy.marginal_rate or 0.0, 2),
    )


def saved_dollars(
    steps: Sequence[SavingsStep], names: Sequence[str], total: float | None, beside: float | None = None
) -> list[int | None]:
    """Whole dollars that each named step takes off a month; with `beside` they add up to the rounded total.

    All unknown where one of them or the total is.
    """
    by_name = {step.step: step.saved_per_month for step in steps}
    amounts = [by_name.get(name) for name in names]
    if total is None or None in amounts:
        return [None] * len(names)
    return largest_remainder(amounts, float(round(total) - round(beside or 0.0)))


# --- Spot in plain words: how often to write checkpoints, what is then lost, what that saves, and what cannot finish

WORTH_SAYING_USD = 1.0


def spot_sentences(advice: SpotAdvice) -> tuple[Message, ...]:
    """What spot means for one workload: the loss as assumed and at its best, then what the best saves a month.

    One sentence where it cannot finish, or the interval assumed is as good as the best.
    """
    given: dict[str, Part] = {"one": _on(advice), "assumed": _assumed(advice), "best": _best(advice)}
    if advice.best_lost_share >= 1:
        lost = percent(advice.best_lost_share)
        return (
            worded(
                "{one} it would lose {best_lost_share} of its work even {best}, and never finish.",
                **given,
                best_lost_share=lost,
            ),
        )
    first = (
        worded(
            "{one} it would lose {lost_share} of its work {assumed} and never finish",
            **given,
            lost_share=percent(advice.lost_share),
        )
        if advice.lost_share >= 1
        else worded(
            "{one} it loses {lost_share} of its work {assumed}",
            **given,
            lost_share=percent(advice.lost_share, 1),
        )
    )
    if advice.barrier is None and advice.lost_share - advice.best_lost_share < 0.0005:
        return (worded("{first}. No other interval loses less.", first=first),)
    least = percent(advice.best_lost_share, 1)
    sentences = [
        worded("{first}; at best, {best}: {best_lost_share}.", **given, first=first, best_lost_share=least)
    ]
    if advice.barrier is not None:
        return (*sentences, *_if_allowed(advice))
    if advice.saves_usd_per_month is not None and advice.saves_usd_per_month >= WORTH_SAYING_USD:
        sentences.append(
            worded("That saves ${usd} per month with the same layers.", usd=whole(advice.saves_usd_per_month))
        )
    elif not advice.on_spot_at_best:
        sentences.append(worded("On demand is still cheaper."))
    return tuple(sentences)


def _if_allowed(advice: SpotAdvice) -> tuple[Message, ...]:
    """What spot would make of the longest job of training that its length keeps off, and how to allow it."""
    usd, on_demand = advice.run_usd or 0.0, advice.run_usd_on_demand
    run = worded(
        "Its longest job ({hours} h) would take {run_hours} h and cost {usd} on spot, {on_demand} on demand.",
        hours=decimals(advice.longest_job_hours),
        run_hours=decimals(advice.run_hours or 0.0),
        usd=amount(usd),
        on_demand=worded("an unknown amount") if on_demand is None else amount(on_demand),
    )
    if on_demand is not None and usd >= on_demand:
        return (run,)
    switch = SPEC_BY_NAME[rates.OF_LENGTH[rates.Barrier(advice.barrier or "")]].title
    return run, worded('To allow spot, switch on "{name}".', name=switch)


def worth_saying(advice: Sequence[SpotAdvice]) -> list[SpotAdvice]:
    """Of workloads that may use spot those that a better interval saves something."""
    return [spot for spot in advice if spot.barrier is None and (spot.saves_usd_per_month or 0.0) > 0]


def spot_summary(advice: Sequence[SpotAdvice]) -> tuple[Message, Message, float] | None:
    """A title, a sentence and $ a month that best intervals save over all workloads; None where that is under $1.

    Workloads that save nothing do not count.
    """
    worth = worth_saying(advice)
    usd = sum(suggestion.saves_usd_per_month or 0.0 for suggestion in worth)
    if usd < WORTH_SAYING_USD:
        return None
    times = sorted(s.best_interval_hours for s in worth if s.best_interval_hours is not None)
    count = len({suggestion.key for suggestion in worth})
    workloads = worded_whole(count, "{count} workload on spot", "{count} workloads on spot")
    if not times:
        least = worded("{name} would lose least without checkpoints.", name=workloads)
        return worded("Write no checkpoints on spot."), least, usd
    every = (
        _time(times[0])
        if times[0] == times[-1]
        else worded("{time} to {times}", time=_time(times[0]), times=_time(times[-1]))
    )
    assumed = _time(worth[0].interval_hours)
    least = worded("{name} would lose least; {assumed} is assumed.", name=workloads, assumed=assumed)
    return worded("Write checkpoints every {every} on spot.", every=every), least, usd


def _on(spot: SpotAdvice) -> Message:
    """Where it would run, with its nodes where there are several."""
    return (
        worded("On spot") if spot.nodes == 1 else worded("On spot, {nodes} nodes,", nodes=whole(spot.nodes))
    )


def _assumed(advice: SpotAdvice) -> Message:
    """How often checkpoints are written as assumed; none where jobs are shorter than that."""
    every = _time(advice.interval_hours)
    if advice.longest_job_hours < advice.interval_hours:
        return worded("without a checkpoint: its jobs are shorter than {hours}", hours=every)
    return worded("with a checkpoint every {hours}", hours=every)


def _best(advice: SpotAdvice) -> Message:
    """How often they are best written; None of an interval: none at all."""
    return (
        worded("without checkpoints")
        if advice.best_interval_hours is None
        else worded("every {hours}", hours=_time(advice.best_interval_hours))
    )


def _time(hours: float) -> Message:
    """45 min, 2.5 h, 4 h."""
    if hours < 1:
        return worded("{hours} min", hours=whole(60 * hours))
    return joined((decimals(hours, 0 if hours == round(hours) else 1), " h"))
