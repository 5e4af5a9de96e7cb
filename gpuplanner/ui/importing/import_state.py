"""What an import is about: each file with what it is taken for, and in words why something cannot be read yet."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from gpuplanner.app.importing import ImportRequest
from gpuplanner.app.previewing import FoundFile
from gpuplanner.domain.edits.inputs import KINDS_OF_PLACES
from gpuplanner.domain.message import NO_WORDS, Message, joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.intake import FileIntake
from gpuplanner.files.importing.log_choice import NONE_GIVEN, LogChoice
from gpuplanner.files.tables.column_mapping import mapping_text
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import tr
from gpuplanner.ui.words.window_words import in_window_words

KINDS: Final = (
    ("jobs", worded("Job log"), "job_log"),
    ("activity", worded("GPU activity"), "gpu"),
    ("contracts", worded("Contracts"), "contract"),
    ("prices", worded("Prices"), "price"),
    ("users", worded("Users"), "globe"),
    ("sites", worded("Sites"), "cluster"),
    ("measured", worded("Measured"), "clock"),
    ("residency", worded("Residency"), "residency"),
    ("planned", worded("Planned"), "plus"),
    ("interruptions", worded("Interruptions"), "interruption"),
    ("", worded("Leave out"), "more"),
)
"""Kind of file, its words, its icon."""

KIND_OF_FOUND: Final = {
    "jobs": "jobs",
    "billing": "jobs",
    "activity": "activity",
    "contracts": "contracts",
    "prices": "prices",
    "users": "users",
    "sites": "sites",
    "measured": "measured",
    "residency": "residency",
    "planned": "planned",
    "nodes": "contracts",
    "interruptions": "interruptions",
}
"""What a file of each recognised kind is read as; of any other it is left out."""

OF_PLACES: Final = KINDS_OF_PLACES
OWN_COLUMNS: Final = (*OF_PLACES, "planned", "interruptions")
"""Kinds of file with columns of our own only: what each is stands in its header."""

MAPPABLE: Final = ("jobs", "contracts", "prices")
"""Kinds of file whose columns can be mapped."""


@dataclass(frozen=True, slots=True)
class ChosenFile:
    """One file. kind: one of KINDS; choice: how a log is to be read; found: None while it is looked at.

    header: under which its mapping is remembered, once its columns are known; is_remembered: its mapping came from
    there; differs: what is otherwise in this table than in that one, in words. are_rates_right: the planner has said
    so of rates far from the market.
    """

    path: str
    kind: str = ""
    choice: LogChoice = field(default_factory=LogChoice)
    found: FoundFile | None = None
    header: str = ""
    is_remembered: bool = False
    differs: Message = NO_WORDS
    are_rates_right: bool = False

    @property
    def name(self) -> str:
        """Without the folder."""
        return Path(self.path).name

    @property
    def is_known(self) -> bool:
        """Whether its content said what it is."""
        return self.found is not None and bool(kind_of_found(self.found))

    @property
    def is_closed(self) -> bool:
        """Whether it could not be opened: it is not there, damaged, or not to be read."""
        return self.found is not None and not self.found.kind

    @property
    def is_described(self) -> bool:
        """Whether its content said what it is, and that nothing is imported of it."""
        return (
            self.found is not None
            and not self.is_known
            and (self.found.kind not in ("", "unknown") or bool(self.found.format))
        )

    @property
    def is_mappable(self) -> bool:
        """Whether a mapping can be read by for what it is, or may turn out to be."""
        return not self.kind or self.kind in MAPPABLE

    @property
    def needs_mapping(self) -> bool:
        """Whether its columns have to be said: its content said nothing, or something else than the planner."""
        found = "" if self.found is None else kind_of_found(self.found)
        return self.kind in MAPPABLE and (self.choice.format is not None or found != self.kind)

    def recognised(self, found: FoundFile) -> "ChosenFile":
        """With what a look at it found."""
        return replace(self, found=found, kind=kind_of_found(found))


def kind_of_found(found: FoundFile) -> str:
    """What a file is read as by its content; empty where nothing is imported of it, as of a cloud's list of regions."""
    is_described = found.kind in OF_PLACES and not found.format
    return "" if is_described else KIND_OF_FOUND.get(found.kind, "")


def request_of(
    files: Iterable[ChosenFile],
    *,
    timezone: str = "",
    cluster: str = "",
    window: Any = None,
    is_private: bool = False,
    rows_dir: Path | None = None,
) -> ImportRequest:
    """What is to be read."""
    files = tuple(files)
    paths = {kind: tuple(file.path for file in files if file.kind == kind) for kind, _, _ in KINDS}
    tables = tuple(
        (file.path, mapping_text(file.choice.mapping))
        for file in files
        if file.kind in ("contracts", "prices") and file.choice.mapping is not None
    )
    choices = tuple(
        (file.path, file.choice) for file in files if file.kind == "jobs" and file.choice != NONE_GIVEN
    )
    return ImportRequest(
        (*paths["jobs"], *paths["activity"]),  # activity is joined with the jobs, and read beside them
        paths["contracts"],
        paths["prices"],
        timezone=timezone or None,
        cluster=cluster or None,
        window=window,
        pseudonyms=is_private,
        rows_dir=rows_dir,
        choices=choices,
        table_mappings=tables,
        place_paths=tuple((file.kind, file.path) for file in files if file.kind in OF_PLACES),
        planned_paths=paths["planned"],
        interruption_paths=paths["interruptions"],
    )


