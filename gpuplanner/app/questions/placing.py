"""Placement in a thread: the best sites are looked for once somebody looks, and kept for as long as places hold."""

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import Threaded
from gpuplanner.app.questions.newest_question import Itself, NewestQuestion
from gpuplanner.domain.model.places import Places
from gpuplanner.domain.serving.placement import Placement, placement_of


class Placer(Threaded):
    """The newest question is answered; one about the same places is answered at once."""

    answered = Signal(object)  # Placement

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._newest = NewestQuestion[Placement](self._background, self.answered.emit)

    def ask(self, places: Places) -> None:
        """Work out who is served from where, today and from the best sites; `answered` tells.

        Told at once for the very same places as last time.
        """
        self._newest.ask((Itself(places),), lambda on_progress, is_cancelled: placement_of(places))
