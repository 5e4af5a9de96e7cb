"""The data-quality card: what of the log is there, what is missing, and what in it looks wrong."""

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.data_quality import GAP_RULE, DataQuality, LogGap
from gpuplanner.ui import numbers
from gpuplanner.ui.figure_cells import Cell, Column, Row
from gpuplanner.ui.figure_table import FigureTable
from gpuplanner.ui.said import said
from gpuplanner.ui.theme import Palette
from gpuplanner.ui.type_scale import font

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
ROOM_FROM = 640
"""Height of the window, in pixels, from which there is room beside the board."""

GAPS_NAMED = 5
VALUES_NAMED = 6


class DataQualityCard(QFrame):
    """One row of figures about the log, with its findings named first; hidden where no log is loaded, or no room."""

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.setAccessibleName(said("Data quality"))
        self._has_figures, self._has_room = False, True
        self.table = FigureTable(said("Data quality"), palette)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 4, 14, 6)
        layout.addWidget(self.table)
        title, span = QLabel(said("Data quality")), QLabel(said("Whole log"))
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
    found = findings(quality)
    first = (
        Cell(numbers.capital("; ".join(found)), icon="triangle", icon_role="amber", tip=_tip(quality))
        if found
        else Cell("Nothing looks wrong", icon="tick", icon_role="green", tip=f"A gap is: {GAP_RULE}.")
    )
    return Row(
        (
            first,
            Cell(numbers.whole(quality.jobs), tip="Accepted jobs of all logs, CPU jobs too"),
            _share(
                quality.time_coverage,
                "Of the hours from the first to the last event, those in which a job ran",
            ),
            Cell(numbers.whole(quality.gap_hours), tip=f"A gap is: {GAP_RULE}."),
            _share(quality.id_coverage, "Without ids, jobs that were exported twice cannot be told"),
            _share(
                quality.name_coverage,
                "Jobs with alike names are one workload; jobs without are lumped together",
            ),
            _share(quality.user_coverage, "Account or user: who owns the workload"),
            _share(quality.gpu_model_coverage, "The rest is served by what known models leave over"),
            _share(
                quality.activity_coverage,
                "What GPUs did while they were held. Import activity beside the log: dcgm-exporter, Prometheus, "
                "nvidia-smi",
            ),
            _share(quality.naive_time_share, "Read in the time zone chosen at the import, else as UTC"),
            _share(quality.zero_length_share, "They count as jobs and have no demand"),
        )
    )


def _share(share: float | None, tip: str) -> Cell:
    return Cell(numbers.percent(share), tip=tip)


def findings(quality: DataQuality) -> list[str]:
    """What looks wrong, in a few words each."""
    found = []
    if quality.gaps:
        longest = quality.gaps[0]
        when = numbers.span(longest.start_s, longest.end_s)
        count = f"{len(quality.gaps)} gaps, the longest" if len(quality.gaps) > 1 else "Gap"
        found.append(f"{count} of {numbers.whole(longest.hours)} h, {when}")
    if len(quality.suspicious) == 1:
        found.append(f"suspicious value {quality.suspicious[0].value}")
    elif quality.suspicious:
        found.append(f"{len(quality.suspicious)} suspicious values")
    if quality.long_running:
        found.append(f"{numbers.counted(quality.long_running, 'job')} running over 60 days")
    if quality.clock_skew:
        found.append(f"{numbers.counted(quality.clock_skew, 'end')} just before the start")
    return found


def _tip(quality: DataQuality) -> str:
    """Every finding in full, a line each."""
    lines = [f"Gap: {_when(gap)}, {numbers.whole(gap.hours)} h" for gap in quality.gaps[:GAPS_NAMED]]
    if quality.gaps:
        lines.append(f"A gap is: {GAP_RULE}.")
    lines += [
        f"{numbers.capital(value.field)}: {value.value}, {numbers.counted(value.count, 'time')}"
        for value in quality.suspicious[:VALUES_NAMED]
    ]
    if quality.long_running:
        lines.append("Jobs said to be running for over two months: the scheduler has lost sight of them.")
    if quality.clock_skew:
        lines.append("Rows that end less than an hour before they start: the clocks of nodes differ.")
    return "\n".join(lines)


def _when(gap: LogGap) -> str:
    return f"{numbers.date(gap.start_s)} to {numbers.date(gap.end_s)}"
