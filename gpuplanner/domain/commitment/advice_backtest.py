"""Backtest: would this advice have paid, with which settings, month by month over the log; and why not, in words."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from gpuplanner.domain.audit.spend.total_spend import UNKNOWN_MODEL
from gpuplanner.domain.commitment.demand.growth import fitted_growth
from gpuplanner.domain.commitment.history import (
    CHEAPEST,
    FIRST_MONTH,
    LOOKBACK_DAYS,
    RULES,
    SHORTEST,
    Held,
    History,
    Span,
    advised,
    advised_span,
    bought,
    hindsight_of,
    history_of,
    in_order,
    offers_at,
    pay,
    running_in,
    topped_up,
)
from gpuplanner.domain.figures.typed import decimals, percent, significant, whole
from gpuplanner.domain.message import Message, Part, Text, capital, joined, worded, worded_count
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME, AssumptionValue
from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.cube import BACKTEST_MONTHS, FIRM_BACKTEST_MONTHS
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.lazy_dataclass import dataclass

# --- Backtest: would this advice have paid? A walk forward over the log, month by month, beside other ways to buy

ADVICE: Final = "advice"
HINDSIGHT: Final = "hindsight"
ON_DEMAND: Final = "on_demand"
WAYS: Final = (ADVICE, HINDSIGHT, *RULES, ON_DEMAND)
"""Ways to buy, in the order in which they are shown; each has a `<way>_usd` in every fold."""
Settings = dict[str, AssumptionValue]
"""Assumptions by --set name that take the place of those in force."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFold:
    """One pool and model in one month: $ of each way (None: unknown), and what the advice held of it.

    mean_gpus_advised_on, mean_gpus: of the hours that the advice saw, and of those that came.
    """

    row: Row
    usd: dict[str, float | None]
    held_gpus: float
    hindsight_gpus: float
    mean_gpus_advised_on: float
    mean_gpus: float
    unused_usd: float
    beyond_gpu_hours: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """One month of the walk; times in epoch seconds. advised_on: what the advice saw; paid_for: what then came.

    Both spans are (begin, end), the end exclusive. usd: by way, None unknown. bought: what the advice bought
    in this month.
    """

    month: int
    advised_on: tuple[int, int]
    paid_for: tuple[int, int]
    usd: dict[str, float | None]
    rows: tuple[RowFold, ...]
    bought: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class Backtest:
    """All folds and their sums by way of buying; a sum is None where a month of it is.

    knows_rows: each advice knew its log by the rows before it; else its workloads were those of the whole log.
    is_tested: whether any way signed anything: where none could, not even for the peak, nothing is said of the advice.
    """

    folds: tuple[Fold, ...]
    totals: dict[str, float | None]
    knows_rows: bool = True
    is_tested: bool = True

    @property
    def advice_over_hindsight(self) -> float | None:
        """What the advice cost, as a multiple of what knowing everything would have cost.

        1 is as good as can be. None where either sum is unknown, or hindsight paid nothing.
        """
        return self.over_hindsight(self.totals[ADVICE])

    def over_hindsight(self, usd: float | None) -> float | None:
        """$ of the same months, as a multiple of what knowing everything would have cost; None where either is unknown.

        Law: 1 of hindsight itself, unless it paid nothing.
        """
        best = self.totals[HINDSIGHT]
        return usd / best if usd is not None and best else None


def backtest(project: Project, scenario: Scenario, pools: tuple[Pool, ...]) -> Backtest:
    """Walk forward over a project's window, which is the log; its contracts play no part.

    pools[i] is the pool of project.workloads[i]. No fold where the log is in use for less than two months of 730 h.
    Source: docs/formulas/backtest.md, Backtest.
    """
    return backtest_history(history_of(project, scenario, pools))


