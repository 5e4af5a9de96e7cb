"""What a fleet's spend is for, as reports: published figures beside its own. All are about a `Past`."""

from typing import Final

from gpuplanner.domain.audit.mix import Published, billed, published_beside
from gpuplanner.domain.figures.mix import BILL, KINDS, PUBLISHED
from gpuplanner.domain.figures.typed import percent
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.reports.costs import OF_HELD
from gpuplanner.domain.reports.report import BRIEF, SHEET, TERMINAL, WINDOW, Column, Report, named

HIDDEN_SHARE: Final = "hidden_share"
READ: Final = WINDOW | TERMINAL | SHEET


def _range(row: Published) -> Text:
    """From and to as it is published; one where both are the same."""
    ends = [percent(row.low), percent(row.high)][: 1 + (row.low != row.high)]
    return joined(ends, " \u2013 ")


PUBLIC: Final = Report(
    title=worded("Published figures beside this fleet's"),
    rows=published_beside,
    key=lambda row: row.key,
    columns=(
        named("figure", "key"),
        Column(key="title", title=worded("Figure"), media=READ | BRIEF, form="name"),
        *map(named, ("low", "high")),
        Column(key="published", title=worded("Published"), media=READ | BRIEF, value=_range),
        *(Column(PUBLISHED[key]) for key in ("own", "at_long_run", "to_long_run")),
        Column(key="source", title=worded("Source")),
    ),
    note=worded("80:20 is inference of four times what training costs, in $."),
    adds_up=False,
)
HIDDEN: Final = Report(
    title=worded("On top of GPUs, by bill"),
    rows=billed,
    key=lambda row: "",
    columns=(
        *(Column(BILL[f"{kind}_billed"]) for kind in KINDS),
        Column(BILL["hidden_share"]),
        named("left_out", lambda row: list(row.left_out)),
        Column(
            key="none", title=worded("None of these"), media=READ, value=lambda row: ", ".join(row.left_out)
        ),
    ),
    note=worded(
        "Others put it at 20 to 40%. Services that are none of these are named and count in neither."
    ),
    adds_up=False,
)
LISTED: Final = OF_HELD | {"published_figures": PUBLIC}
"""Of which documents have rows."""
OF_PAST: Final = LISTED | {HIDDEN_SHARE: HIDDEN}
"""Reports about a past, by their names in documents: each in window, terminal, documents and workbook."""
