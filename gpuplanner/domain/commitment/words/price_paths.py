"""Paths of prices in words: which way of buying costs least on each, and how wrong each can be."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gpuplanner.domain.commitment.outlook_result import PathCost
from gpuplanner.domain.commitment.recursion import rates
from gpuplanner.domain.figures.plan import PATH
from gpuplanner.domain.figures.typed import day, percent, significant, whole
from gpuplanner.domain.message import Message, Part, Text, worded
from gpuplanner.domain.model.plan.changes import PriceChange

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
