"""Variants: which settings of the advice would have paid on this log, each walked forward like the advice itself."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.commitment.backtest.advice_backtest import advice_by_month, walk_advice
from gpuplanner.domain.commitment.backtest.history import FIRST_MONTH, History, Span, advised_span
from gpuplanner.domain.commitment.demand.trend import fitted_growth
from gpuplanner.domain.figures.typed import significant
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.assumptions import SPEC_BY_NAME, Assumptions, AssumptionValue
from gpuplanner.domain.model.window import MONTH_S

HALF_LIVES_DAYS: Final = (3.5, 7.0, 14.0, 28.0)
RECENT_DAYS: Final = 7.0
FALLING_DAYS: Final = 3.5
GROWTH: Final = "fitted_growth"
RECENT_GROWTH: Final = "recent_growth"
RECENT_FALL: Final = "recent_fall"
"""Where nothing is known yet: recent weeks count more, and a clear fall goes on. A rise is not built on."""
CLEARLY_LESS: Final = 0.98
"""Another setting takes its place once it has cost less than this share of it."""
BEST_SO_FAR: Final = "best_so_far"


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to set the advice, walked over the log.

    settings: assumptions (by --set name) that a planner applies to get it; of fitted ones those of the whole log.
    usd, by_month: None where a rate is missing. is_as_set: the assumptions in force.
    """

    name: str
    title: Message
    settings: Mapping[str, AssumptionValue]
    usd: float | None
    by_month: tuple[float | None, ...]
    is_as_set: bool = False


Chooser = Callable[[History, Span], Mapping[str, AssumptionValue]]


def _nothing(history: History, span: Span) -> Mapping[str, AssumptionValue]:
    """The assumptions as they are set."""
    return {}


def _half_life(days: float) -> Chooser:
    """One half-life, whatever the log shows."""
    return lambda history, span: {"recency_half_life_days": days}


def growth_settings(span: Span) -> dict[str, AssumptionValue]:
    """Growth of each pool as these hours show it, where its range leaves out 0; the others stay as set.

    By --set name, ratios a month, rounded to four digits and within the bounds of the assumption.
    """
    answer: dict[str, AssumptionValue] = {}
    for pool in Pool:
        found = fitted_growth(span.pool_gpus(pool))
        if found is not None and found.is_clear:
            answer[f"growth_{pool}"] = _within(f"growth_{pool}", found.value)
    return answer


def fall_settings(span: Span) -> dict[str, AssumptionValue]:
    """Growth of each pool whose demand clearly falls in these hours; one that rises stays as set.

    By --set name, ratios a month, all below 0.
    """
    return {
        name: value for name, value in growth_settings(span).items() if isinstance(value, float) and value < 0
    }


def _within(name: str, value: float) -> float:
    """A value that the assumption of that name may have."""
    spec = SPEC_BY_NAME[name]
    return round(min(max(value, spec.low), spec.high), 4)


def _fitted(settings: Callable[[Span], dict[str, AssumptionValue]]) -> Chooser:
    """Settings from the hours that the advice sees, whatever came before them."""
    return lambda history, span: settings(span)


def variants_of(history: History, is_cancelled: Callable[[], bool] = lambda: False) -> tuple[Variant, ...]:
    """Every variant, the assumptions in force first; as many as there were when it was cancelled.

    No variant where the log has less than two months.
    """
    if history.months <= FIRST_MONTH:
        return ()
    now = advised_span(history, history.months, ())
    choosers: dict[str, tuple[Message, Chooser, Mapping[str, AssumptionValue]]] = {
        "as_set": (worded("As set"), _nothing, {})
    }
    for days in HALF_LIVES_DAYS:
        choosers[f"half_life_{days:g}"] = (
            worded("Recent weeks count more: half-life {days} days", days=significant(days)),
            _half_life(days),
            {"recency_half_life_days": days},
        )
    growth = growth_settings(now)
    choosers[GROWTH] = (worded("Growth as the log shows it"), _fitted(growth_settings), growth)
    recent: dict[str, AssumptionValue] = {"recency_half_life_days": RECENT_DAYS}
    choosers[RECENT_GROWTH] = (
        worded(
            "Half-life {recent_days} days, and growth as the log shows it",
            recent_days=significant(RECENT_DAYS),
        ),
        lambda known, span: recent | growth_settings(span),
        recent | growth,
    )
    falling: dict[str, AssumptionValue] = {"recency_half_life_days": FALLING_DAYS}
    choosers[RECENT_FALL] = (
        worded(
            "Half-life {falling_days} days, and a fall as the log shows it",
            falling_days=significant(FALLING_DAYS),
        ),
        lambda known, span: falling | fall_settings(span),
        falling | fall_settings(now),
    )
    answer: list[Variant] = []
    for name, (title, chooser, settings) in choosers.items():
        if is_cancelled():
            return tuple(answer)
        held = walk_advice(history, _assumptions(chooser), is_cancelled)
        by_month = advice_by_month(history, held)
        answer.append(Variant(name, title, settings, known_sum(by_month), by_month, name == "as_set"))
    return (*answer, _best_so_far(history, choosers, answer))


def _assumptions(chooser: Chooser) -> Callable[[History, Span], Assumptions]:
    """What `walk_advice` asks for: the assumptions in force with what the chooser sets."""
    return lambda history, span: history.assumptions.with_values(chooser(history, span))


def _best_so_far(
    history: History,
    choosers: Mapping[str, tuple[Message, Chooser, Mapping[str, AssumptionValue]]],
    variants: list[Variant],
) -> Variant:
    """Each month the settings that would clearly have cost least in the months before it, else RECENT_FALL.

    Nothing of the future is used. What is signed for long is cheap at first, so that others have to have cost less.
    """
    careful = next(place for place, one in enumerate(variants) if one.name == RECENT_FALL)

    def best_at(months_known: int) -> Variant:
        spent = [known_sum(one.by_month[:months_known]) for one in variants]
        known = [(usd, place) for place, usd in enumerate(spent) if usd is not None]
        usd, place = min(known, default=(0.0, careful))
        to_beat = spent[careful]
        is_clear = months_known > 0 and to_beat is not None and usd < CLEARLY_LESS * to_beat
        return variants[place if is_clear else careful]

    def settings(known: History, span: Span) -> Mapping[str, AssumptionValue]:
        month = (span.end_s - known.project.window.start_s) // MONTH_S
        return choosers[best_at(month - FIRST_MONTH).name][1](known, span)

    by_month = advice_by_month(history, walk_advice(history, _assumptions(settings)))
    now = best_at(history.months - FIRST_MONTH)
    title = worded("Whatever paid best so far")
    return Variant(BEST_SO_FAR, title, now.settings, known_sum(by_month), by_month)
