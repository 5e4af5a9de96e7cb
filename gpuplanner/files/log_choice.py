"""How one log is to be read where that was said by hand: its format or mapping, and the zone of its clock."""

from collections.abc import Mapping
from dataclasses import dataclass

from gpuplanner.files.job_logs.mapping import ColumnMapping


@dataclass(frozen=True, slots=True)
class LogChoice:
    """None: left to what is recognised, and to what the call says of all logs. A mapping wins over a format."""

    format: str | None = None
    mapping: ColumnMapping | None = None
    timezone: str | None = None


LogChoices = Mapping[str, LogChoice]
"""By the path as it was given."""

NONE_GIVEN = LogChoice()
