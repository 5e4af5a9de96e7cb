"""The paths of prices in words: what each is called, which way costs least on it, and how wrong each way can be."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.commitment.outlook_result import PathCost
from gpuplanner.domain.commitment.recursion.price_levels import (
    CUT,
    FALL_PER_MONTH,
    MONTH_OF_CUT,
    MONTHS_OF_RISE,
    RISE_PER_MONTH,
)
from gpuplanner.domain.figures.plan import PATH
from gpuplanner.domain.figures.typed import percent, significant, whole
from gpuplanner.domain.message import Message, Part, Text, worded
from gpuplanner.domain.model.scenario.dated import PriceChange
from gpuplanner.domain.model.window import iso_utc

PATH_NAMES: Final[dict[str, Message]] = {
    "fall": worded("Fall {share}/month", share=percent(FALL_PER_MONTH, 1)),
    "cut": worded("Cut by {share}", share=percent(CUT)),
    "flat": worded("Flat"),
    "rise": worded("Rise {share}/month", share=percent(RISE_PER_MONTH, 1)),
}
"""A path -> what prices do on it, in the room of a cell."""
PATH_WHERE: Final[dict[str, Message]] = {
    "fall": worded("where they fall {share} per month", share=percent(FALL_PER_MONTH, 1)),
    "cut": worded(
        "where they are cut by {share} in month {month}", share=percent(CUT), month=whole(MONTH_OF_CUT)
    ),
    "flat": worded("where they stay as they are"),
    "rise": worded(
        "where they rise {share} per month for {months} months",
        share=percent(RISE_PER_MONTH, 1),
        months=whole(MONTHS_OF_RISE),
    ),
}
"""A path -> the same, whole, within a sentence about prices."""
WAYS: Final[dict[str, Message]] = {
    "shorter_only_usd": worded("Shorter only"),
    "advice_usd": worded("The advice"),
    "longer_only_usd": worded("Longer only"),
}
"""Field of PathCost -> what the first month signs."""
PATHS_TITLE: Final = worded("What the first month signs, on four paths of prices")
SAME_USD: Final = 0.5


def cheapest_ways(cost: PathCost) -> frozenset[str]:
    """The ways that cost least on a path, more than one where they come to the same dollar.

    None where one is unknown, or where all cost the same.
    """
    usd = {way: getattr(cost, way) for way in WAYS}
    if None in usd.values():
        return frozenset()
    least = min(usd.values())
    found = frozenset(way for way, amount in usd.items() if amount < least + SAME_USD)
    return frozenset() if len(found) == len(WAYS) else found


def regret_usd(cost: PathCost, way: str) -> float | None:
    """What a way costs more on a path than the policy that knows it; None where unknown.

    way: a key of WAYS. Source: docs/formulas.md, Price paths.
    """
    return PATH.row({"expected": getattr(cost, way), "least_expected": cost.best_usd})["regret"]


def worst_regret(paths: Sequence[PathCost], way: str) -> tuple[float, str] | None:
    """The largest regret of a way over all paths, and the path; None where one is unknown.

    way: a key of WAYS. Returns $ and the key of the path.
    """
    found = [(regret_usd(cost, way), cost.path) for cost in paths]
    known = [(usd, path) for usd, path in found if usd is not None]
    return max(known, key=lambda one: one[0]) if known and len(known) == len(found) else None


def paths_sentences(paths: Sequence[PathCost], horizon_months: int) -> tuple[Text, ...]:
    """How wrong the advice can be, and the other two beside it; why they are unknown.

    One sentence where all ways are the same now, or nothing is known.
    """
    worst = {way: worst_regret(paths, way) for way in WAYS}
    advice, shorter, longer = (worst[way] for way in ("advice_usd", "shorter_only_usd", "longer_only_usd"))
    if advice is None or shorter is None or longer is None:
        return (worded("What the paths cost is not known: a rate is missing, or demand is left to nobody."),)
    if advice[0] < SAME_USD:
        first = worded(
            "Whatever prices do, nobody who knew it beforehand would sign better now than the advice."
        )
    else:
        first = worded(
            "At worst the advice costs ${usd} more over {months} months than if prices were known beforehand: {path}.",
            usd=whole(advice[0]),
            months=whole(horizon_months),
            path=PATH_WHERE[advice[1]],
        )
    if not any(_differs(paths, way) for way in WAYS):
        return (first, worded("Signing short, as advised and long is the same now."))
    return (
        first,
        _beside(worded("Signing nothing over 12 months"), shorter, paths, "shorter_only_usd"),
        _beside(worded("Signing it all for the longest term"), longer, paths, "longer_only_usd"),
    )


def price_changes_sentences(changes: Sequence[PriceChange]) -> tuple[Message, ...]:
    """Prices of H100 times 0.8 from 2026-12-01 on are in the plan and in all paths.

    In given order, one each.
    """
    answer = []
    for change in changes:
        values: dict[str, Part] = {
            "gpu_model": change.gpu_model,
            "factor": significant(change.factor, 10),
            "day": iso_utc(change.from_s)[:10],
        }
        if change.by:
            text = worded(
                "Prices of {gpu_model}, evenly to times {factor} by {day}, are in all paths.", **values
            )
        else:
            text = worded("Prices of {gpu_model} times {factor} from {day} on are in all paths.", **values)
        answer.append(text)
    return tuple(answer)


def _differs(paths: Sequence[PathCost], way: str) -> bool:
    """Whether a way costs something else than the advice on some path."""
    pairs = [(regret_usd(one, way) or 0.0, regret_usd(one, "advice_usd") or 0.0) for one in paths]
    return any(abs(usd - advice) >= SAME_USD for usd, advice in pairs)


def _beside(what: Message, worst: tuple[float, str], paths: Sequence[PathCost], way: str) -> Message:
    """On how many paths a way costs less than the advice, and how wrong it can be."""
    if not _differs(paths, way):
        return worded(
            "{what} costs what the advice does on all {count} paths.", what=what, count=whole(len(paths))
        )
    less = sum(
        (regret_usd(one, way) or 0.0) < (regret_usd(one, "advice_usd") or 0.0) - SAME_USD for one in paths
    )
    return worded(
        "{what} costs less than the advice on {less} of the {count} paths; at worst ${usd} more than if prices were "
        "known: {path}.",
        what=what,
        less=whole(less) if less else worded("none"),
        count=whole(len(paths)),
        usd=whole(worst[0]),
        path=PATH_WHERE[worst[1]],
    )