def unreadable(files: Sequence[ChosenFile], previews: Mapping[str, Any]) -> tuple[ChosenFile, str] | None:
    """The first log that cannot be read as the planner wants it, and why.

    One that was taken for a log by its content alone is none of these: the reader refuses it, the others go on.
    """
    for file in files:
        preview = previews.get(file.path)
        is_wanted = file.kind in MAPPABLE and (file.choice != NONE_GIVEN or file.needs_mapping)
        if is_wanted and preview is not None and preview.missing:
            return file, tr(
                "{name} cannot be read yet: {missing}.",
                name=file.name,
                missing=joined(preview.missing, "; "),
            )
        if file.kind == "jobs" and preview is not None and preview.doubts and file.choice.mapping is None:
            doubts = joined((in_window_words(doubt) for doubt in preview.doubts), "; ")
            return file, tr("{name} is not read before you agree: {doubts}.", name=file.name, doubts=doubts)
    return None


def obstacle(files: Sequence[ChosenFile], previews: Mapping[str, Any], zone: str, of_window: str) -> str:
    """Why nothing can be read as things stand; empty where it can.

    zone: refused where there is no such zone; of_window: why the time window that was asked for cannot be.
    """
    if any(file.found is None for file in files):
        return tr("The files are being looked at.")
    if zone and not is_zone(zone):
        return tr("{zone} is no time zone: choose one such as Europe/Oslo.", zone=zone)
    if of_window:
        return of_window
    waiting = unreadable(files, previews)
    if waiting is not None:
        return tr("{waiting} Map its columns, or leave it out.", waiting=waiting[1])
    if all(file.is_closed for file in files):
        first = files[0]
        why = first.found.why if first.found is not None else ""
        return tr("{name} cannot be opened: {why}.", name=first.name, why=in_window_words(why))
    if not any(file.kind for file in files):
        return tr(
            "None of these files is a job log, contracts, prices, users, sites or planned work. "
            "Say what each is, or choose others."
        )
    return ""


def is_zone(name: str) -> bool:
    """Whether a time zone has this name."""
    from gpuplanner.files.values.times import check_timezone

    try:
        check_timezone(name)
    except PlannerError:
        return False
    return True


def all_files(files: Iterable[FileIntake]) -> FileIntake | None:
    """Several files as one, for their counts and issues together; None where there is none."""
    files = tuple(files)
    if len(files) <= 1:
        return files[0] if files else None
    issues: dict[str, Any] = {}
    for issue in (issue for file in files for issue in file.issues):
        before = issues.get(issue.code)
        issues[issue.code] = replace(before, count=before.count + issue.count) if before else issue
    return FileIntake(
        numbers.counted(len(files), "file"),
        "jobs",
        "",
        sum(file.rows_read for file in files),
        sum(file.rows_accepted for file in files),
        sum(file.rows_rejected for file in files),
        sum(file.rows_duplicate for file in files),
        sum(file.rows_ignored for file in files),
        tuple(issues[code] for code in sorted(issues)),
        tuple(row for file in files for row in file.rejected),
    )


def intake_of_preview(preview: Any) -> FileIntake:
    """The counts, issues and rejected rows of a preview, as of a file that was read."""
    read, accepted, rejected, duplicate, ignored = preview.counts
    return FileIntake(
        preview.path,
        preview.kind or "jobs",
        preview.format,
        read,
        accepted,
        rejected,
        duplicate,
        ignored,
        preview.issues,
        preview.rejected,
        noted=preview.noted,
    )


def likely_unit(field: str, heading: str, samples: Sequence[str]) -> str:
    """The unit that a column's heading and texts suggest for a field; empty where none does or none applies."""
    from gpuplanner.files.job_logs.mapping.propose_columns import propose_mapping

    if not samples:
        return ""
    rows = [[sample] for sample in samples]
    plain = field.removesuffix("_percent")  # or the field's own name would say what the unit is
    for name in (heading, plain):  # a heading that says nothing leaves it to the texts
        found = propose_mapping((name,), rows).readings.get(field)
        if found is not None and found.unit_words:
            return found.unit_words
    return ""


def time_left(elapsed_s: float, share: float) -> str:
    """About how long the rest takes; empty while that cannot be told."""
    if elapsed_s < 1.5 or not 0.02 < share < 1:
        return ""
    left_s = elapsed_s * (1 - share) / share
    if left_s < 60:
        return tr("about {max} s left", max=max(1, round(left_s)))
    return tr("about {max} min left", max=max(1, round(left_s / 60)))


def bytes_text(size: int) -> str:
    """38.4 MB."""
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= scale:
            return f"{numbers.one_decimal(size / scale)} {unit}"
    return numbers.counted(size, "byte")
