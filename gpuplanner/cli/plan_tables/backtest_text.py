"""A backtest as text in a terminal."""

from gpuplanner.cli.tables import dollars
from gpuplanner.cli.terminal import Tables, table
from gpuplanner.domain.commitment import advice_backtest
from gpuplanner.domain.commitment.advice_backtest import WAYS as BACKTEST_WAYS
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.writing import ENGLISH, UNKNOWN, day
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.system.terminal_output import one_line

TITLES = {**plain_table("backtest_way"), "on_demand": titles.ON_DEMAND}


def backtest_text(answer: advice_backtest.Backtest) -> str:
    """Whether the advice would have paid, and the sum of each rule of purchase; without folds why."""
    lines = [one_line(advice_backtest.verdict_of(answer))]
    if answer.folds:
        lines.append(one_line(advice_backtest.caveat_of(answer)))
    return "\n".join(lines)


def backtest_tables(
    answer: advice_backtest.Backtest, variants: tuple[advice_backtest.Variant, ...]
) -> Tables:
    """Each month, what was wrong there, and which settings would have paid."""
    return (
        ("folds", lambda: _folds_text(answer) if answer.folds else ""),
        (
            "reasons",
            lambda: "\n".join(
                one_line(f"  {day(fold.paid_for[0])}: {reason}")
                for fold in answer.folds
                for reason in advice_backtest.fold_reasons(fold)
            ),
        ),
        ("settings", lambda: _settings_text(answer, variants) if answer.folds and variants else ""),
    )


def _folds_text(answer: advice_backtest.Backtest) -> str:
    """Folds and their sums, $ of each month."""
    rows = [
        (day(fold.paid_for[0]), *(dollars(fold.usd[way]) for way in BACKTEST_WAYS)) for fold in answer.folds
    ]
    rows.append(("All", *(dollars(answer.totals[way]) for way in BACKTEST_WAYS)))
    return (
        "Backtest, $ of each month of 730 h; 7, 28, 56 days, peak and mean buy the shortest term; 'any': the term "
        "that is cheapest\n" + table(("Month from", *(str(TITLES[source]) for source in BACKTEST_WAYS)), rows)
    )


def _settings_text(answer: advice_backtest.Backtest, variants: tuple[advice_backtest.Variant, ...]) -> str:
    """What other settings of the advice would have cost."""
    settings = [
        (
            variant.title,
            ", ".join(f"{name}={value}" for name, value in variant.settings.items()) or UNKNOWN,
            dollars(variant.usd),
            ENGLISH.number(answer.over_hindsight(variant.usd), 3),
        )
        for variant in variants
    ]
    rows = table(("Setting", "--set", "$", "x hindsight"), settings, left=2)
    return f"Settings of the advice on this log\n{rows}\n{one_line(advice_backtest.suggestion_of(variants))}"
