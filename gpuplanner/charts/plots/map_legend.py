"""Legend of the map: samples of its lines and marks with their words."""

from typing import Final

from PySide6 import QtGui
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.charts.plots.map_drawing import way_pen
from gpuplanner.charts.plots.map_places import MapColours
from gpuplanner.files.system.resources import words_table

SAMPLES: Final = tuple(words_table("map_sample").items())
SAMPLE_PX: Final = 20.0
GAP_PX: Final = 14.0


class MapLegend(QWidget):
    """Told its colours; whether some city is served from nowhere decides if that is explained."""

    def __init__(self, colours: MapColours) -> None:
        """Until it is told otherwise nobody is served from nowhere."""
        self.colours = colours
        self._samples = SAMPLES[:-1]
        super().__init__()
        self.setAccessibleName(
            tr("Map legend: {words}", words=", ".join(spoken(words) for _, words in SAMPLES))
        )
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_colours(self, colours: MapColours) -> None:
        """Other colours from now on."""
        self.colours = colours
        self.update()

    def show_unserved(self, has_unserved: bool) -> None:
        """Whether a city is served from nowhere."""
        self._samples = SAMPLES if has_unserved else SAMPLES[:-1]
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(self._line_height() * (1 + max(row for _, row in self._spots(width))))

    def sizeHint(self) -> QSize:
        return QSize(404, self.heightForWidth(404))

    def _line_height(self) -> float:
        return QtGui.QFontMetricsF(self.colours.small).height() + 3

    def _spots(self, width: float) -> list[tuple[float, int]]:
        """Left edge and line of each sample."""
        metrics, left, row, spots = QtGui.QFontMetricsF(self.colours.small), 0.0, 0, []
        for _, words in self._samples:
            wide = SAMPLE_PX + 4 + metrics.horizontalAdvance(spoken(words))
            if left and left + wide > width:
                left, row = 0.0, row + 1
            spots.append((left, row))
            left += wide + GAP_PX
        return spots

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter = QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        height = self._line_height()
        for (kind, words), (left, row) in zip(self._samples, self._spots(self.width()), strict=True):
            self._draw_sample(painter, kind, left, row * height + height / 2)
            painter.setPen(QtGui.QColor(self.colours.muted))
            painter.setFont(self.colours.small)
            place = QRectF(left + SAMPLE_PX + 4, row * height, self.width(), height)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, spoken(words))

    def _draw_sample(self, painter: QtGui.QPainter, kind: str, left: float, middle: float) -> None:
        """As the map draws the same."""
        colours, centre = self.colours, QPointF(left + SAMPLE_PX / 2, middle)
        if kind in ("near", "far", "over"):
            painter.setPen(way_pen(colours, kind))
            painter.drawLine(QPointF(left, middle), QPointF(left + SAMPLE_PX, middle))
        elif kind in ("site", "other_site"):
            half = 4.5 if kind == "site" else 3.5
            painter.setPen(QtGui.QPen(QtGui.QColor(colours.edge), 1.2))
            painter.setBrush(QtGui.QColor(colours.text if kind == "site" else colours.sea))
            painter.drawPolygon(
                QtGui.QPolygonF(
                    [centre + QPointF(*corner) for corner in ((0, -half), (half, 0), (0, half), (-half, 0))]
                )
            )
        elif kind == "none":
            painter.setPen(QtGui.QPen(QtGui.QColor(colours.over), 1.6))
            painter.drawLine(centre + QPointF(-4, -4), centre + QPointF(4, 4))
            painter.drawLine(centre + QPointF(-4, 4), centre + QPointF(4, -4))
        else:
            painter.setPen(QtGui.QPen(QtGui.QColor(colours.muted), 1.2))
            painter.setBrush(QtGui.QColor(colours.muted) if kind == "top" else QtGui.QColor(colours.sea))
            painter.drawEllipse(centre, 4, 4)
