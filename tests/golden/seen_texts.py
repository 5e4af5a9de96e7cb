"""All that a widget says, as lines of text: labels, buttons, tables as TSV, charts by their tables, tool tips.

Widgets are told apart by what they can do, not by their classes: modules may move, words may not.
"""

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256

from PySide6.QtCore import QAbstractItemModel, QAbstractTableModel, QModelIndex, QObject, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QWidget,
)

from gpuplanner.charts.kit.translation import spoken
from gpuplanner.ui.tables.rows_model import WHY_TIP

MOST_ROWS = 40
"""Rows of a list that are written out; of all there is the count and a digest, and the last one, often a total."""
MOST_OPTIONS = 30
DISPLAY, TIP, SPOKEN = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
)


def texts_of(root: QWidget) -> list[str]:
    """One block of lines for each widget that says something, in the order of their making; hidden ones are silent."""
    blocks = []
    for widget in _seen(root):
        lines = [line for line in _lines(widget) if line]
        if lines:
            blocks.append("\n".join(lines))
    return blocks


def figures_of(root: QWidget) -> list[str]:
    """Ids of the figures in sight that "Why this number?" answers for."""
    found: list[str] = []
    for widget in _seen(root):
        ids, facts, steps = (getattr(widget, name, None) for name in ("figure_ids", "facts", "steps"))
        if callable(ids):
            found += ids()
        elif isinstance(facts, tuple):
            found += [figure_id for figure_id, _ in facts]
        elif isinstance(steps, Iterable):
            found += [step.figure_id for step in steps if getattr(step, "figure_id", "")]
        elif isinstance(getattr(widget, "figure_id", None), str):
            found.append(widget.figure_id)  # type: ignore[attr-defined]
    return list(dict.fromkeys(filter(None, found)))


def actions_text(actions: Iterable[QAction], depth: int = 0) -> list[str]:
    """Entries of a menu in their order: words, keys, whether they can be chosen, tool tip; submenus below them."""
    lines = []
    for action in actions:
        if not action.isVisible():
            continue
        menu = action.menu()
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.PortableText)
        marks = [
            f"[{keys}]" * bool(keys),
            "(off)" * (not action.isEnabled()),
            ("(ticked)" if action.isChecked() else "(to tick)") * action.isCheckable(),
            "(menu)" * (menu is not None),
        ]
        words = "---" if action.isSeparator() else action.text()
        tip = action.toolTip()
        is_own_tip = tip and tip.rstrip(".\u2026") != action.text().replace("&", "").rstrip("\u2026")
        parts = [words, *filter(None, marks), *([f"| {_plain(tip)}"] if is_own_tip else [])]
        lines.append("  " * depth + " ".join(parts))
        if isinstance(menu, QMenu):
            menu.aboutToShow.emit()
            lines += actions_text(menu.actions(), depth + 1)
    return lines


def rows_text(rows: list[str]) -> list[str]:
    """The first rows of a list; how many there are, and the last, where there are more."""
    if len(rows) <= MOST_ROWS + 2:
        return rows
    return [*rows[:MOST_ROWS], f"... {len(rows)} rows {digest(rows)}, the last:", rows[-1]]


def digest(text: str | list[str]) -> str:
    """Ten signs that are others where a text is another: of what is too long to be kept in full."""
    whole = text if isinstance(text, str) else "\n".join(text)
    return sha256(whole.encode()).hexdigest()[:10]


def _seen(root: QWidget) -> Iterator[QWidget]:
    """A widget and those in it, depth first, as far as they are not hidden; what Qt makes for itself is left out."""
    yield root
    if isinstance(root, QComboBox | QAbstractSpinBox | QAbstractItemView):
        inner = [
            one for one in root.findChildren(QWidget) if isinstance(one, QAbstractSpinBox | QAbstractButton)
        ]
        yield from (one for one in inner if isinstance(root, QAbstractItemView) and one.isVisibleTo(root))
        return
    for child in root.children():
        if isinstance(child, QWidget) and not child.isHidden() and not child.isWindow():
            yield from _seen(child)


