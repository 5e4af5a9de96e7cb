"""Every text of a window that is seen, pointed at or spoken."""

from collections.abc import Iterator

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QLabel, QWidget

from gpuplanner.charts.kit.plot import Chart
from gpuplanner.charts.plots.timeline import TimelineChart

ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)


def visible_texts(root: QWidget) -> Iterator[tuple[str, str]]:
    """(where, text) of all that a widget and those in it say, as far as they are not hidden."""
    for widget in (root, *root.findChildren(QWidget)):
        if not widget.isVisible():
            continue
        where = f"{type(widget).__name__} {widget.accessibleName() or widget.objectName()}"
        for text in (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription()):
            yield where, text
        if isinstance(widget, QLabel | QAbstractButton | QAbstractSpinBox):
            yield where, widget.text()
        elif isinstance(widget, QComboBox):
            yield from ((where, widget.itemText(at)) for at in range(widget.count()))
        elif isinstance(widget, Chart):
            yield from ((where, name) for name in widget.names_axis.from_the_top())
        elif isinstance(widget, TimelineChart):
            yield where, widget.today[1]
        elif isinstance(widget, QAbstractItemView):
            model = widget.model()
            if model is None:
                continue
            columns = model.columnCount(QModelIndex()) if isinstance(model, QAbstractTableModel) else 1
            for row in range(min(40, model.rowCount(QModelIndex()))):
                for column in range(columns):
                    for role in ROLES:
                        yield where, str(model.index(row, column).data(role) or "")


def appear_in_order(text: str, *values: str) -> bool:
    """Return whether each value stands in a text, after the value before."""
    at = 0
    for value in values:
        at = text.find(value, at) + len(value)
        if at < len(value):
            return False
    return True
