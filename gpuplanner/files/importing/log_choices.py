"""How logs are to be read where that was said by hand, one log or all of a call."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from gpuplanner.files.activity.activity_intake import NO_NODE, OneNode
from gpuplanner.files.system.engine import OpenEnded
from gpuplanner.files.tables import column_mapping
from gpuplanner.files.tables.recipe import TableStep
from gpuplanner.lazy_dataclass import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class LogChoice:
    """None: left to what is recognised, and to what the call says of all logs. A mapping wins over a format.

    drops_alike: rows without an id that repeat an earlier one in every field are duplicates.
    is_open_ended: rows without an end run on, those without a start were there when the log began.
    node: of a log of activity whose rows name none. cluster: of jobs, or of contracts, whose file names none. An empty
    timezone or cluster is none, whatever the call says of all logs. steps: of a table's recipe, before its mapping.
    """

    format: str | None = None
    mapping: column_mapping.ColumnMapping | None = None
    timezone: str | None = None
    drops_alike: bool = False
    is_open_ended: OpenEnded = False
    node: OneNode = NO_NODE
    cluster: str | None = None
    steps: tuple[TableStep, ...] = ()


LogChoices = Mapping[str, LogChoice]
"""By the path as it was given."""

NONE_GIVEN: Final = LogChoice()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How the job logs of a call are read.

    format, mapping, timezone, drops_alike, is_open_ended, node: of every log, as in LogChoice; a mapping may be in
    the words of --map. choices: what was said of single logs, which wins.
    cluster: of jobs whose log names none. tres: the GPUs among the resources that a cluster numbers, by number
    (`tres_names.parse_tres`); without it those of its own table, where that is one of the files.
    pseudonyms: replace users, accounts and job names before anything is kept, with this user's key or that in a file.
    """

    format: str | None = None
    mapping: column_mapping.ColumnMapping | str | None = None
    timezone: str | None = None
    drops_alike: bool = False
    is_open_ended: OpenEnded = False
    choices: LogChoices = field(default_factory=dict)
    cluster: str | None = None
    tres: Mapping[str, str] | None = None
    pseudonyms: bool | Path = False
    node: OneNode = NO_NODE

    @property
    def of_all(self) -> LogChoice:
        """What holds for a log of which nothing else was said. Errors: PlannerError usage for a bad mapping."""
        mapping = (
            column_mapping.parse_mapping(self.mapping) if isinstance(self.mapping, str) else self.mapping
        )
        return LogChoice(
            format=self.format,
            mapping=mapping,
            timezone=self.timezone,
            drops_alike=self.drops_alike,
            is_open_ended=self.is_open_ended,
            node=self.node,
            cluster=self.cluster,
        )

    def of(self, path: str) -> LogChoice:
        """What holds for the log at a path. Errors: as of_all."""
        said, own = self.of_all, self.choices.get(path, NONE_GIVEN)
        is_told = own.format is not None or own.mapping is not None
        return LogChoice(
            format=own.format if is_told else said.format,
            mapping=own.mapping if is_told else said.mapping,
            timezone=(said.timezone if own.timezone is None else own.timezone) or None,
            drops_alike=own.drops_alike or said.drops_alike,
            is_open_ended=own.is_open_ended or said.is_open_ended,
            node=said.node if own.node == NO_NODE else own.node,
            cluster=(said.cluster if own.cluster is None else own.cluster) or None,
        )

    @property
    def clusters(self) -> dict[str, str]:
        """The clusters that were said of single files, by path."""
        return {path: choice.cluster for path, choice in self.choices.items() if choice.cluster}


AS_RECOGNISED: Final = ReadOptions()
"""Nothing was said by hand."""
