"""Pictures of cards that were drawn before: most cards of a frame look as they did in the last one."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPixmap

MOST_BYTES: Final = 8_000_000
"""What one column keeps: about a hundred cards at an ordinary scale, thirty at twice that."""
_BYTES_PER_PIXEL: Final = 4


def is_whole(ratio: float) -> bool:
    """Whether a picture stands on the pixels of a screen of this scale wherever a card does; else it would blur."""
    return ratio == int(ratio)


class CardPictures:
    """The pictures seen last, by all that they were drawn from; the one not seen for longest goes first."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._kept: OrderedDict[Hashable, tuple[QPixmap, int]] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._kept)

    def clear(self) -> None:
        """Draw everything anew."""
        self._kept.clear()
        self._bytes = 0

    def picture(
        self, of: Hashable, size: QSize, ratio: float, ground: str, draw: Callable[[QPainter], None]
    ) -> QPixmap:
        """The picture of `of`, drawn where it is not kept. `of` says all that `draw` looks at, size and ratio too.

        ground: the colour behind it. The picture is opaque, so that its letters are smoothed as on the window.
        """
        known = self._kept.get(of)
        if known is not None:
            self._kept.move_to_end(of)
            return known[0]
        image = QPixmap(size * ratio)
        image.setDevicePixelRatio(ratio)
        image.fill(ground)
        painter = QPainter(image)
        draw(painter)
        painter.end()
        taken = image.width() * image.height() * _BYTES_PER_PIXEL
        self._kept[of] = (image, taken)
        self._bytes += taken
        while self._bytes > self._most_bytes and len(self._kept) > 1:
            self._bytes -= self._kept.popitem(last=False)[1][1]
        return image