def backtest_history(history: History, is_cancelled: Callable[[], bool] = lambda: False) -> Backtest:
    """`backtest` of a history that is already there; without folds where it was cancelled.

    is_cancelled: asked between months and ways. No fold where the log has no month to pay for.
    Source: docs/formulas/backtest.md, Backtest.
    """
    nothing = Backtest((), dict.fromkeys(WAYS))
    if history.months <= FIRST_MONTH:
        return nothing
    holdings: dict[str, tuple[Held, ...]] = {ON_DEMAND: ()}
    holdings[ADVICE] = walk_advice(history, as_set, is_cancelled)
    for name, rule in RULES.items():
        if is_cancelled():
            return nothing
        holdings[name] = _walk(history, partial(topped_up, history, rule))
    offers = offers_at(history.project.offers, (), history.months - FIRST_MONTH)
    holdings[HINDSIGHT] = hindsight_of(history, FIRST_MONTH, offers)
    folds = tuple(_fold(history, holdings, month) for month in range(FIRST_MONTH, history.months))
    totals = {rule: known_sum([fold.usd[rule] for fold in folds]) for rule in WAYS}
    return Backtest(folds, totals, history.knows_rows, any(holdings.values()))


def walk_advice(
    history: History, settings: Callable[[Span], Settings], is_cancelled: Callable[[], bool] = lambda: False
) -> tuple[Held, ...]:
    """Everything that following the advice month after month would have bought; until it was cancelled.

    settings: of each month's advice, from what is known by then. Law: no hour after a month's beginning decides what
    is bought in it.
    """

    def buy(span: Span, running: Sequence[Held], month: int) -> tuple[Held, ...]:
        assumptions = history.assumptions.with_values(settings(span))
        return bought(advised(history, span, running, month, assumptions), month)

    return _walk(history, buy, is_cancelled)


def _walk(
    history: History,
    buy: Callable[[Span, Sequence[Held], int], tuple[Held, ...]],
    is_cancelled: Callable[[], bool] = lambda: False,
) -> tuple[Held, ...]:
    """All that is bought month by month. buy: from the log so far, what runs, and the month."""
    held: tuple[Held, ...] = ()
    for month in range(FIRST_MONTH, history.months):
        if is_cancelled():
            break
        running = running_in(held, month)
        offers = offers_at(history.project.offers, running, history.months - month)
        held = (*held, *buy(advised_span(history, month, offers), running, month))
    return held


def advice_by_month(history: History, held: Sequence[Held]) -> tuple[float | None, ...]:
    """What a walk's holdings cost in each month that was paid for.

    Units: $ of each month from FIRST_MONTH on; None where GPUs paid by use have no rate.
    """
    months: list[float | None] = []
    for month in range(FIRST_MONTH, history.months):
        running = running_in(held, month)
        rows = in_order({*history.came[month].users, *(h.row for h in running)})  # sums hang on the order
        paid = (pay(history.came[month], month, [h for h in running if h.row == row], row) for row in rows)
        months.append(known_sum([row.usd for row in paid]))
    return tuple(months)


def _fold(history: History, holdings: dict[str, tuple[Held, ...]], month: int) -> Fold:
    """One month; its rows are those that were seen, came, or are held: nothing that only comes later."""
    seen, came = advised_span(history, month, ()), history.came[month]
    held = {holding.row for own in holdings.values() for holding in running_in(own, month)}
    names = in_order({*seen.users, *came.users, *held})
    rows = tuple(_row_fold(history, holdings, month, seen, row) for row in names)
    return Fold(
        month=month,
        advised_on=(seen.log.window.start_s, seen.end_s),
        paid_for=(came.end_s - MONTH_S, came.end_s),
        usd={rule: known_sum([row.usd[rule] for row in rows]) for rule in WAYS},
        rows=rows,
        bought=tuple(holding for holding in holdings[ADVICE] if holding.month == month),
    )


