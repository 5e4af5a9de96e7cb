"""The backtest as JSON: months, sums, other settings, and what is said of them."""

from typing import Final, NamedTuple

from gpuplanner.cli.documents.head import Document
from gpuplanner.cli.documents.outlook import log_support_entries
from gpuplanner.domain.commitment.backtest.advice_backtest import WAYS, Backtest
from gpuplanner.domain.commitment.backtest.variants import Variant
from gpuplanner.domain.commitment.words.backtest_words import (
    caveat_of,
    fold_reasons,
    suggestion_of,
    verdict_of,
)
from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.reports.entries import Fields, each, entry, fields, inside, named
from gpuplanner.domain.reports.report import Column


class _VariantRow(NamedTuple):
    """Another setting, and what it cost as a multiple of hindsight."""

    variant: Variant
    over_hindsight: float | None


def _usd(way: str, of: str) -> Column:
    """What one way of buying cost, in the row's field `of`."""
    return named(f"{way}_usd", lambda row: getattr(row, of)[way])


def _by_way(of: str) -> Fields:
    """$ of every way to buy; null where GPUs paid by use have no rate."""
    return tuple(_usd(way, of) for way in WAYS)


SPAN: Final = fields(named("start", lambda span: span[0], "date"), named("end", lambda span: span[1], "date"))
ROW: Final = fields(
    named("pool", lambda one: one.row[0].value),
    named("gpu_model", lambda one: one.row[1]),
    *_by_way("usd"),
    "held_gpus",
    "hindsight_gpus",
    "mean_gpus_advised_on",
    "mean_gpus",
    "unused_usd",
    "beyond_gpu_hours",
)
"""One pool and model of a month."""
HELD: Final = fields(
    named("pool", lambda one: one.row[0].value),
    named("gpu_model", lambda one: one.row[1]),
    "offer_id",
    "term_months",
    LAYER["gpus"],
    named(LAYER["rate"], "rate_usd_per_gpu_hour"),
)
"""What the advice bought in a month."""
FOLD: Final = fields(
    inside("advised_on", SPAN),
    inside("paid_for", SPAN),
    *_by_way("usd"),
    each("rows", ROW),
    each("bought", HELD),
    named("reasons", lambda fold: list(fold_reasons(fold))),
)
"""One month: what was known, what it cost by each way of buying, and why."""
TOTALS: Final = fields(*_by_way("totals"), "advice_over_hindsight")
VARIANT: Final = fields(
    named("name", "variant.name"),
    named("title", "variant.title"),
    named("settings", lambda row: dict(row.variant.settings)),
    named("usd", "variant.usd"),
    "over_hindsight",
)


def backtest_document(answer: Backtest, variants: tuple[Variant, ...], hours: int) -> Document:
    """folds, totals, and beside them what the advice held, why it lost, and other settings. hours: of the log.

    $ of each month of 730 h; null where GPUs paid by use have no rate. Without folds the totals are null and
    the verdict says why.
    """
    return {
        "folds": [entry(FOLD, fold) for fold in answer.folds],
        "totals": entry(TOTALS, answer),
        "verdict": verdict_of(answer),
        "caveat": caveat_of(answer),
        "variants": [entry(VARIANT, _VariantRow(one, answer.over_hindsight(one.usd))) for one in variants],
        "suggestion": suggestion_of(variants),
        "log_support": log_support_entries(hours),
    }
