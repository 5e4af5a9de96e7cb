"""A backtest as JSON: months, sums and other settings."""

from typing import Final, NamedTuple

from gpuplanner.cli.documents.head import Document
from gpuplanner.cli.documents.outlook import log_support_entries
from gpuplanner.domain.commitment import advice_backtest
from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.reports import report


class _VariantRow(NamedTuple):
    """Another setting, and what it cost as a multiple of hindsight."""

    variant: advice_backtest.Variant
    over_hindsight: float | None


def _usd(purchase: str, of: str) -> report.Column:
    """What one way of buying cost, in the row's field `of`."""
    return report.named(f"{purchase}_usd", lambda row: getattr(row, of)[purchase])


def _by_way(of: str) -> report.Fields:
    """$ of every way to buy; null where GPUs paid by use have no rate."""
    return tuple(_usd(purchase, of) for purchase in advice_backtest.WAYS)


SPAN: Final = report.fields(
    report.named("start", lambda span: span[0], "date"), report.named("end", lambda span: span[1], "date")
)
BACKTEST_ROW: Final = report.fields(
    report.named("pool", lambda row: row.row[0].value),
    report.named("gpu_model", lambda row: row.row[1]),
    *_by_way("usd"),
    "held_gpus",
    "hindsight_gpus",
    "mean_gpus_advised_on",
    "mean_gpus",
    "unused_usd",
    "beyond_gpu_hours",
)
"""One pool and model of a month."""
HELD: Final = report.fields(
    report.named("pool", lambda row: row.row[0].value),
    report.named("gpu_model", lambda row: row.row[1]),
    "offer_id",
    "term_months",
    LAYER["gpus"],
    report.named(LAYER["rate"], "rate_usd_per_gpu_hour"),
)
"""What the advice bought in a month."""
FOLD: Final = report.fields(
    report.inside("advised_on", SPAN),
    report.inside("paid_for", SPAN),
    *_by_way("usd"),
    report.each("rows", BACKTEST_ROW),
    report.each("bought", HELD),
    report.named("reasons", lambda fold: list(advice_backtest.fold_reasons(fold))),
)
"""One month: what was known, what it cost by each way of buying, and why."""
BACKTEST_TOTALS: Final = report.fields(*_by_way("totals"), "advice_over_hindsight")
VARIANT: Final = report.fields(
    *report.of_part("variant", "name", "title"),
    report.named("settings", lambda row: dict(row.variant.settings)),
    report.named("usd", "variant.usd"),
    "over_hindsight",
)


def backtest_document(
    answer: advice_backtest.Backtest, variants: tuple[advice_backtest.Variant, ...], hours: int
) -> Document:
    """folds, totals, and beside them what the advice held, why it lost, and other settings. hours: of the log.

    $ of each month of 730 h; null where GPUs paid by use have no rate. Without folds the totals are null and
    the verdict says why.
    """
    return {
        "folds": [report.entry(FOLD, fold) for fold in answer.folds],
        "totals": report.entry(BACKTEST_TOTALS, answer),
        "verdict": advice_backtest.verdict_of(answer),
        "caveat": advice_backtest.caveat_of(answer),
        "variants": [
            report.entry(VARIANT, _VariantRow(variant, answer.over_hindsight(variant.usd)))
            for variant in variants
        ],
        "suggestion": advice_backtest.suggestion_of(variants),
        "log_support": log_support_entries(hours),
    }