def _row_fold(
    history: History, holdings: dict[str, tuple[Held, ...]], month: int, seen: Span, row: Row
) -> RowFold:
    """One pool and model in one month, in every way of buying. seen: the log as the advice of that month knew
    it.
    """
    came = history.came[month]
    held = {rule: [h for h in running_in(own, month) if h.row == row] for rule, own in holdings.items()}
    of_ways = {rule: pay(came, month, own, row) for rule, own in held.items()}
    usd = {rule: paid.usd for rule, paid in of_ways.items()}
    usd[ON_DEMAND] = _on_demand_usd(came, row)
    advice = of_ways[ADVICE]
    held_hours = sum(holding.gpus * holding.hours_in(month) for holding in held[ADVICE])
    return RowFold(
        row=row,
        usd={rule: usd[rule] for rule in WAYS},
        held_gpus=sum(holding.gpus for holding in held[ADVICE]),
        hindsight_gpus=sum(holding.gpus for holding in held[HINDSIGHT]),
        mean_gpus_advised_on=float(seen.gpus(row).mean()),
        mean_gpus=float(came.gpus(row).mean()),
        unused_usd=advice.held_usd * advice.unused_gpu_hours / held_hours if held_hours else 0.0,
        beyond_gpu_hours=advice.beyond_gpu_hours,
    )


def _on_demand_usd(came: Span, row: Row) -> float | None:
    """All of a month at the cheapest eligible on-demand rate, never spot."""
    if row not in came.users:
        return 0.0
    offer = came.prices[row].on_demand
    return None if offer is None or not offer.rate else float(came.gpus(row).sum()) * offer.rate


# --- Variants: which settings of the advice would have paid on this log, each walked forward like the advice itself

HALF_LIVES_DAYS: Final = (3.5, 7.0, 14.0, 28.0)
RECENT_DAYS: Final = 7.0
FALLING_DAYS: Final = 3.5
AS_SET: Final = "as_set"
RECENT_FALL: Final = "recent_fall"
"""Where nothing is known yet: recent weeks count more, and a clear fall goes on. A rise is not built on."""
CLEARLY_LESS: Final = 0.98
"""Another setting takes its place once it has cost less than this share of it."""
BEST_SO_FAR: Final = "best_so_far"


@dataclass(frozen=True, slots=True, kw_only=True)
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


def as_set(span: Span) -> Settings:
    """The assumptions as they are set, whatever the hours show."""
    return {}


def growth_settings(span: Span) -> Settings:
    """Growth of each pool as these hours show it, where its range leaves out 0; the others stay as set.

    By --set name, ratios a month, rounded to four digits and within the bounds of the assumption.
    """
    answer: Settings = {}
    for pool in Pool:
        name, growth = f"growth_{pool}", fitted_growth(span.pool_gpus(pool))
        if growth is not None and growth.is_clear:
            spec = SPEC_BY_NAME[name]
            answer[name] = round(min(max(growth.value, spec.low), spec.high), 4)
    return answer


def fall_settings(span: Span) -> Settings:
    """Growth of each pool whose demand clearly falls in these hours; one that rises stays as set.

    By --set name, ratios a month, all below 0.
    """
    return {
        name: value for name, value in growth_settings(span).items() if isinstance(value, float) and value < 0
    }


def set_half_life(days: float, more: Callable[[Span], Settings] = as_set) -> Callable[[Span], Settings]:
    """One half-life, whatever the hours show, and more settings from them."""
    return lambda span: {"recency_half_life_days": days, **more(span)}


VARIANTS: Final[Mapping[str, tuple[Message, Callable[[Span], Settings]]]] = {
    AS_SET: (worded("As set"), as_set),
    **{
        f"half_life_{days:g}": (
            worded("Recent weeks weigh more: half-life {days} days", days=significant(days)),
            set_half_life(days),
        )
        for days in HALF_LIVES_DAYS
    },
    "fitted_growth": (worded("The log's growth"), growth_settings),
    "recent_growth": (
        worded("Half-life {recent_days} days, with log growth", recent_days=significant(RECENT_DAYS)),
        set_half_life(RECENT_DAYS, growth_settings),
    ),
    RECENT_FALL: (
        worded("Half-life {falling_days} days, with log decline", falling_days=significant(FALLING_DAYS)),
        set_half_life(FALLING_DAYS, fall_settings),
    ),
}
"""By name, in the order in which they are shown: what each is called, and what it sets from the hours that it sees."""


