"""The data-quality card: what of the log is there, what is missing, and what in it looks wrong."""

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.log.data_quality import (
    ACTIVITY,
    GAP_RULE,
    SERIOUS_BELOW,
    DataQuality,
    Gap,
    LogGap,
    quality_gaps,
)
from gpuplanner.ui.kit.labels import muted_label
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import spoken, tr

COLUMNS = (
    Column("", False),  # under the title
    Column("Jobs"),
    Column("Hours\nwith jobs"),
    Column("In gaps\nhours"),
    Column("Jobs\nwith id"),
    Column("With\nname"),
    Column("With\nuser"),
    Column("GPU-hours\nwith model"),
    Column("GPU-hours\nwith activity"),
    Column("Times\nwithout zone"),
    Column("Jobs of\nno length"),
)
COVERED = (
    ("id_coverage", worded("Without ids, jobs that were exported twice cannot be told")),
    ("name_coverage", worded("Jobs with alike names are one workload; jobs without are lumped together")),
    ("user_coverage", worded("Account or user: who owns the workload")),
    ("gpu_model_coverage", worded("The rest is served by what known models leave over")),
    (
        "activity_coverage",
        worded(
            "What GPUs did while they were held. Import activity beside the log: dcgm-exporter, Prometheus, nvidia-smi"
        ),
    ),
    ("naive_time_share", worded("Read in the time zone chosen at the import, else as UTC")),
    ("zero_length_share", worded("They count as jobs and have no demand")),
)
"""Shares of a log by field, in the order of the columns, and what each says."""
ROOM_FROM = 640
"""Height of the window, in pixels, from which there is room beside the board."""

GAPS_NAMED = 5
VALUES_NAMED = 6
GAPS_TOLD = 2
"""Fields that are named in the card; its tool tip has them all."""


class DataQualityCard(QFrame):
    """One row of figures about the log, with its findings named first; hidden where no log is loaded, or no room."""

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.setAccessibleName(tr("Data quality"))
        self._has_figures, self._has_room = False, True
        self.table = FigureTable(tr("Data quality"), palette)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 4, 14, 6)
        layout.addWidget(self.table)
        self.remedy = muted_label()
        self.remedy.setContentsMargins(22, 0, 0, 2)
        layout.addWidget(self.remedy)
        title, span = PlainLabel(tr("Data quality")), PlainLabel(tr("Whole log"))
        title.setFont(font("title"))
        span.setFont(font("small"))
        span.setProperty("role", "muted")
        head = QWidget(self)  # beside the headings of the table: no line of its own
        beside = QHBoxLayout(head)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(8)
        beside.addWidget(title)
        beside.addWidget(span)
        head.move(15, 8)
        head.adjustSize()

    def show_evaluation(self, evaluation: Evaluation) -> None:
        """Show the quality of the project's log."""
        quality = evaluation.project.jobs.quality
        self._has_figures = quality is not None
        if quality is not None:
            self.table.show_rows(COLUMNS, (quality_row(quality),))
            self.table.fit_height()
            gaps = [gap for gap in quality_gaps(quality) if _is_serious(gap)]
            self.remedy.setText("\n".join(map(gap_sentence, gaps[:GAPS_TOLD])))
            self.remedy.setVisible(bool(gaps))
        self.setVisible(self._has_figures and self._has_room)

    def show_in(self, window_height: int) -> None:
        """Make room for the cards where the window is low: the board comes first."""
        self._has_room = window_height >= ROOM_FROM
        self.setVisible(self._has_figures and self._has_room)

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.table.show_palette(palette)


def quality_row(quality: DataQuality) -> Row:
    """The figures; every tool tip says what the figure is, and what would better it."""
    shares = quality.shares
    return Row(
        (
            _verdict(quality),
            Cell(
                numbers.whole(quality.jobs),
                tip=tr("Accepted jobs of all logs, CPU jobs too"),
                figure_id=figure("quality_jobs"),
            ),
            _share(
                shares["time_coverage"],
                tr("Of the hours from the first to the last event, those in which a job ran"),
                figure("quality_hours"),
            ),
            Cell(
                numbers.whole(quality.gap_hours),
                tip=tr("A gap is: {gap_rule}.", gap_rule=GAP_RULE),
                figure_id=figure("quality_gaps"),
            ),
            *(_share(shares[field], tip, figure("quality_share", field)) for field, tip in COVERED),
        )
    )


def _verdict(quality: DataQuality) -> Cell:
    """What looks wrong, else what is not known, else that all is there; its tool tip says what to do about it."""
    found, gaps = findings(quality), quality_gaps(quality)
    tip = "\n".join(filter(None, (_tip(quality), *map(gap_sentence, gaps))))
    if found:
        return Cell(numbers.capital("; ".join(found)), icon="triangle", icon_role="amber", tip=tip)
    if gaps:
        text = "; ".join(map(gap_words, gaps[:GAPS_TOLD]))
        icon = ("triangle", "amber") if _is_serious(gaps[0]) else ("info", "muted")
        return Cell(text, icon=icon[0], icon_role=icon[1], tip=tip)
    text = tr("No gap, nothing missing")
    return Cell(text, icon="tick", icon_role="green", tip=tr("A gap is: {gap_rule}.", gap_rule=GAP_RULE))


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


def _share(share: float | None, tip: Text, figure_id: str) -> Cell:
    """A share in percent that answers why; a dash for unknown, which has nothing to answer."""
    return Cell(numbers.percent(share), tip=tip, figure_id="" if share is None else figure_id)


def findings(quality: DataQuality) -> list[str]:
    """What looks wrong, in a few words each."""
    found = []
    if quality.gaps:
        longest = quality.gaps[0]
        when = numbers.span(longest.start_s, longest.end_s)
        count = tr("{gaps} gaps, the longest", gaps=len(quality.gaps)) if len(quality.gaps) > 1 else tr("Gap")
        found.append(
            tr("{count} of {hours} h, {when}", count=count, hours=numbers.whole(longest.hours), when=when)
        )
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
        tr("Gap: {gap}, {hours} h", gap=_when(gap), hours=numbers.whole(gap.hours))
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
        lines.append(tr("Jobs said to be running for over two months: the scheduler has lost sight of them."))
    if quality.clock_skew:
        lines.append(tr("Rows that end less than an hour before they start: the clocks of nodes differ."))
    return "\n".join(lines)


def _when(gap: LogGap) -> str:
    """From when to when nothing was logged."""
    return tr("{start_s} to {end_s}", start_s=numbers.date(gap.start_s), end_s=numbers.date(gap.end_s))
