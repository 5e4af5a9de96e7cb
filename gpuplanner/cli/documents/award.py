"""An award as JSON: rows with who gets what, offers beside each row, vendors, quotes with what each saves."""

from typing import Final

from gpuplanner.cli.documents.head import Document
from gpuplanner.domain.award.award import Award, Awarded, plan_rate
from gpuplanner.domain.commitment.requests.asked_rows import AskedRow
from gpuplanner.domain.figures.award import AWARD
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.domain.reports.award import QUOTE_ENTRIES, VENDORS, open_words
from gpuplanner.domain.reports.entries import Entry, entries, entry, fields, named

ROW: Final = fields(
    named("row", "name"),
    "gpu_model",
    "gpus",
    "node_gpus",
    "term_months",
    "term_days",
    named("start", "start_s", "date"),
    named(AWARD["plan_rate"], plan_rate),
)
"""What is asked for."""
GIVEN: Final = fields(
    named("offer_id", "offer.offer_id"),
    named("provider", "offer.provider"),
    named("offer_gpu_model", "offer.gpu_model"),
    "nodes",
    AWARD["gpus"],
    AWARD["bought_gpus"],
    AWARD["rate"],
    named("upfront_usd_per_gpu", "upfront_per_gpu"),
    "term_hours",
    AWARD["liability"],
    AWARD["prepaid"],
    AWARD["at_plan_rate"],
    AWARD["saves_beside_plan"],
)
"""What one offer is given of a row."""
CONSIDERED: Final = fields(
    named("row", "row.name"),
    named("offer_id", "offer.offer_id"),
    named("provider", "offer.provider"),
    "qualifies",
    named("reasons", lambda one: [str(words) for words in one.against]),
    named("unknown", lambda one: [str(words) for words in one.unknown]),
)
"""An offer beside a row."""
SHARE: Final = fields(
    named("provider", lambda one: one[0].provider or None),
    named("region", lambda one: one[0].region or None),
    named("share", lambda one: one[1]),
)
"""Who may have no more than a share."""
TOTALS: Final = fields(
    "asked_gpus",
    named("awarded_gpus", lambda award: award.asked_gpus - award.open_gpus),
    "open_gpus",
    AWARD["liability"],
    AWARD["prepaid"],
)


def award_document(award: Award) -> Document:
    """order_day, the limits, rows with their awards, options, considered, totals, vendors and quotes.

    Money in that of the project. Source: docs/formulas.md, Award.
    """
    conditions = award.conditions
    return {
        "order_day": iso_utc(conditions.order_day_s),
        "sla_percent": conditions.sla_percent,
        "max_provider_share": conditions.max_share,
        "shares": [entry(SHARE, one) for one in conditions.shares.items()],
        "shares_of_usd": award.shared,
        "max_prepaid_usd": conditions.max_prepaid,
        "rows": [_row_entry(row, award) for row in award.rows],
        "options": [entry(ROW, row) for row in award.options],
        "considered": [entry(CONSIDERED, one) for one in award.considered],
        "totals": entry(TOTALS, award),
        "vendors": entries(VENDORS, award),
        "quotes": entries(QUOTE_ENTRIES, award),
    }


def _row_entry(row: AskedRow, award: Award) -> Entry:
    """A row, what stays open of it and why, and who is given what."""
    given: list[Awarded] = [one for one in award.awarded if one.row is row]
    left = next((one for one in award.open if one.row is row), None)
    return entry(ROW, row) | {
        "open_gpus": 0 if left is None else left.gpus,
        "open_reason": None if left is None else str(open_words(left)),
        "awards": [entry(GIVEN, one) for one in given],
    }