def variants_of(history: History, is_cancelled: Callable[[], bool] = lambda: False) -> tuple[Variant, ...]:
    """Every variant, the assumptions in force first; as many as there were when it was cancelled.

    No variant where the log has less than two months.
    """
    if history.months <= FIRST_MONTH:
        return ()
    now = advised_span(history, history.months, ())
    answer: list[Variant] = []
    for name, (title, settings) in VARIANTS.items():
        if is_cancelled():
            return tuple(answer)
        by_month = advice_by_month(history, walk_advice(history, settings, is_cancelled))
        answer.append(
            Variant(
                name=name,
                title=title,
                settings=settings(now),
                usd=known_sum(by_month),
                by_month=by_month,
                is_as_set=name == AS_SET,
            )
        )
    return (*answer, choose_best_so_far(history, answer))


def choose_best_so_far(history: History, variants: Sequence[Variant]) -> Variant:
    """Each month the settings that would clearly have cost least in the months before it, else RECENT_FALL.

    Nothing of the future is used. What is signed for long is cheap at first, so that others have to have cost less.
    """
    careful = next(place for place, variant in enumerate(variants) if variant.name == RECENT_FALL)

    def best_at(months_known: int) -> Variant:
        spent = [known_sum(variant.by_month[:months_known]) for variant in variants]
        known = [(usd, place) for place, usd in enumerate(spent) if usd is not None]
        usd, place = min(known, default=(0.0, careful))
        to_beat = spent[careful]
        is_clear = to_beat is not None and usd < CLEARLY_LESS * to_beat
        return variants[place if is_clear else careful]

    def settings(span: Span) -> Settings:
        month = (span.end_s - history.project.window.start_s) // MONTH_S
        _, of_best = VARIANTS[best_at(month - FIRST_MONTH).name]
        return of_best(span)

    by_month = advice_by_month(history, walk_advice(history, settings))
    now = best_at(history.months - FIRST_MONTH)
    title = worded("The best so far")
    return Variant(
        name=BEST_SO_FAR, title=title, settings=now.settings, usd=known_sum(by_month), by_month=by_month
    )


WORTH_SAYING: Final = 0.02
"""A month's loss under this share of its cost is not explained."""
CHANGED: Final = 0.05
WILD: Final = 0.5
"""Mean change of demand from what was seen to what came, from which on a log is too wild to tell."""


def fold_reasons(fold: Fold) -> tuple[Message, ...]:
    """What the advice got wrong in one month beside hindsight, by pool and model, largest loss first.

    Losses under 2% of the month's cost are left out; empty where nothing was lost.
    """
    losses = [(row, _loss(row)) for row in fold.rows]
    total = fold.usd[ADVICE] or 0.0
    worth = [
        (row, loss) for row, loss in losses if loss is not None and loss > WORTH_SAYING * max(total, 1e-9)
    ]
    worth.sort(key=lambda row_and_loss: -row_and_loss[1])
    return tuple(_reason(row, loss) for row, loss in worth)


def _loss(row: RowFold) -> float | None:
    """$ above hindsight; None where either is unknown."""
    advice, best = row.usd[ADVICE], row.usd[HINDSIGHT]
    return None if advice is None or best is None else advice - best


