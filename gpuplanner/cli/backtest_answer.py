"""The answer of `backtest`: its JSON document, and the same as text."""

from dataclasses import asdict

from gpuplanner.cli.documents import Document, log_support_document, time_text
from gpuplanner.cli.text_tables import dollars, table
from gpuplanner.domain.commitment.backtest.advice_backtest import WAYS, Backtest, Fold, RowFold
from gpuplanner.domain.commitment.backtest.variants import Variant
from gpuplanner.domain.commitment.backtest.walk_forward import Held
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


def backtest_document(answer: Backtest, variants: tuple[Variant, ...], hours: int) -> Document:
    """folds, totals, and beside them what the advice held, why it lost, and other settings. hours: of the log.

    $ of each month of 730 h; null where GPUs paid by use have no rate. Without folds the totals are null and
    the verdict says why.
    """
    totals: Document = {f"{way}_usd": answer.totals[way] for way in WAYS}
    return {
        "folds": [_fold(fold) for fold in answer.folds],
        "totals": totals | {"advice_over_hindsight": answer.advice_over_hindsight},
        "verdict": verdict_of(answer),
        "caveat": caveat_of(answer),
        "variants": [
            {
                "name": one.name,
                "title": one.title,
                "settings": dict(one.settings),
                "usd": one.usd,
                "over_hindsight": _over(one.usd, answer),
            }
            for one in variants
        ],
        "suggestion": suggestion_of(variants),
        "log_support": log_support_document(hours),
    }


def _over(usd: float | None, answer: Backtest) -> float | None:
    """As a multiple of what hindsight would have cost; None where either is unknown."""
    best = answer.totals["hindsight"]
    return usd / best if usd is not None and best else None


def _fold(fold: Fold) -> Document:
    """One month: what was known, what it cost by each way of buying, and why."""
    return {
        "advised_on": {"start": time_text(fold.advised_on[0]), "end": time_text(fold.advised_on[1])},
        "paid_for": {"start": time_text(fold.paid_for[0]), "end": time_text(fold.paid_for[1])},
        **{f"{way}_usd": fold.usd[way] for way in WAYS},
        "rows": [_row(row) for row in fold.rows],
        "bought": [_held(one) for one in fold.bought],
        "reasons": list(fold_reasons(fold)),
    }


def _row(row: RowFold) -> Document:
    """One pool and model of a month: the fields of `RowFold`, $ by way."""
    figures = asdict(row)
    usd, (pool, model) = figures.pop("usd"), figures.pop("row")
    return {"pool": pool, "gpu_model": model, **{f"{way}_usd": usd[way] for way in WAYS}, **figures}


def _held(one: Held) -> Document:
    """What the advice bought in a month."""
    return {
        "pool": one.row[0].value,
        "gpu_model": one.row[1],
        "offer_id": one.offer_id,
        "term_months": one.term_months,
        "gpus": one.gpus,
        "rate_usd_per_gpu_hour": one.rate_usd_per_gpu_hour,
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
                ENGLISH.number(_over(one.usd, answer), 3),
            )
            for one in variants
        ]
        parts += [
            "Settings of the advice on this log",
            table(("Setting", "--set", "$", "x hindsight"), settings, left=2),
            one_line(suggestion_of(variants)),
        ]
    return "\n".join(parts)
