"""The one tool tip of a chart: what and when, a row per series with swatch, name and value, then the total."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtWidgets import QToolTip, QWidget

from gpuplanner.charts.kit.plain_text import Markup, escaped, show_tip_at
from gpuplanner.domain.message import Text

BESIDE_CURSOR = QPoint(12, 12)


def tip_table(first: str, rows: Sequence[tuple[str, Text, str]], total: tuple[str, str] | None) -> Markup:
    """Rows: colour ("": no swatch), name, value with its unit; all of it words, none of it markup.

    first: what and when, over the table; total: its name and value, under a set of rows; None for none. A row
    without a value is a sentence across the table.
    """
    lines = []
    for colour, name, value in rows:
        swatch = f"<span style='color:{colour}'>\u25a0</span>" if colour else ""
        cells = (
            f"<td>{escaped(str(name))}&nbsp;&nbsp;&nbsp;</td><td align=right>{escaped(value)}</td>"
            if value
            else f"<td colspan=2>{escaped(str(name))}</td>"  # a sentence
        )
        lines.append(f"<tr><td>{swatch}</td>{cells}</tr>")
    if total is not None:
        lines.append(
            f"<tr><td></td><td>{escaped(total[0])}&nbsp;&nbsp;&nbsp;</td>"
            f"<td align=right><b>{escaped(total[1])}</b></td></tr>"
        )
    # what and when stand above the table: in it they would push its columns apart
    return Markup(f"<div><b>{escaped(first)}</b></div><table cellspacing=2>{''.join(lines)}</table>")


def spoken(tip: str) -> str:
    """A tool tip in one line, for a screen reader.

    tip: plain or `Markup`; swatches are not said.
    """
    plain = QTextDocumentFragment.fromHtml(tip).toPlainText() if isinstance(tip, Markup) else tip
    words = (line.replace("\u25a0", "").replace("\xa0", " ").strip() for line in plain.splitlines())
    return ", ".join(word for word in words if word)


def show_tip(tip: str, at: QPoint, over: QWidget) -> None:
    """Show it beside a point of a widget; nothing to say hides it.

    at: pixels in the widget. It stands a little beside the cursor.
    """
    if tip:
        show_tip_at(over.mapToGlobal(at) + BESIDE_CURSOR, tip, over)
    else:
        QToolTip.hideText()