def _reason(row: RowFold, loss: float) -> Message:
    """Pool and model, the loss, what was held and what would have been best, and what demand did."""
    pool, model = row.row
    change = row.mean_gpus / row.mean_gpus_advised_on - 1 if row.mean_gpus_advised_on else None
    if change is None:
        why = worded("no demand yet in the log")
    elif change < -CHANGED:
        why = worded("demand then fell {change}", change=percent(-change))
    elif change > CHANGED:
        why = worded("demand then rose {change}", change=percent(change))
    elif abs(row.held_gpus - row.hindsight_gpus) <= CHANGED * row.hindsight_gpus:
        why = worded("paid more for similar GPUs: a longer term was cheaper")
    elif row.held_gpus > row.hindsight_gpus:
        why = worded("demand was level, with lower peaks")
    else:
        why = worded("demand was level and steadier")
    name = worded("{pool}, {model}", pool=pool, model=model or "unknown model")
    held = worded(
        "{held_gpus} GPUs committed, best: {hindsight_gpus}",
        held_gpus=significant(row.held_gpus),
        hindsight_gpus=significant(row.hindsight_gpus),
    )
    return worded("{name}: ${loss} lost; {cost}; {why}", name=name, loss=whole(loss), cost=held, why=why)


WAY_NAMES: Final = {
    "advice": worded("The advice"),
    "hindsight": worded("Hindsight"),
    **{
        name: worded("Last {days}", days=worded("{days} days", days=whole(days)))
        for name, days in zip(SHORTEST, LOOKBACK_DAYS, strict=True)
    },
    **{
        name: worded("Last {days}", days=worded("{days} days, cheapest term", days=whole(days)))
        for name, days in zip(CHEAPEST, LOOKBACK_DAYS, strict=True)
    },
    "peak": worded("The peak so far"),
    "mean": worded("The mean so far"),
    "on_demand": capital(worded("all on demand")),
}
"""Every way of buying, as it is called in tables and at figures."""
LOOKBACK_NAMES: Final = {
    name: worded("{days} days", days=whole(days)) for name, days in zip(SHORTEST, LOOKBACK_DAYS, strict=True)
} | {
    name: worded("{days} days, cheapest term", days=whole(days))
    for name, days in zip(CHEAPEST, LOOKBACK_DAYS, strict=True)
}
NOBODY_KNOWS: Final = worded("No rule beats hindsight: the best of six lookbacks knows every hour.")
WITHOUT_ROWS: Final = worded("Without job rows, classes, longest jobs and nodes include the future.")
TOO_SHORT: Final = worded("Log too short: a backtest needs two months of GPU-hours.")


def caveat_of(answer: Backtest) -> Text:
    """What stands beside a result wherever it is shown; empty without one."""
    if not answer.folds:
        return ""
    if answer.knows_rows:
        return NOBODY_KNOWS
    return worded("{nobody_knows} {without_rows}", nobody_knows=NOBODY_KNOWS, without_rows=WITHOUT_ROWS)


def best_lookback(answer: Backtest) -> str | None:
    """The lookback that cost least, chosen afterwards (of several the first); None where none is known."""
    known = {name: usd for name in LOOKBACK_NAMES if (usd := answer.totals[name]) is not None}
    return min(known, key=lambda name: known[name]) if known else None


def verdict_of(answer: Backtest) -> Text:
    """One sentence: did it pay, beside hindsight, the best lookback and all on demand, and can this log tell?

    Without folds it says why. Three months at least are needed to tell.
    """
    folds, ratio = answer.folds, answer.advice_over_hindsight
    if not folds:
        return TOO_SHORT
    if ratio is None:
        rows = [row for fold in folds for row in fold.rows if row.usd[HINDSIGHT] is None]
        return worded(
            "Unknown: no on-demand rate for {models}. Add one, or map its name: --same 'model:…=…'",
            models=", ".join(sorted({str(row.row.name or UNKNOWN_MODEL) for row in rows})),
        )
    if not answer.is_tested:
        return worded(
            "Not testable: no offered term fits the log's {folds} paid months. The advice is not judged.",
            folds=whole(len(folds)),
        )
    words = worded("The advice cost {ratio} times the best in hindsight", ratio=decimals(ratio, 2))
    best = best_lookback(answer)
    if best is not None:
        rule = worded("the best of six lookbacks ({name})", name=LOOKBACK_NAMES[best])
        words = add_comparison(words, answer, best, rule)
    words = add_comparison(words, answer, ON_DEMAND, worded("all on demand"))
    if len(folds) < FIRM_BACKTEST_MONTHS - BACKTEST_MONTHS + 1:
        few = worded_count(
            len(folds),
            "One tested month is too few to conclude.",
            "{folds} tested months are too few to conclude.",
            folds=whole(len(folds)),
        )
        return joined((words, few), ". ")
    if mean_change(answer) > WILD:
        return worded(
            "{text}. Demand changed {answer} per month: too volatile to conclude.",
            text=words,
            answer=percent(mean_change(answer)),
        )
    return worded("{text}.", text=words)


