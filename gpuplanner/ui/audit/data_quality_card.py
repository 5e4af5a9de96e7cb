"""The card of data quality: coverage of the log, gaps, and values that look wrong."""

from typing import Final

from PySide6.QtWidgets import QFrame, QWidget

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.intake import ACTIVITY, GAP_RULE, SERIOUS_BELOW, DataQuality, Gap, quality_gaps
from gpuplanner.files.system.resources import words_table
from gpuplanner.ui.kit.layout import column, named, row
from gpuplanner.ui.kit.page_parts import heading_label, muted_label
from gpuplanner.ui.tables.cells import Cell, Filled, Row, asked, filled_row, written
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers

COVERAGE: Final = words_table("coverage")
"""Shares of a log by field, and what each says."""
ROOM_FROM = 640
"""Height of the window, in pixels, from which there is room beside the board."""

GAPS_NAMED = 5
VALUES_NAMED = 6
GAPS_TOLD = 2
"""Fields that are named in the card; its tool tip has them all."""


class DataQualityCard(QFrame):
    """One row of figures about the log, with its findings named first; hidden where no log is loaded, or no room."""

    def __init__(self) -> None:
        super().__init__()
        named(self, tr("Data quality"), look="card")
        self._has_figures, self._has_room = False, True
        self.table = FigureTable(tr("Data quality"))
        self.remedy = muted_label()
        self.remedy.setContentsMargins(22, 0, 0, 2)
        column(self.table, self.remedy, on=self, margins=(14, 4, 14, 6))
        head = QWidget(self)  # beside the headings of the table: no line of its own
        span = muted_label(tr("Whole log"), is_wrapped=False)
        row(heading_label(tr("Data quality")), span, on=head, spacing=8)
        head.move(15, 8)
        head.adjustSize()

    def show_evaluation(self, evaluation: Evaluation) -> None:
        """Show the quality of the project's log."""
        quality = evaluation.project.jobs.quality
        self._has_figures = quality is not None
        if quality is not None:
            self.table.show_whole(COLUMNS, (quality_row(quality),))
            gaps = [gap for gap in quality_gaps(quality) if _is_serious(gap)]
            self.remedy.show_text("\n".join(map(gap_sentence, gaps[:GAPS_TOLD])))
        self.setVisible(self._has_figures and self._has_room)

    def show_in(self, window_height: int) -> None:
        """Make room for the cards where the window is low: the board comes first."""
        self._has_room = window_height >= ROOM_FROM
        self.setVisible(self._has_figures and self._has_room)


def quality_row(quality: DataQuality) -> Row:
    """The figures; every tool tip says what the figure is, and what would better it."""
    return filled_row(COLUMNS, quality)


def _jobs(quality: DataQuality) -> Cell:
    tip = tr("All imported jobs, CPU jobs included")
    return written(numbers.whole, quality.jobs, tip=tip, figure_id=figure("quality_jobs"))


def _hours(quality: DataQuality) -> Cell:
    tip = tr("Share of hours with a running job, first to last event")
    return _share(quality.shares["time_coverage"], tip, "quality_hours")


def _gap_hours(quality: DataQuality) -> Cell:
    tip = tr("A gap is: {gap_rule}.", gap_rule=GAP_RULE)
    return written(numbers.whole, quality.gap_hours, tip=tip, figure_id=figure("quality_gaps"))


def _covered(quality: DataQuality, field: str) -> Cell:
    return _share(quality.shares[field], COVERAGE[field], "quality_share", field)


def _verdict(quality: DataQuality) -> Cell:
    """What looks wrong, else what is not known, else that all is there; its tool tip says what to do about it."""
    found, gaps = findings(quality), quality_gaps(quality)
    tip = "\n".join(filter(None, (_tip(quality), *map(gap_sentence, gaps))))
    if found:
        return Cell(text=numbers.capital("; ".join(found)), icon="triangle", icon_role="amber", tip=tip)
    if gaps:
        text = "; ".join(map(gap_words, gaps[:GAPS_TOLD]))
        icon, role = ("triangle", "amber") if _is_serious(gaps[0]) else ("info", "muted")
        return Cell(text=text, icon=icon, icon_role=role, tip=tip)
    text = tr("No gap, nothing missing")
    return Cell(text=text, icon="tick", icon_role="green", tip=tr("A gap is: {gap_rule}.", gap_rule=GAP_RULE))


