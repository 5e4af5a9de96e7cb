"""Placement in a thread: the best sites, kept while the places are the same."""

from gpuplanner.app import background
from gpuplanner.domain.model.places import Places
from gpuplanner.domain.serving.placement import placement_of


class Placer(background.Answering):
    """Who is served from where; answers with a `Placement`."""

    def ask(self, places: Places) -> None:
        """Work out who is served from where, today and from the best sites; `answered` tells.

        Told at once for the very same places as last time.
        """
        self._newest.ask((background.Itself(places),), lambda on_progress, is_cancelled: placement_of(places))
