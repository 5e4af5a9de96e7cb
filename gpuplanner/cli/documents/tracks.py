"""Plan vs. actual as JSON: planned, the rows that lead to the paid amount, and what is left of contracts."""

from typing import Final

from gpuplanner.cli.documents.head import Document
from gpuplanner.domain.figures.changes import TRACK
from gpuplanner.domain.reports import report
from gpuplanner.domain.reports.changes import BURN_DOWNS, BY_WORKLOAD, OF_QUARTER, ROW_ENTRIES
from gpuplanner.domain.track.track import Track

TRACK_TOTALS: Final = report.fields(
    "plan",
    *report.of_subject(TRACK, "planned", "actual", "advice_now", "hindsight"),
    report.named("notes", lambda track: [str(note) for note in track.notes]),
)


def track_document(track: Track) -> Document:
    """plan, the $ planned and paid, what stands beside them, rows, contracts and quarters. None is unknown.

    Law: planned_usd and the rows add up to actual_usd, to the cent. Source: docs/formulas/backtest.md, Track.
    """
    return report.entry(TRACK_TOTALS, track) | {
        "rows": report.entries(ROW_ENTRIES, track),
        "contracts": report.entries(BURN_DOWNS, track),
        "by_workload": report.entries(BY_WORKLOAD, track),
        "quarters": [report.entry(OF_QUARTER, row) for row in track.quarters],
    }
