"""An award as JSON: rows with GPUs per vendor, considered offers, and the savings of each quote."""

from typing import Final

from gpuplanner.cli.documents.head import Document
from gpuplanner.domain.award.award import Award, Awarded, plan_rate
from gpuplanner.domain.commitment.asked_rows import AskedRow
from gpuplanner.domain.figures.award import AWARD
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.domain.reports import report
from gpuplanner.domain.reports.award import BENCHMARKS, OF_REMARK, QUOTE_ENTRIES, VENDORS, open_words

AWARD_ROW: Final = report.fields(
    report.named("row", "name"),
    "gpu_model",
    "gpus",
    "node_gpus",
    "term_months",
    "term_days",
    report.named("start", "start_s", "date"),
    report.named(AWARD["plan_rate"], plan_rate),
)
"""What is asked for."""
GIVEN: Final = report.fields(
    *report.of_part("offer", "offer_id", "provider"),
    report.named("offer_gpu_model", "offer.gpu_model"),
    "nodes",
    *report.of_subject(AWARD, "gpus", "bought_gpus", "rate"),
    report.named("upfront_usd_per_gpu", "upfront_per_gpu"),
    "term_hours",
    *report.of_subject(AWARD, "liability", "prepaid", "at_plan_rate", "saves_beside_plan"),
    OF_REMARK[0],
)
"""What one offer is given of a row."""
CONSIDERED: Final = report.fields(
    report.named("row", "row.name"),
    *report.of_part("offer", "offer_id", "provider"),
    "qualifies",
    report.named("reasons", lambda row: [str(words) for words in row.against]),
    report.named("unknown", lambda row: [str(words) for words in row.unknown]),
    *OF_REMARK,
)
"""An offer beside a row."""
SHARE: Final = report.fields(
    report.named("provider", lambda row: row[0].provider or None),
    report.named("region", lambda row: row[0].region or None),
    report.named("country", lambda row: row[0].country or None),
    report.named("share", lambda row: row[1]),
)
"""Who may have no more than a share."""
AWARD_TOTALS: Final = report.fields(
    "asked_gpus",
    report.named("awarded_gpus", lambda award: award.asked_gpus - award.open_gpus),
    "open_gpus",
    *report.of_subject(AWARD, "liability", "prepaid"),
)


def award_document(award: Award) -> Document:
    """order_day, the limits, rows with their awards, options, considered, totals, vendors and quotes.

    Money in that of the project. Source: docs/formulas/quotes.md, Award.
    """
    conditions = award.conditions
    return {
        "order_day": iso_utc(conditions.order_day_s),
        "sla_percent": conditions.sla_percent,
        "max_provider_share": conditions.max_share,
        "shares": [report.entry(SHARE, share) for share in conditions.shares.items()],
        "shares_of_usd": award.shared,
        "max_prepaid_usd": conditions.max_prepaid,
        "rows": [_row_entry(row, award) for row in award.rows],
        "options": [report.entry(AWARD_ROW, row) for row in award.options],
        "considered": [report.entry(CONSIDERED, offer) for offer in award.considered],
        "totals": report.entry(AWARD_TOTALS, award),
        "vendors": report.entries(VENDORS, award),
        "quotes": report.entries(QUOTE_ENTRIES, award),
        "benchmarks": report.entries(BENCHMARKS, award),
        "gone": [{"reference": reference, "row": row} for reference, row in award.gone],
    }


def _row_entry(row: AskedRow, award: Award) -> report.Entry:
    """A row, what stays open of it and why, and who is given what."""
    given: list[Awarded] = [line for line in award.awarded if line.row is row]
    left = next((line for line in award.open if line.row is row), None)
    return report.entry(AWARD_ROW, row) | {
        "asked_as": list(dict.fromkeys(name for _, name in row.asked_as)),
        "open_gpus": 0 if left is None else left.gpus,
        "open_reason": None if left is None else str(open_words(left)),
        "awards": [report.entry(GIVEN, line) for line in given],
    }
