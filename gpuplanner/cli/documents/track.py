"""A plan against what came as JSON: planned, the rows that lead to what was paid, and what is left of each contract."""

from typing import Final

from gpuplanner.cli.documents.head import Document
from gpuplanner.domain.figures.costs.track import TRACK
from gpuplanner.domain.reports.entries import entries, entry, fields, named
from gpuplanner.domain.reports.track import BURN_DOWNS, OF_QUARTER, ROW_ENTRIES
from gpuplanner.domain.track.track import Track

TOTALS: Final = fields(
    "plan",
    TRACK["planned"],
    TRACK["actual"],
    TRACK["advice_now"],
    TRACK["hindsight"],
    named("notes", lambda track: [str(note) for note in track.notes]),
)


def track_document(track: Track) -> Document:
    """plan, the $ planned and paid, what stands beside them, rows, contracts and quarters. None is unknown.

    Law: planned_usd and the rows add up to actual_usd, to the cent. Source: docs/formulas.md, Track.
    """
    return entry(TOTALS, track) | {
        "rows": entries(ROW_ENTRIES, track),
        "contracts": entries(BURN_DOWNS, track),
        "quarters": [entry(OF_QUARTER, row) for row in track.quarters],
    }