def _lines(widget: QWidget) -> Iterator[str]:
    name, tip = widget.accessibleName(), _plain(widget.toolTip())
    about = _plain(widget.accessibleDescription())
    if isinstance(widget, QLabel):
        text = _plain(widget.text())
        yield text
        yield f"  named: {_plain(name)}" if name and _plain(name) != text and text else ""
    elif isinstance(widget, QAbstractButton):
        keys = widget.shortcut().toString(QKeySequence.SequenceFormat.PortableText)
        state = "(off)" * (not widget.isEnabled()), "(down)" * (widget.isCheckable() and widget.isChecked())
        words = [f"<{widget.text()}>", name * (name != widget.text()), f"[{keys}]" * bool(keys), *state]
        yield " ".join(filter(None, words)) if name or widget.text() else ""
    elif isinstance(widget, QComboBox):
        options = [widget.itemText(at) for at in range(widget.count())]
        shown = options[:MOST_OPTIONS] + [f"... {len(options)}"] * (len(options) > MOST_OPTIONS)
        yield f"choice {name}: {widget.currentText()} of {' | '.join(shown)}{_off(widget)}"
    elif isinstance(widget, QAbstractSpinBox):
        yield f"number {name}: {widget.text()}{_off(widget)}"
    elif isinstance(widget, QLineEdit):
        yield f"line {name}: {widget.text()} ({widget.placeholderText()}){_off(widget)}"
    elif isinstance(widget, QPlainTextEdit):
        yield f"text {name}: {widget.toPlainText()} ({widget.placeholderText()}){_off(widget)}"
    elif isinstance(widget, QAbstractItemView):
        yield from _view_lines(widget)
    else:
        yield _plain(name)
    yield f"  about: {about}" if about else ""
    yield f"  tip: {tip}" if tip else ""
    for child in widget.children():
        if not isinstance(child, QWidget) and callable(getattr(child, "copy_table", None)):
            yield from _chart_lines(child)


def _view_lines(view: QAbstractItemView) -> Iterator[str]:
    model = view.model()
    if model is None:
        return
    yield f"table {view.accessibleName()}"
    yield f"  empty: {getattr(view, 'empty_text', '')}" if not model.rowCount() else ""
    root = QModelIndex()
    is_table = isinstance(model, QAbstractTableModel)
    columns = range(model.columnCount(root) if is_table else 1)
    if is_table:
        yield "\t".join(_heading(model, at) for at in columns)
    yield from rows_text([_row(model, row, columns, is_table) for row in range(model.rowCount(root))])


def _heading(model: QAbstractItemModel, at: int) -> str:
    return str(model.headerData(at, Qt.Orientation.Horizontal) or "").replace("\n", " ").strip()


def _row(model: QAbstractItemModel, row: int, columns: range, is_table: bool) -> str:
    """Cells between tabs. In {} what they say besides: a tool tip, and in a list the words that are read aloud."""
    cells, besides = [], []
    for column in columns:
        index = model.index(row, column)
        text = _plain(str(index.data(DISPLAY) or ""))
        cells.append(text)
        others = (index.data(TIP),) if is_table else (index.data(SPOKEN), index.data(TIP))
        besides += [other for other in (_plain(str(one or "")) for one in others) if other not in ("", text)]
    return "\t".join(cells) + "".join(f" {{{other}}}" for other in dict.fromkeys(besides))


def _chart_lines(menu: QObject) -> Iterator[str]:
    """The figures of a chart as its menu copies them."""
    clipboard = QGuiApplication.clipboard()
    clipboard.clear()
    menu.copy_table()  # type: ignore[attr-defined]
    copied = clipboard.text()
    if copied:
        yield "chart"
        yield from rows_text(copied.rstrip("\n").split("\n"))


def _plain(text: str) -> str:
    """In one line; colours of links are no words. That a cell answers is written as a question mark."""
    whole = re.sub(r" style=(['\"]).*?\1", "", text).replace("\n", " / ").strip()
    return (
        whole.removesuffix(spoken(WHY_TIP)).removesuffix(" / ") + " ?"
        if whole.endswith(spoken(WHY_TIP))
        else whole
    )


def _off(widget: QWidget) -> str:
    return "" if widget.isEnabled() else " (off)"
