"""How one log is to be read where that was said by hand: format or mapping, zone, and what becomes of alike rows."""

from collections.abc import Mapping
from dataclasses import dataclass

from gpuplanner.files.job_logs.mapping.column_mapping import ColumnMapping


@dataclass(frozen=True, slots=True)
class LogChoice:
    """None: left to what is recognised, and to what the call says of all logs. A mapping wins over a format.

    drops_alike: rows without an id that repeat an earlier one in every field are duplicates.
    is_open_ended: rows without an end run on, those without a start were there when the log began.
    """

    format: str | None = None
    mapping: ColumnMapping | None = None
    timezone: str | None = None
    drops_alike: bool = False
    is_open_ended: bool = False


LogChoices = Mapping[str, LogChoice]
"""By the path as it was given."""

NONE_GIVEN = LogChoice()