def add_comparison(words: Message, answer: Backtest, rule: str, name: Message) -> Message:
    """Add to a sentence how the advice compares with another way of buying; unchanged where that is unknown."""
    advice, other = answer.totals[ADVICE], answer.totals[rule]
    if advice is None or not other:
        return words
    change = advice / other - 1
    given: dict[str, Part] = {"text": words, "change": percent(abs(change), 1), "name": name}
    if abs(change) < 0.0005:
        return worded("{text}, as much as {name}", text=words, name=name)
    if change > 0:
        return worded("{text}, {change} more than {name}", **given)
    return worded("{text}, {change} less than {name}", **given)


def mean_change(answer: Backtest) -> float:
    """Mean over folds and rows of how far demand moved from what was seen, weighted by what came.

    A ratio, 0..1; 0 without demand.
    """
    moved = spent = 0.0
    for fold in answer.folds:
        for row in fold.rows:
            moved += abs(row.mean_gpus - row.mean_gpus_advised_on)
            spent += max(row.mean_gpus, row.mean_gpus_advised_on)
    return moved / spent if spent else 0.0


def suggested_of(variants: tuple[Variant, ...]) -> Variant | None:
    """The settings to apply: those that choosing by the past alone comes to, where it would have paid; else None.

    None where the settings in force are as good, within 2%.
    """
    as_set = next((variant for variant in variants if variant.is_as_set), None)
    chosen = next((variant for variant in variants if variant.name == BEST_SO_FAR), None)
    if as_set is None or chosen is None or as_set.usd is None or chosen.usd is None:
        return None
    return chosen if chosen.settings and as_set.usd - chosen.usd > WORTH_SAYING * as_set.usd else None


def suggestion_of(variants: tuple[Variant, ...]) -> Text:
    """Which setting would have paid, and what choosing by the past alone would have; empty without variants."""
    as_set = next((variant for variant in variants if variant.is_as_set), None)
    known = [variant for variant in variants if variant.usd is not None and not variant.is_as_set]
    if as_set is None or as_set.usd is None or not known:
        return ""
    best = min(known, key=lambda variant: variant.usd or 0.0)
    saved = as_set.usd - (best.usd or 0.0)
    if all(variant.usd == as_set.usd for variant in known):
        return worded("All settings cost the same.")
    if saved <= WORTH_SAYING * as_set.usd:
        return worded("No other setting would have been noticeably better.")
    words = worded(
        "{title} would have saved ${saved} over {by_month} months.",
        title=best.title,
        saved=whole(saved),
        by_month=whole(len(best.by_month)),
    )
    chosen = suggested_of(variants)
    if chosen is None:
        return worded(
            "{text} Only hindsight finds it: month by month it would not have been chosen.", text=words
        )
    if chosen is best:
        return words
    less = as_set.usd - (chosen.usd or 0.0)
    by_the_past = worded("Choosing month by month would have saved ${found}", found=whole(less))
    return worded("{text} {by_the_past}: its settings can be used.", text=words, by_the_past=by_the_past)
