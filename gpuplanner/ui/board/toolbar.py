"""The line above the columns: search, sort, group, filter, what stands idle, and Separate automatically."""

from operator import is_

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QPushButton, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.commitment.plan.whole_dollars import idle_dollars
from gpuplanner.domain.model.part_sum import missing_sentence, part_sum
from gpuplanner.ui.cards.board_view import BoardView, filter_words
from gpuplanner.ui.cards.column_order import SORTS
from gpuplanner.ui.cards.facets import FACETS
from gpuplanner.ui.kit.drawing import text_width
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import keys_of, with_keys
from gpuplanner.ui.words.glossary import IDLE_EXISTING, UNUSED, meaning
from gpuplanner.ui.words.translation import spoken, tr


class SearchField(QLineEdit):
    """One line of text to look for: Esc clears it first, and only then goes to whoever else listens."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape empties the field before it does anything else."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            event.accept()
            return
        super().keyPressEvent(event)


SEARCH_WIDE, SEARCH_NARROW = 184, 104
AROUND_WORDS = 52
"""Pixels of the search beside its words and its shortcut: icon, edges and what keeps the two apart."""


class BoardToolbar(QWidget):
    """Told what is chosen; says what else is wanted."""

    search_changed = Signal()
    sort_chosen = Signal(str)
    group_menu_opened = Signal(object)  # QMenu to be filled
    filter_menu_opened = Signal(object)  # QMenu to be filled
    separation_asked = Signal()
    planned_asked = Signal()  # more work that no log has

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = SearchField()
        self.search.setPlaceholderText(tr("Search"))
        self.search.setAccessibleName(tr("Search workloads"))
        set_tip(self.search, with_keys(tr("Search by name, owner, cluster, class or GPU model"), "find"))
        self.search.setClearButtonEnabled(False)
        self._hint = PlainLabel(keys_of("find"), self.search)
        self._hint.setProperty("role", "muted")
        self._hint.setFont(font("small"))
        self._hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._hint.adjustSize()
        self.search.textChanged.connect(self._say_search)
        self._search_icon = QAction(self)
        self.search.addAction(self._search_icon, QLineEdit.ActionPosition.LeadingPosition)
        self._clear_search = QAction(tr("Clear search"), self)
        self._clear_search.triggered.connect(self.search.clear)
        self.sort_button = menu_button(tr("Sort"), tr("Sort the cards of every column"))
        self._sort, self._group = tr("Sort"), ""
        self._view: BoardView | None = None
        self._idle_of: tuple[object, ...] = (None, None, None)  # what the words of `show_idle` were made of
        self._sorts = QActionGroup(self)
        menu = QMenu(self.sort_button)
        for title in SORTS:
            action = menu.addAction(spoken(title))
            action.triggered.connect(lambda _=False, title=title: self.sort_chosen.emit(title))
            action.setData(str(title))
            action.setCheckable(True)
            self._sorts.addAction(action)
        self.sort_button.setMenu(menu)
        self.group_button = menu_button(
            tr("Group"), tr("Put headings with sums above the cards of a team, cluster or model")
        )
        self.filter_button = menu_button(
            tr("Filter"), tr("Show only the cards of a class, team, cluster, model or state")
        )
        for button, opened in (
            (self.group_button, self.group_menu_opened),
            (self.filter_button, self.filter_menu_opened),
        ):
            lazy = QMenu(button)
            lazy.aboutToShow.connect(lambda lazy=lazy, opened=opened: opened.emit(lazy))
            button.setMenu(lazy)
        self.separate_button = QPushButton(tr(" Separate automatically"))
        self.separate_button.setAccessibleName(tr("Separate automatically"))
        set_tip(
            self.separate_button,
            with_keys(
                tr("Put every workload that is not pinned into the pool of its class; one undo step"),
                "separate",
            ),
        )
        self.separate_button.clicked.connect(self.separation_asked)
        self.planned_button = QPushButton(tr(" Plan work"))
        self.planned_button.setAccessibleName(tr("Add planned work"))
        set_tip(
            self.planned_button,
            with_keys(tr("Add work that no log has yet to this plan"), "plan_work"),
        )
        self.planned_button.clicked.connect(self.planned_asked)
        bar = QHBoxLayout(self)
        bar.setContentsMargins(9, 6, 9, 6)
        bar.setSpacing(6)
        for widget in (self.search, self.sort_button, self.group_button, self.filter_button):
            bar.addWidget(widget)
        bar.addStretch(1)
        self.idle = PlainLabel()
        self._idle_texts: tuple[str, ...] = ("",)
        self.idle.setProperty("role", "muted")
        self.idle.setFont(font("small"))
        self.idle.setMinimumWidth(1)  # it gives way, it does not keep the board wide
        bar.addWidget(self.idle)
        bar.addSpacing(6)
        bar.addWidget(self.planned_button)
        bar.addWidget(self.separate_button)
        self.show_palette(palette)

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._search_icon.setIcon(icon("search", palette.muted))
        self._clear_search.setIcon(icon("close", palette.muted))
        self.sort_button.setIcon(icon("sort", palette.text))
        self.group_button.setIcon(icon("group", palette.text))
        self.filter_button.setIcon(icon("filter", palette.text))
        self.separate_button.setIcon(icon("separate", palette.text))
        self.planned_button.setIcon(icon("plus", palette.text))

    def show_view(self, view: BoardView) -> None:
        """How the cards are sorted, grouped and filtered."""
        if view == self._view:
            return
        self._view = view
        for action in self._sorts.actions():
            action.setChecked(action.data() == view.sort)
        self._sort = tr(view.sort)
        self._group = spoken(FACETS[view.group].title) if view.group else ""
        self.sort_button.setAccessibleName(tr("Sort: {sort}", sort=tr(view.sort)))
        self.group_button.setAccessibleName(tr("Group: {group}", group=self._group or tr("no groups")))
        words = ", ".join(spoken(entry[2]) for entry in filter_words(view))
        self.filter_button.setAccessibleName(tr("Filter: {words}", words=words or tr("all cards")))
        self._fit()

    def show_idle(self, shown: ViewState) -> None:
        """What the plan pays beside its pools: existing GPUs that stand idle until their contracts end."""
        of = (shown.is_today, shown.advice, numbers.locale())
        if all(map(is_, of, self._idle_of)):
            return
        self._idle_of = of
        self.separate_button.setVisible(not shown.is_today)
        self.planned_button.setVisible(not shown.is_today)
        rows = shown.advice.idle_existing if shown.advice is not None and not shown.is_today else ()
        idle = idle_dollars(shown.advice) if rows and shown.advice is not None else ()
        total = part_sum((row.gpu_model or "", usd) for row, usd in zip(rows, idle, strict=True))
        amount = f"+ {numbers.sum_of(total)}"
        is_said = bool(rows) and total.total != 0
        self._idle_texts = (
            (
                tr("{amount} idle existing contracts", amount=amount),
                tr("{amount} idle existing", amount=amount),
                tr("{amount} idle", amount=amount),
            )
            if is_said
            else ("",)
        )
        self.idle.setAccessibleName(self._idle_texts[0])
        models = "\n".join(
            tr(
                "{gpus} {gpu_model}, mean: {usd_per_month}",
                gpus=numbers.one_decimal(row.gpus),
                gpu_model=row.gpu_model or tr("unknown model"),
                usd_per_month=numbers.dollars(row.cost_per_month),
            )
            for row in rows
        )
        words = tr("$ per month beside the pools, in no column: with them the columns add up to the plan")
        if total.is_at_least:
            words += "\n" + spoken(missing_sentence(total))
        set_tip(self.idle, f"{words}\n{models}\n{meaning(IDLE_EXISTING, UNUSED)}")
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Leave out what can be found elsewhere before anything is cut."""
        buttons = (
            self.sort_button, self.group_button, self.filter_button, self.planned_button, self.separate_button,
        )  # fmt: skip
        grouped = tr(" By {group}", group=_lower(self._group)) if self._group else tr(" Group")
        seen = (f" {self._sort}", grouped, tr(" Filter"))
        for texts in (
            (*seen, tr(" Plan work"), tr(" Separate automatically")),
            (*seen, tr(" Plan work"), tr(" Separate")),
            (*seen, "", tr(" Separate")),
            (*seen, "", ""),
            (seen[0], "", "", "", ""),
            ("", "", "", "", ""),
        ):
            for button, text in zip(buttons, texts, strict=True):
                button.setText(spoken(text))
            fixed = sum(button.sizeHint().width() + 6 for button in buttons if not button.isHidden())
            beside = (
                text_width(self._idle_texts[0], font("small")) + 48 if texts[3] and self._idle_texts[0] else 0
            )
            if fixed + beside + 24 + SEARCH_NARROW <= self.width():
                break
        width = min(SEARCH_WIDE, max(SEARCH_NARROW, self.width() - 24 - fixed))
        width = self._fit_idle(fixed, width)
        self.search.setFixedWidth(width)
        self._hint.move(width - self._hint.width() - 8, (26 - self._hint.height()) // 2)
        words = text_width(self.search.placeholderText(), self.search.font())
        room = width - AROUND_WORDS - self._hint.width()
        self._hint.setVisible(not self.search.text() and words <= room)

    def _fit_idle(self, fixed: int, search: int) -> int:
        """The longest words that fit beside the search, else few beside a narrower one: the columns need the amount
        to add up to the plan. Returns the width of the search."""
        for text, least in zip(self._idle_texts, (search, SEARCH_NARROW, SEARCH_NARROW), strict=False):
            wide = text_width(text, font("small")) + 48
            left = self.width() - fixed - wide
            if text and least <= left:
                self.idle.setText(spoken(text))
                self.idle.show()
                return min(search, left)
        self.idle.hide()
        return search

    def _say_search(self) -> None:
        """Shows the cross only where there is something to clear, and says what is searched."""
        if self.search.text() and self._clear_search not in self.search.actions():
            self.search.addAction(self._clear_search, QLineEdit.ActionPosition.TrailingPosition)
        elif not self.search.text():
            self.search.removeAction(self._clear_search)
            self.search.setText("")  # a search that is over is no step to undo
        self.search_changed.emit()


def menu_button(name: str, tip: str) -> QPushButton:
    """A button that opens a menu."""
    button = QPushButton(spoken(name))
    button.setAccessibleName(spoken(name))
    set_tip(button, spoken(tip))
    button.setProperty("menu", True)
    return button


def _lower(title: str) -> str:
    """A title inside a phrase: team, but GPU model."""
    title = spoken(title)
    return title if title[:2].isupper() else title.lower()
