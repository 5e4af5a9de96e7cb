"""What a backtest says in plain words: what each loss came from, and whether the log can tell at all."""

from typing import Final

from gpuplanner.domain.commitment import advice_backtest
from gpuplanner.domain.commitment.history import CHEAPEST, LOOKBACK_DAYS, SHORTEST
from gpuplanner.domain.figures.typed import decimals, percent, significant, whole
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.cube import BACKTEST_MONTHS, FIRM_BACKTEST_MONTHS

WORTH_SAYING: Final = 0.02
"""A month's loss under this share of its cost is not explained."""
CHANGED: Final = 0.05
WILD: Final = 0.5
"""Mean change of demand from what was seen to what came, from which on a log is too wild to tell."""


def fold_reasons(fold: advice_backtest.Fold) -> tuple[Message, ...]:
    """What the advice got wrong in one month beside hindsight, by pool and model, largest loss first.

    Losses under 2% of the month's cost are left out; empty where nothing was lost.
    """
    losses = [(row, _loss(row)) for row in fold.rows]
    total = fold.usd[advice_backtest.ADVICE] or 0.0
    worth = [
        (row, loss) for row, loss in losses if loss is not None and loss > WORTH_SAYING * max(total, 1e-9)
    ]
    worth.sort(key=lambda one: -one[1])
    return tuple(_reason(row, loss) for row, loss in worth)


def _loss(row: advice_backtest.RowFold) -> float | None:
    """$ above hindsight; None where either is unknown."""
    advice, best = row.usd[advice_backtest.ADVICE], row.usd[advice_backtest.HINDSIGHT]
    return None if advice is None or best is None else advice - best


def _reason(row: advice_backtest.RowFold, loss: float) -> Message:
    """Pool and model, the loss, what was held and what would have been best, and what demand did."""
    pool, model = row.row
    change = row.mean_gpus / row.mean_gpus_advised_on - 1 if row.mean_gpus_advised_on else None
    if change is None:
        why = worded("there was no demand in the log so far")
    elif change < -CHANGED:
        why = worded("demand fell {change} from what the advice saw", change=percent(-change))
    elif change > CHANGED:
        why = worded("demand rose {change} from what the advice saw", change=percent(change))
    elif abs(row.held_gpus - row.hindsight_gpus) <= CHANGED * row.hindsight_gpus:
        why = worded("it paid more for about the same GPUs: a longer term would have been cheaper")
    elif row.held_gpus > row.hindsight_gpus:
        why = worded("demand held, but it peaked less than before")
    else:
        why = worded("demand held, but it was steadier than before")
    name = worded("{pool}, {model}", pool=pool, model=model or "unknown model")
    held = worded(
        "{held_gpus} GPUs held where {hindsight_gpus} would have been best",
        held_gpus=significant(row.held_gpus),
        hindsight_gpus=significant(row.hindsight_gpus),
    )
    return worded("{name}: ${loss} lost; {held}; {why}", name=name, loss=whole(loss), held=held, why=why)


WAY_NAMES: Final = {
    "advice": worded("The advice"),
    "hindsight": worded("Hindsight"),
    "lookback_7": worded("Last 7 days"),
    "lookback_28": worded("Last 28 days"),
    "lookback_56": worded("Last 56 days"),
    "lookback_7_cheapest": worded("Last 7 days, cheapest term"),
    "lookback_28_cheapest": worded("Last 28 days, cheapest term"),
    "lookback_56_cheapest": worded("Last 56 days, cheapest term"),
    "peak": worded("The peak so far"),
    "mean": worded("The mean so far"),
    "on_demand": worded("All on demand"),
}
"""Every way of buying, as it is called in tables and at figures."""
LOOKBACK_NAMES: Final = {
    name: worded("{days} days", days=whole(days)) for name, days in zip(SHORTEST, LOOKBACK_DAYS, strict=True)
} | {
    name: worded("{days} days with the cheapest term", days=whole(days))
    for name, days in zip(CHEAPEST, LOOKBACK_DAYS, strict=True)
}
NOBODY_KNOWS: Final = worded(
    "No rule beats the best of six lookbacks chosen afterwards: which of them that is, nobody knows before. "
    "Hindsight knows every hour that came."
)
WITHOUT_ROWS: Final = worded(
    "The job rows are not kept here, so classes, longest jobs and nodes are those of the whole log, which nobody knew "
    "then."
)
TOO_SHORT: Final = worded(
    "The log is too short: a backtest needs two months of 730 h, from its first GPU-hour to its last."
)


def caveat_of(answer: advice_backtest.Backtest) -> Text:
    """What stands beside a result wherever it is shown; empty without one."""
    if not answer.folds:
        return ""
    if answer.knows_rows:
        return NOBODY_KNOWS
    return worded("{nobody_knows} {without_rows}", nobody_knows=NOBODY_KNOWS, without_rows=WITHOUT_ROWS)


