"""View of a map of the world: its visible part, and the position of a place in it."""

from typing import Final

from PySide6.QtCore import QPointF

from gpuplanner.lazy_dataclass import dataclass

WEST, EAST, SOUTH, NORTH = -170.0, 190.0, -57.0, 78.0
"""What is seen at first: all places where people are; the seam lies in the Bering Strait."""

FARTHEST_IN: Final = 8.0


@dataclass(frozen=True, slots=True)
class MapView:
    """A widget of so many pixels with a place in its middle; zoom: 1 shows the world, FARTHEST_IN is nearest."""

    width_px: int
    height_px: int
    centre: QPointF  # degrees
    zoom: float

    @property
    def scale(self) -> float:
        """Pixels a degree: all of the world is seen at zoom 1.

        As many in both directions: a plain cylindrical map.
        """
        fit = min(self.width_px / (EAST - WEST), self.height_px / (NORTH - SOUTH))
        return max(fit, 1e-6) * self.zoom

    @property
    def middle(self) -> QPointF:
        """The middle in pixels."""
        return QPointF(self.width_px / 2, self.height_px / 2)

    def point_of(self, longitude: float, latitude: float) -> QPointF:
        """Where a place stands in the widget.

        Degrees, north and east positive; west of the seam it stands at the right.
        """
        return self.point_east(longitude if longitude >= WEST else longitude + 360, latitude)

    def point_east(self, east: float, latitude: float) -> QPointF:
        """Where a place stands that may be more than a turn round the globe to the east or west.

        east: degrees on from 0, over 180 after the date line.
        """
        middle, scale = self.middle, self.scale
        return QPointF(
            middle.x() + (east - self.centre.x()) * scale, middle.y() - (latitude - self.centre.y()) * scale
        )

    def degrees_at(self, at: QPointF) -> QPointF:
        """Which place stands at a point of the widget.

        x: degrees east, which may be over 180; y: north. Law: `point_east` of it is the point.
        """
        middle, scale = self.middle, self.scale
        return QPointF(
            self.centre.x() + (at.x() - middle.x()) / scale, self.centre.y() - (at.y() - middle.y()) / scale
        )

    def centre_within(self, centre: QPointF) -> QPointF:
        """The place nearest to one that may be in the middle without a look past the edge of the world.

        Degrees; where all of the world is seen, its middle.
        """
        half_width, half_height = self.width_px / 2 / self.scale, self.height_px / 2 / self.scale
        return QPointF(
            _between(centre.x(), WEST + half_width, EAST - half_width),
            _between(centre.y(), SOUTH + half_height, NORTH - half_height),
        )


def _between(value: float, low: float, high: float) -> float:
    """The middle of the bounds where they have crossed: then all of it is seen."""
    return (low + high) / 2 if low > high else min(high, max(low, value))
