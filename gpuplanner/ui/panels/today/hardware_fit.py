"""Hardware fit: training runs that are stated, and workloads that stand on hardware that does not fit them."""

from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from gpuplanner.charts.kit.plain_text import tr
from gpuplanner.domain.commitment.outlook_result import SpotAdvice
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.fit.workload_fit import FitRow, WorkloadFit, offers_for, rows_in_pool
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.project import NOTHING_SET
from gpuplanner.domain.model.spelling import told_apart
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.ui.kit.layout import STRETCH, column, named, row, share, stacked
from gpuplanner.ui.kit.page_parts import BESIDE_FROM_PX, choice_of, label, muted_label, view_tabs
from gpuplanner.ui.kit.theme import text_px
from gpuplanner.ui.panels.panel import About, Panel, PanelView
from gpuplanner.ui.panels.today.hardware_rows import (
    WIDE_FROM,
    FitFilter,
    HardwareDetail,
    counts_by_light,
    filtered_fits,
    fit_columns,
)
from gpuplanner.ui.panels.today.training_run import TrainingRunView
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import LazyRows, filled_row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.glossary import lane_of

LIGHT_CHOICES: Final[tuple[tuple[Message, frozenset[Light | None]], ...]] = (
    (worded("Red and amber"), frozenset((Light.RED, Light.AMBER))),
    (worded("Red"), frozenset((Light.RED,))),
    (worded("Amber"), frozenset((Light.AMBER,))),
    (worded("Green"), frozenset((Light.GREEN,))),
    (worded("Unknown"), frozenset((None,))),
    (worded("All lights"), frozenset((Light.RED, Light.AMBER, Light.GREEN, None))),
)
POOL_CHOICES: Final[tuple[tuple[Message, frozenset[Pool]], ...]] = (
    (worded("All classes"), frozenset(Pool)),
    *((lane_of(pool).word, frozenset((pool,))) for pool in POOLS),
)
BELOW_PARTS: Final = (220, 280)
BESIDE_PARTS: Final = (1, 1)
"""How the list and the chosen workload share the panel's height, or its width where that has room for both."""


VIEWS: Final[tuple[tuple[str, Message, Message], ...]] = (
    ("runs", worded("Training runs"), worded("Does a run fit, when is it done on how many GPUs, at which $")),
    ("workloads", worded("Workloads"), worded("Which workloads run on hardware that does not fit, and why")),
)