def best_lookback(answer: advice_backtest.Backtest) -> str | None:
    """The lookback that cost least, chosen afterwards (of several the first); None where none is known."""
    known = {name: usd for name in LOOKBACK_NAMES if (usd := answer.totals[name]) is not None}
    return min(known, key=lambda name: known[name]) if known else None


def verdict_of(answer: advice_backtest.Backtest) -> Text:
    """One sentence: did it pay, beside hindsight, the best lookback and all on demand, and can this log tell?

    Without folds it says why. Three months at least are needed to tell.
    """
    folds, ratio = answer.folds, answer.advice_over_hindsight
    if not folds:
        return TOO_SHORT
    if ratio is None:
        return worded(
            "Unknown: some demand has no price. Add an on-demand rate for every GPU model of the log."
        )
    said = worded("The advice cost {ratio} times what hindsight would have", ratio=decimals(ratio, 2))
    best = best_lookback(answer)
    if best is not None:
        rule = worded("the best of six lookbacks, {name}", name=LOOKBACK_NAMES[best])
        said += _beside(answer, best, rule)
    said += _beside(answer, advice_backtest.ON_DEMAND, worded("all on demand"))
    if len(folds) < FIRM_BACKTEST_MONTHS - BACKTEST_MONTHS + 1:
        count = (
            worded("1 month is") if len(folds) == 1 else worded("{folds} months are", folds=whole(len(folds)))
        )
        return worded("{said}. {count} too few to tell.", said=said, count=count)
    if mean_change(answer) > WILD:
        return worded(
            "{said}. Demand changed by {answer} per month on average: too wild to tell.",
            said=said,
            answer=percent(mean_change(answer)),
        )
    return worded("{said}.", said=said)


def _beside(answer: advice_backtest.Backtest, way: str, name: Message) -> Text:
    """How the advice compares with another way of buying, to be said behind a comma; empty where it is unknown."""
    advice, other = answer.totals[advice_backtest.ADVICE], answer.totals[way]
    if advice is None or not other:
        return ""
    change = advice / other - 1
    if abs(change) < 0.0005:
        return worded(", as much as {name}", name=name)
    word = "more" if change > 0 else "less"
    return worded(", {change} {word} than {name}", change=percent(abs(change), 1), word=word, name=name)


def mean_change(answer: advice_backtest.Backtest) -> float:
    """Mean over folds and rows of how far demand moved from what was seen, weighted by what came.

    A ratio, 0..1; 0 without demand.
    """
    moved = spent = 0.0
    for fold in answer.folds:
        for row in fold.rows:
            moved += abs(row.mean_gpus - row.mean_gpus_advised_on)
            spent += max(row.mean_gpus, row.mean_gpus_advised_on)
    return moved / spent if spent else 0.0


def suggested_of(variants: tuple[advice_backtest.Variant, ...]) -> advice_backtest.Variant | None:
    """The settings to apply: those that choosing by the past alone comes to, where it would have paid; else None.

    None where the settings in force are as good, within 2%.
    """
    as_set = next((one for one in variants if one.is_as_set), None)
    chosen = next((one for one in variants if one.name == advice_backtest.BEST_SO_FAR), None)
    if as_set is None or chosen is None or as_set.usd is None or chosen.usd is None:
        return None
    return chosen if chosen.settings and as_set.usd - chosen.usd > WORTH_SAYING * as_set.usd else None


def suggestion_of(variants: tuple[advice_backtest.Variant, ...]) -> Text:
    """Which setting would have paid, and what choosing by the past alone would have; empty without variants."""
    as_set = next((one for one in variants if one.is_as_set), None)
    known = [one for one in variants if one.usd is not None and not one.is_as_set]
    if as_set is None or as_set.usd is None or not known:
        return ""
    best = min(known, key=lambda one: one.usd or 0.0)
    saved = as_set.usd - (best.usd or 0.0)
    if saved <= WORTH_SAYING * as_set.usd:
        return worded("No other setting would have paid noticeably more on this log.")
    said = worded(
        "{title} would have cost ${saved} less over {by_month} months.",
        title=best.title,
        saved=whole(saved),
        by_month=whole(len(best.by_month)),
    )
    chosen = suggested_of(variants)
    if chosen is None:
        return worded(
            "{said} That is hindsight: choosing by what was known each month would not have found it.",
            said=said,
        )
    if chosen is best:
        return said
    found = as_set.usd - (chosen.usd or 0.0)
    by_the_past = worded(
        "Choosing by what was known each month would have cost ${found} less", found=whole(found)
    )
    return worded("{said} {by_the_past}: its settings now can be used.", said=said, by_the_past=by_the_past)
