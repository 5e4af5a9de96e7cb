"""Taking a widget out of its layout for good, as a chart that is made anew in other colours."""

from PySide6.QtWidgets import QLayout, QWidget


def take_out(layout: QLayout, widget: QWidget | None) -> None:
    """Nothing where there is no widget."""
    if widget is not None:
        layout.removeWidget(widget)
        widget.deleteLater()
