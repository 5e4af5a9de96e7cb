"""Placement in a thread: the best sites are looked for once somebody looks, and kept for as long as places hold."""

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import Background
from gpuplanner.domain.model.places import Places
from gpuplanner.domain.serving.placement import Placement, placement_of


class Placer(QObject):
    """The newest question is answered; one about the same places is answered at once."""

    answered = Signal(object)  # Placement
    failed = Signal(object)  # Exception

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = Background(self.failed.emit, parent=self)
        self._known: tuple[Places, Placement] | None = None
        self._asked: Places | None = None

    @property
    def is_busy(self) -> bool:
        """Whether an answer is awaited."""
        return self._background.is_busy

    def ask(self, places: Places) -> None:
        """Work out who is served from where, today and from the best sites; `answered` tells."""
        if self._known is not None and self._known[0] is places:
            self._background.cancel()
            self.answered.emit(self._known[1])
        elif not (self.is_busy and self._asked is places):
            self._asked = places
            self._background.run(lambda: placement_of(places), lambda found: self._take(places, found))

    def close(self) -> None:
        """Want no answer any more, and wait for the thread."""
        self._background.close()

    def _take(self, places: Places, placement: Placement) -> None:
        self._known = (places, placement)
        self.answered.emit(placement)