def _is_serious(gap: Gap) -> bool:
    """Whether so much is missing that figures suffer; activity is seldom there and is no fault of the log."""
    return gap.share < SERIOUS_BELOW and gap.field != ACTIVITY


def gap_words(gap: Gap) -> str:
    """What is not known, in a few words."""
    field = spoken(gap.field)
    if not gap.share:
        return tr("{field}: not in the log", field=field)
    return tr("{field} known of {share}", field=field, share=numbers.percent(gap.share))


def gap_sentence(gap: Gap) -> str:
    """The same with what it means and what to do."""
    of = tr("of GPU-hours") if gap.is_of_gpu_time else tr("of jobs")
    return tr(
        "{words} {of}: {means}. To do: {remedy}.",
        words=gap_words(gap),
        of=of,
        means=spoken(gap.means),
        remedy=spoken(gap.remedy),
    )


def _share(share: float | None, tip: Text, kind: str, field: str = "") -> Cell:
    """A share in percent that answers why; a dash for unknown, which has nothing to answer."""
    return written(numbers.percent, share, tip=tip, figure_id=asked(share, kind, field))


COLUMNS: Final[tuple[Filled[DataQuality], ...]] = (
    Filled(title="", is_figure=False, cell=_verdict),  # under the title
    Filled(title="Jobs", cell=_jobs),
    Filled(title="Hours\nwith jobs", cell=_hours),
    Filled(title="In gaps\nhours", cell=_gap_hours),
    Filled(title="Jobs\nwith id", cell=lambda of: _covered(of, "id_coverage")),
    Filled(title="With\nname", cell=lambda of: _covered(of, "name_coverage")),
    Filled(title="With\nuser", cell=lambda of: _covered(of, "user_coverage")),
    Filled(title="GPU-hours\nwith model", cell=lambda of: _covered(of, "gpu_model_coverage")),
    Filled(title="GPU-hours\nwith activity", cell=lambda of: _covered(of, "activity_coverage")),
    Filled(title="Times\nwithout zone", cell=lambda of: _covered(of, "naive_time_share")),
    Filled(title="Zero-length\njobs", cell=lambda of: _covered(of, "zero_length_share")),
)


def findings(quality: DataQuality) -> list[str]:
    """What looks wrong, in a few words each."""
    found = []
    if quality.gaps:
        longest = quality.gaps[0]
        when = numbers.span(longest.start_s, longest.end_s)
        count = tr("{gaps} gaps, the longest", gaps=len(quality.gaps)) if len(quality.gaps) > 1 else tr("Gap")
        longest_h = numbers.whole(longest.hours)
        found.append(tr("{count} of {hours} h, {when}", count=count, hours=longest_h, when=when))
    if len(quality.suspicious) == 1:
        found.append(tr("suspicious value {value}", value=quality.suspicious[0].value))
    elif quality.suspicious:
        found.append(tr("{suspicious} suspicious values", suspicious=len(quality.suspicious)))
    if quality.long_running:
        found.append(tr("{jobs} running over 60 days", jobs=numbers.counted(quality.long_running, "job")))
    if quality.clock_skew:
        found.append(tr("{ends} just before the start", ends=numbers.counted(quality.clock_skew, "end")))
    return found


def _tip(quality: DataQuality) -> str:
    """Every finding in full, a line each."""
    lines = [
        tr(
            "Gap: {gap}, {hours} h",
            gap=tr("{start_s} to {end_s}", start_s=numbers.date(gap.start_s), end_s=numbers.date(gap.end_s)),
            hours=numbers.whole(gap.hours),
        )
        for gap in quality.gaps[:GAPS_NAMED]
    ]
    if quality.gaps:
        lines.append(tr("A gap is: {gap_rule}.", gap_rule=GAP_RULE))
    lines += [
        tr(
            "{field}: {value}, {times}",
            field=numbers.capital(value.field),
            value=value.value,
            times=numbers.counted(value.count, "time"),
        )
        for value in quality.suspicious[:VALUES_NAMED]
    ]
    if quality.long_running:
        lines.append(tr("Jobs running over two months; the scheduler probably lost them."))
    if quality.clock_skew:
        lines.append(tr("Rows that end just before they start: node clocks differ."))
    return "\n".join(lines)
