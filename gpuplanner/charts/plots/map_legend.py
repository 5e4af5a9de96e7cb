"""The legend of the map: samples of its lines and marks with their words, in as many lines as they need."""

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.charts.plots.map_places import MapColours
from gpuplanner.domain.message import Message, worded

SAMPLES: Final[tuple[tuple[str, Message], ...]] = (
    ("near", worded("up to 40 ms one way")),
    ("far", worded("40 to 80 ms")),
    ("over", worded("over 80 ms")),
    ("site", worded("serving")),
    ("other_site", worded("other site")),
    ("top", worded("top 80% city")),
    ("other", worded("other city")),
    ("none", worded("served from nowhere")),
)
SAMPLE_PX: Final = 20.0
GAP_PX: Final = 14.0


class MapLegend(QWidget):
    """Told its colours; whether some city is served from nowhere decides if that is explained."""

    def __init__(self, colours: MapColours, parent: QWidget | None = None) -> None:
        """Until it is told otherwise nobody is served from nowhere."""
        self._colours = colours
        self._samples = SAMPLES[:-1]
        super().__init__(parent)
        self.setAccessibleName(
            tr("Legend of the map: {words}", words=", ".join(spoken(words) for _, words in SAMPLES))
        )
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_colours(self, colours: MapColours) -> None:
        """Other colours from now on."""
        self._colours = colours
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
        return QFontMetricsF(self._colours.small).height() + 3

    def _spots(self, width: float) -> list[tuple[float, int]]:
        """Left edge and line of each sample."""
        metrics, left, row, spots = QFontMetricsF(self._colours.small), 0.0, 0, []
        for _, words in self._samples:
            wide = SAMPLE_PX + 4 + metrics.horizontalAdvance(spoken(words))
            if left and left + wide > width:
                left, row = 0.0, row + 1
            spots.append((left, row))
            left += wide + GAP_PX
        return spots

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        height = self._line_height()
        for (kind, words), (left, row) in zip(self._samples, self._spots(self.width()), strict=True):
            middle = row * height + height / 2
            self._draw_sample(painter, kind, left, middle)
            painter.setPen(QColor(self._colours.muted))
            painter.setFont(self._colours.small)
            place = QRectF(left + SAMPLE_PX + 4, row * height, self.width(), height)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, spoken(words))

    def _draw_sample(self, painter: QPainter, kind: str, left: float, middle: float) -> None:
        """As the map draws the same."""
        colours, centre = self._colours, QPointF(left + SAMPLE_PX / 2, middle)
        if kind in ("near", "far", "over"):
            pen = QPen(QColor(getattr(colours, kind)), 1.7 if kind == "over" else 1.2)
            if kind == "over":
                pen.setDashPattern([4, 2.5])
            painter.setPen(pen)
            painter.drawLine(QPointF(left, middle), QPointF(left + SAMPLE_PX, middle))
        elif kind in ("site", "other_site"):
            half = 4.5 if kind == "site" else 3.5
            painter.setPen(QPen(QColor(colours.edge), 1.2))
            painter.setBrush(QColor(colours.text if kind == "site" else colours.sea))
            painter.drawPolygon(
                QPolygonF([centre + QPointF(*way) for way in ((0, -half), (half, 0), (0, half), (-half, 0))])
            )
        elif kind == "none":
            painter.setPen(QPen(QColor(colours.over), 1.6))
            painter.drawLine(centre + QPointF(-4, -4), centre + QPointF(4, 4))
            painter.drawLine(centre + QPointF(-4, 4), centre + QPointF(4, -4))
        else:
            painter.setPen(QPen(QColor(colours.muted), 1.2))
            painter.setBrush(QColor(colours.muted) if kind == "top" else QColor(colours.sea))
            painter.drawEllipse(centre, 4, 4)
