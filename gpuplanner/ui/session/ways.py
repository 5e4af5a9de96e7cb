"""Where flows can lead to in their window, without knowing it: the window fills the ways in."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


def _nowhere(*_: Any) -> None:
    """A way that no window has filled in."""


@dataclass(frozen=True, slots=True)
class Ways:
    """Each brings something into view, or an answer. Without a window they lead nowhere.

    why is asked with the figure's id, the widget it stands in and where (QRect; None: all of it); answer_for with a
    dialog that knows why its own figures are what they are; back with a sheet that an answer may have led to.
    """

    workload: Callable[[str], None] = _nowhere  # by its key
    contract: Callable[[str], None] = _nowhere  # by its id
    panel: Callable[..., None] = _nowhere  # by its name, and that of one of its views where it has some
    scenario: Callable[[str], None] = _nowhere  # by its name
    stop_team: Callable[[str], None] = _nowhere  # to the question when a team's workloads stop, by its name
    jobs: Callable[[str], None] = _nowhere  # of a workload, by its key
    why: Callable[..., None] = _nowhere
    answer_for: Callable[[Any], None] = _nowhere
    back: Callable[[Any], None] = _nowhere