class HardwareFitPanel(Panel):
    """Told what is shown; emits the need that the planner set of a workload. runs: the view of training runs."""

    about = About(
        "hardware_fit",
        worded("Hardware fit"),
        beside="duration",
        is_counted=True,
        also=worded("fit gpu models"),
        views=tuple(PanelView(name, title, tip) for name, title, tip in VIEWS),
    )

    need_set = Signal(str, str, object)  # workload key, need, value or None
    workload_asked = Signal(str)

    _counted: tuple[object, dict[Light | None, int]] = (None, {})  # before the content is there

    def build(self) -> None:
        self._drawn: tuple[object, ...] = ()
        self._listed: list[WorkloadFit] = []
        self._key = ""
        self.lights = choice_of(tr("Which lights"), tr("Which lights"), LIGHT_CHOICES, self._redraw_chosen)
        self.pools = choice_of(tr("Which classes"), tr("Which classes"), POOL_CHOICES, self._redraw_chosen)
        tip = tr("Each workload beside what it runs on today; the most expensive first")
        self.summary = named(muted_label(), tip=tip)
        self.table = FigureTable(tr("Hardware fit of workloads"))
        self.table.asks_by_click = False  # a click chooses the workload below
        self.table.setMinimumHeight(38 + 4 * self.table.row_height)
        self.empty = label(role="muted", is_wrapped=True)
        self.detail = HardwareDetail()
        upper = QWidget()
        column(
            row(self.lights, self.pools, STRETCH, spacing=8),
            self.summary,
            self.empty,
            share(self.table),
            share(None, 0),  # without a table the words stay at the top
            on=upper,
            margins=(14, 10, 12, 4),
            spacing=6,
        )
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.addWidget(upper)
        self.splitter.addWidget(self.detail)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes(list(BELOW_PARTS))
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 1)
        self.runs = TrainingRunView()
        self._views = stacked(self.runs, self.splitter)
        line, self.tabs = view_tabs(self, tr("Hardware fit"), VIEWS, self.show_view)
        self.fill(line, self._views, top=6)
        self._is_new = True
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._choose(now.row()))
        self.table.row_opened.connect(lambda _: self._choose(self.table.currentIndex().row()))
        self.detail.need_set.connect(self.need_set)
        self.detail.workload_asked.connect(self.workload_asked)

    def _redraw_chosen(self, _: int) -> None:
        self.redraw()

    def count(self, shown: ViewState) -> int:
        """How many workloads are red."""
        return self._counts(shown).get(Light.RED, 0)

    def _counts(self, shown: ViewState) -> dict[Light | None, int]:
        """How many workloads have which light; counted when the fit is another."""
        if self._counted[0] is not shown.fit:
            self._counted = shown.fit, counts_by_light(shown.fit or ())
        return self._counted[1]

    def show_view(self, name: str) -> None:
        """Show one of VIEWS."""
        self._is_new = False
        self.tabs[name].setChecked(True)
        self._views.setCurrentIndex([view for view, _, _ in VIEWS].index(name))
        self.redraw()

    def choose(self, key: str) -> None:
        """Show one workload, in the list too; all are listed where the filter leaves it out."""
        self.show_view("workloads")
        self._key = key
        if all(fit.key != key for fit in self._listed):
            self.lights.setCurrentIndex(len(LIGHT_CHOICES) - 1)
            self.pools.setCurrentIndex(0)
        self.redraw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_beside = event.size().width() >= BESIDE_FROM_PX
        wanted = Qt.Orientation.Horizontal if is_beside else Qt.Orientation.Vertical
        if self.splitter.orientation() is not wanted:
            self.splitter.setOrientation(wanted)
            whole, parts = event.size().width(), BESIDE_PARTS if is_beside else BELOW_PARTS
            self.splitter.setSizes([whole * part // sum(parts) for part in parts])
        before, now, wide = event.oldSize().width(), event.size().width(), text_px(WIDE_FROM)
        if (before >= wide) != (now >= wide) and self.isVisible():
            self.redraw()

    def draw(self, shown: ViewState) -> None:
        """The view that is shown, at first workloads where no run is stated; nothing where all stands as it is."""
        if self._is_new and shown.evaluation.project.workloads and not shown.evaluation.project.runs:
            self.show_view("workloads")
            return
        self._is_new = False
        if self._views.currentWidget() is self.runs:
            self.runs.show_state(shown)
            return
        of, audit = shown.evaluation.project, shown.evaluation.audit
        state = (
            shown.fit,
            audit,
            of.offers,
            of.mappings,
            None if shown.outlook is None or shown.is_today else shown.outlook.spot,
            self.lights.currentIndex(),
            self.pools.currentIndex(),
            self._key,
            self.width() >= text_px(WIDE_FROM),
        )
        if len(state) == len(self._drawn) and all(a is b for a, b in zip(state, self._drawn, strict=True)):
            return
        self._drawn = state
        chosen = FitFilter(self.lights.currentData(), self.pools.currentData())
        usd = {row.key: row.usd_per_month for row in audit.workloads}
        names = told_apart(of.workloads)
        listed = self._listed = filtered_fits(shown.fit or (), usd, chosen)
        self.summary.setText(_summary(self._counts(shown), shown.fit is None))
        columns = fit_columns(self.width() >= text_px(WIDE_FROM), names, usd)
        self.table.show_rows(
            columns, LazyRows(len(listed), lambda at: filled_row(columns, listed[at], listed[at].key))
        )
        self.empty.setText(_empty_words(shown))
        self.empty.setVisible(not listed)
        self.table.setVisible(bool(listed))
        place = next((at for at, fit in enumerate(listed) if fit.key == self._key), 0)
        self.detail.setVisible(bool(listed))
        if listed:
            self._key = listed[place].key
            stands_in = self._stands_in(self._key)
            self._drawn = (*state[:-2], stands_in, self._key)
            with QSignalBlocker(self.table.selectionModel()):
                self.table.selectRow(place)
            fit = listed[place]
            self.detail.show_fit(
                fit, names[fit.key], usd.get(fit.key), offers_for(fit, of.offers, of.mappings)
            )
            self.detail.show_elsewhere(stands_in, self._rows_in(fit, stands_in))
            self.detail.show_spot(self._spot(fit.key))
            self.detail.lay_out()

    def _spot(self, key: str) -> tuple[SpotAdvice, ...]:
        """What spot means for a workload in the plan that is shown."""
        shown = self._shown
        if shown is None or shown.is_today or shown.outlook is None:
            return ()
        return tuple(one for one in shown.outlook.spot if one.key == key)

    def _stands_in(self, key: str) -> Pool | None:
        """The pool of a card in what is shown."""
        shown = self._shown
        place = None if shown is None else shown.evaluation.figures.basis.index_by_key.get(key)
        # None too where it is divided
        return None if shown is None or place is None else shown.cards[place].pool

    def _rows_in(self, fit: WorkloadFit, pool: Pool | None) -> tuple[FitRow, ...]:
        """What the pool in which a card stands asks of its hardware, where that is not its class."""
        shown = self._shown
        if shown is None or pool is None or pool is fit.pool:
            return ()
        of = shown.evaluation.project
        workload = next(one for one in of.workloads if one.key == fit.key)
        return rows_in_pool(fit, workload, pool, of.needs.get(fit.key, NOTHING_SET))

    def _choose(self, place: int) -> None:
        if 0 <= place < len(self._listed) and self._listed[place].key != self._key:
            self._key = self._listed[place].key
            self.redraw()


def _summary(counts: dict[Light | None, int], is_working: bool) -> str:
    if is_working:
        return tr("Working it out\u2026")
    words = (
        (Light.RED, tr("do not fit")),
        (Light.AMBER, tr("fit at a cost")),
        (Light.GREEN, tr("fit")),
        (None, tr("unknown")),
    )
    parts = [
        tr("{count} {word}", count=numbers.whole(counts[light]), word=word)
        for light, word in words
        if counts.get(light)
    ]
    return numbers.MIDDOT.join(parts)


def _empty_words(shown: ViewState) -> str:
    if shown.fit is None:
        return ""
    if not shown.evaluation.project.workloads:
        return tr("No jobs yet. Import a job log.")
    return tr("No workload has these lights. Choose others above.")
