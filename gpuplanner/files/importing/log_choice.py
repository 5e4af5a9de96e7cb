"""How logs are to be read where that was said by hand, one log or all of a call: what no file can say of itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from gpuplanner.files.tables.column_mapping import ColumnMapping, parse_mapping


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

NONE_GIVEN: Final = LogChoice()


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How the job logs of a call are read.

    format, mapping, timezone, drops_alike, is_open_ended: of every log, as in LogChoice; a mapping may be in the words
    of --map. choices: what was said of single logs, which wins.
    cluster: of jobs whose log names none. tres: the GPUs among the resources that a cluster numbers, by number
    (`tres_names.parse_tres`); without it those of its own table, where that is one of the files.
    pseudonyms: replace users, accounts and job names before anything is kept, with this user's key or that in a file.
    """

    format: str | None = None
    mapping: ColumnMapping | str | None = None
    timezone: str | None = None
    drops_alike: bool = False
    is_open_ended: bool = False
    choices: LogChoices = field(default_factory=dict)
    cluster: str | None = None
    tres: Mapping[str, str] | None = None
    pseudonyms: bool | Path = False

    @property
    def of_all(self) -> LogChoice:
        """What holds for a log of which nothing else was said. Errors: PlannerError usage for a bad mapping."""
        mapping = parse_mapping(self.mapping) if isinstance(self.mapping, str) else self.mapping
        return LogChoice(self.format, mapping, self.timezone, self.drops_alike, self.is_open_ended)

    def of(self, path: str) -> LogChoice:
        """What holds for the log at a path. Errors: as of_all."""
        said, own = self.of_all, self.choices.get(path, NONE_GIVEN)
        is_told = own.format is not None or own.mapping is not None
        return LogChoice(
            own.format if is_told else said.format,
            own.mapping if is_told else said.mapping,
            own.timezone or said.timezone,
            own.drops_alike or said.drops_alike,
            own.is_open_ended or said.is_open_ended,
        )


AS_RECOGNISED: Final = ReadOptions()
"""Nothing was said by hand."""
