"""Figures of a random job, before they are written in a unit."""

from typing import Final, NamedTuple

FIRST_S: Final = 1_767_607_200  # 5 January 2026, 10:00 UTC


class JobFigures(NamedTuple):
    """What a job asked for and how long it ran."""

    number: int
    gpus: int
    nodes: int
    submit_s: int
    start_s: int
    end_s: int
    limit_s: int
    activity: int
    """Percent."""

    @property
    def duration_s(self) -> int:
        """Seconds from start to end."""
        return self.end_s - self.start_s
