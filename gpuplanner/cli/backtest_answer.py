"""The answer of `backtest` as text."""

from gpuplanner.cli.text_tables import dollars, table
from gpuplanner.domain.commitment.backtest.advice_backtest import WAYS, Backtest
from gpuplanner.domain.commitment.backtest.variants import Variant
from gpuplanner.domain.commitment.words.backtest_words import (
    caveat_of,
    fold_reasons,
    suggestion_of,
    verdict_of,
)
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.writing import ENGLISH, UNKNOWN, day
from gpuplanner.files.system.terminal_text import one_line

TITLES = {
    "advice": "Advice",
    "hindsight": "Hindsight",
    "lookback_7": "7 days",
    "lookback_28": "28 days",
    "lookback_56": "56 days",
    "lookback_7_cheapest": "7 d, any",
    "lookback_28_cheapest": "28 d, any",
    "lookback_56_cheapest": "56 d, any",
    "peak": "Peak",
    "mean": "Mean",
    "on_demand": titles.ON_DEMAND,
}


def backtest_text(answer: Backtest, variants: tuple[Variant, ...]) -> str:
    """Folds and sums as a table, then what was wrong and which settings would have paid; without folds why.

    A reason stands in one line.
    """
    if not answer.folds:
        return one_line(verdict_of(answer))
    rows = [(day(fold.paid_for[0]), *(dollars(fold.usd[way]) for way in WAYS)) for fold in answer.folds]
    rows.append(("All", *(dollars(answer.totals[way]) for way in WAYS)))
    parts = [
        "Backtest, $ of each month of 730 h; 7, 28, 56 days, peak and mean buy the shortest term; 'any': the term "
        "that is cheapest",
        table(("Month from", *(str(TITLES[way]) for way in WAYS)), rows),
        one_line(verdict_of(answer)),
        one_line(caveat_of(answer)),
    ]
    for fold in answer.folds:
        parts += [one_line(f"  {day(fold.paid_for[0])}: {reason}") for reason in fold_reasons(fold)]
    if variants:
        settings = [
            (
                one.title,
                ", ".join(f"{name}={value}" for name, value in one.settings.items()) or UNKNOWN,
                dollars(one.usd),
                ENGLISH.number(answer.over_hindsight(one.usd), 3),
            )
            for one in variants
        ]
        parts += [
            "Settings of the advice on this log",
            table(("Setting", "--set", "$", "x hindsight"), settings, left=2),
            one_line(suggestion_of(variants)),
        ]
    return "\n".join(parts)
