"""What an import is about, as values and in words: each file, what it comes to, what is in the way."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QTimeZone

from gpuplanner.app.importing.file_previews import FoundFile
from gpuplanner.app.importing.import_request import ImportRequest
from gpuplanner.charts.kit.translation import by_count, sentence, spoken, tr
from gpuplanner.domain.audit.utilization.contracts_apart import contracts_apart
from gpuplanner.domain.edits.inputs import KINDS_OF_PLACES
from gpuplanner.domain.message import NO_WORDS, Message, Text, joined, worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.gpu_family import Same, SameKind, partition_name
from gpuplanner.domain.model.intake import FileIntake, observed
from gpuplanner.domain.model.places import NO_PLACES
from gpuplanner.domain.model.project import Project
from gpuplanner.files.importing.log_choices import NONE_GIVEN, LogChoice
from gpuplanner.files.system.resources import long_text, rows_of
from gpuplanner.files.tables.column_mapping import mapping_text
from gpuplanner.files.tables.recipe import Recipe
from gpuplanner.lazy_dataclass import dataclass, field, replace
from gpuplanner.lazy_re import lazy_re
from gpuplanner.ui.importing.report import is_refused
from gpuplanner.ui.state.plan_notice import NONE_RAN, apart_sentence
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.window_words import in_window_words

# --- What an import is about: each file with what it is taken for, and in words why something cannot be read yet

_KINDS: Final = rows_of("file_kinds.csv")
KINDS: Final = tuple((row["kind"], worded(row["title"]), row["icon"]) for row in _KINDS)
"""Kind of file, its words, its icon."""

READ_AS: Final = {row["kind"]: worded(row["read_as"]) for row in _KINDS if row["read_as"]}
"""Kinds that any file may be read as, in words."""

KIND_OF_FOUND: Final = {kind: kind for kind, _, _ in KINDS} | {"billing": "jobs", "nodes": "contracts"}
"""What a file of each recognised kind is read as; of any other it is left out."""

OF_PLACES: Final = KINDS_OF_PLACES
OWN_COLUMNS: Final = ("planned", "interruptions")
"""Kinds of file with columns of our own only: what each is stands in its header."""

MAPPABLE: Final = ("jobs", "contracts", "prices", *OF_PLACES)
"""Kinds of file whose columns can be mapped."""
COUNTS: Final = ("rows_read", "rows_accepted", "rows_rejected", "rows_duplicate", "rows_ignored")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenFile:
    """One file. kind: one of KINDS; choice: how a log is to be read; found: None while it is looked at.

    header: under which its mapping is remembered, once its columns are known; is_remembered: its mapping came from
    there; differs: what is otherwise in this table than in that one, in words. settled: codes of issues that
    the planner has called right: rates far from the market, and totals that disagree.
    """

    path: str
    kind: str = ""
    choice: LogChoice = field(default_factory=LogChoice)
    found: FoundFile | None = None
    header: str = ""
    is_remembered: bool = False
    differs: Message = NO_WORDS
    settled: tuple[str, ...] = ()

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
        if self.found is None or self.is_known:
            return False
        return self.found.kind not in ("", "unknown") or bool(self.found.format)

    @property
    def is_mappable(self) -> bool:
        """Whether a mapping can be read by for what it is, or may turn out to be."""
        return not self.kind or self.kind in MAPPABLE

    @property
    def is_said(self) -> bool:
        """Whether the planner said what it is or how it is read; not what its content or an earlier table says."""
        is_chosen = self.choice != NONE_GIVEN and not self.is_remembered
        return self.found is not None and (is_chosen or self.kind != kind_of_found(self.found))

    @property
    def table_mapping(self) -> str | Recipe:
        """How a table is read, in words, or as a recipe where steps come before its mapping; empty: as proposed."""
        words = "" if self.choice.mapping is None else mapping_text(self.choice.mapping)
        recipe = Recipe(kind=self.kind, steps=self.choice.steps)
        return recipe.with_words(words) if self.choice.steps else words

    @property
    def needs_mapping(self) -> bool:
        """Whether its columns have to be said: its content said nothing, or something else than the planner."""
        found = "" if self.found is None else kind_of_found(self.found)
        return self.kind in MAPPABLE and (self.choice.format is not None or found != self.kind)

    def recognised(self, found: FoundFile) -> "ChosenFile":
        """With what a look at it found."""
        return replace(self, found=found, kind=kind_of_found(found))


FIRST_OF_LOG: Final = ("gpus", "start", "end", "duration", "state")


def first_row_words(preview: Any) -> str:
    """The first row of a file as it is read: 8 GPUs \u00b7 3 Jul 2026 00:14:09 UTC to 3 Jul 2026 02:00:00 UTC.

    preview: LogPreview or None; empty where nothing of it is known.
    """
    if preview is None or preview.first:
        return "" if preview is None else spoken(preview.first)
    is_log = preview.kind == "jobs"
    read = {one.field: words for one in preview.fields if is_log and (words := spoken(one.read_as))}
    if "start" in read and "end" in read:
        read["start"] = tr("{start} to {end}", start=read["start"], end=read.pop("end"))
    return numbers.MIDDOT.join(read[field] for field in FIRST_OF_LOG if field in read)


def kind_of_found(found: FoundFile) -> str:
    """What a file is read as by its content; empty where nothing is imported of it, as of a cloud's list of regions."""
    is_described = found.kind in OF_PLACES and not found.format
    return "" if is_described else KIND_OF_FOUND.get(found.kind, "")


def request_of(
    files: Iterable[ChosenFile],
    *,
    timezone: str = "",
    window: Any = None,
    is_private: bool = False,
    rows_dir: Path | None = None,
) -> ImportRequest:
    """What is to be read."""
    files = tuple(files)
    paths = {kind: tuple(file.path for file in files if file.kind == kind) for kind, _, _ in KINDS}
    tables = tuple(
        (file.path, mapping)
        for file in files
        if file.kind in ("contracts", "prices", *OF_PLACES) and (mapping := file.table_mapping)
    )
    choices = tuple(
        (file.path, file.choice)
        for file in files
        if file.kind in ("jobs", "activity") and file.choice != NONE_GIVEN
    )
    return ImportRequest(
        job_paths=(
            *paths["jobs"],
            *paths["activity"],
        ),  # activity is joined with the jobs, and read beside them
        contract_paths=paths["contracts"],
        price_paths=paths["prices"],
        timezone=timezone or None,
        window=window,
        pseudonyms=is_private,
        rows_dir=rows_dir,
        choices=choices,
        table_mappings=tables,
        place_paths=tuple((file.kind, file.path) for file in files if file.kind in OF_PLACES),
        planned_paths=paths["planned"],
        interruption_paths=paths["interruptions"],
    )


class UnreadableFile(NamedTuple):
    """A file that cannot be read yet, and why."""

    file: ChosenFile
    why: str


def unreadable(files: Sequence[ChosenFile], previews: Mapping[str, Any]) -> UnreadableFile | None:
    """The first log that cannot be read as the planner wants it, and why.

    One that was taken for a log by its content alone is none of these: the reader refuses it, the others go on.
    """
    for file in files:
        preview = previews.get(file.path)
        is_wanted = file.kind in MAPPABLE and (file.choice != NONE_GIVEN or file.needs_mapping)
        if is_wanted and preview is not None and preview.missing:
            missing = joined(preview.missing, "; ")
            why = tr("{name} cannot be read yet: {missing}.", name=file.name, missing=missing)
            return UnreadableFile(file, why)
        if file.kind == "jobs" and preview is not None and preview.doubts and file.choice.mapping is None:
            doubts = joined((in_window_words(doubt) for doubt in preview.doubts), "; ")
            why = tr("Confirm before importing {name}: {doubts}.", name=file.name, doubts=doubts)
            return UnreadableFile(file, why)
    return None


def obstacle(files: Sequence[ChosenFile], previews: Mapping[str, Any], zone: str, of_window: str) -> str:
    """Why nothing can be read as things stand; empty where it can.

    zone: refused where there is no such zone; of_window: why the time window that was asked for cannot be.
    """
    if any(file.found is None for file in files):
        return tr("Reading…")
    if zone and not is_zone(zone):
        return tr("{zone} is not a time zone. Example: Europe/Oslo.", zone=zone)
    if of_window:
        return of_window
    if (waiting := unreadable(files, previews)) is not None:
        return tr("{waiting} Map its columns, or skip it.", waiting=waiting.why)
    if all(file.is_closed for file in files):
        first = files[0]
        why = first.found.why if first.found is not None else ""
        return tr("{name} cannot be opened: {why}.", name=first.name, why=in_window_words(why))
    if not any(file.kind for file in files):
        return tr(long_text("no_file_recognized"))
    return ""


def is_zone(name: str) -> bool:
    """Whether a time zone has this name."""
    from gpuplanner.files.values.times import check_timezone

    try:
        check_timezone(name)
    except PlannerError:
        return False
    return True


@cache
def zones_by_words() -> dict[str, str]:
    """All time zones that may be chosen, by their cities: that of this computer first, then UTC."""
    from zoneinfo import available_timezones

    zones = [zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc/")]
    cities = [(zone.rpartition("/")[2].replace("_", " "), zone) for zone in zones]
    cities += [(row["city"], row["zone"]) for row in rows_of("zone_cities.csv")]
    words = {tr("{name} ({note})", name=city, note=zone): zone for city, zone in sorted(cities)}
    here = bytes(QTimeZone.systemTimeZoneId().data()).decode()
    own = next((tr("{name} ({note})", name=city, note=zone) for city, zone in cities if zone == here), "UTC")
    return {own: here if own in words else "UTC", "UTC": "UTC", **words}


_HOURS_FROM_UTC: Final = lazy_re(r"(?i)(?:UTC|GMT)? ?([+-\u2212])(\d\d?)(?::?00)?")


def zone_of(words: str) -> str:
    """The time zone that is chosen or typed: its words, its name or a city; what is none of these stays as it is.

    The database writes the zone UTC+2 as Etc/GMT-2; a full hour from UTC is typed as clocks say it.

    >>> zone_of("new york"), zone_of("Munich"), zone_of("Europe/Oslo"), zone_of("Atlantis")
    ('America/New_York', 'Europe/Berlin', 'Europe/Oslo', 'Atlantis')
    >>> zone_of("UTC+2"), zone_of("-05:00"), zone_of("+05:30")
    ('Etc/GMT-2', 'Etc/GMT+5', '+05:30')
    """
    words, known = words.strip(), zones_by_words()
    if (offset := _HOURS_FROM_UTC.fullmatch(words)) is not None:
        sign, hours = "-" if offset[1] == "+" else "+", int(offset[2])
        return f"Etc/GMT{sign}{hours}" if is_zone(f"Etc/GMT{sign}{hours}") else words
    if words in known or is_zone(words):
        return known.get(words, words)
    typed = words.casefold().replace("_", " ")
    zones = {zone for text, zone in known.items() if text.casefold().partition(" (")[0] == typed}
    return zones.pop() if len(zones) == 1 else words


def all_files(files: Iterable[FileIntake]) -> FileIntake | None:
    """Several files as one, for their counts and issues together; None where there is none."""
    files = tuple(files)
    if len(files) <= 1:
        return files[0] if files else None
    issues: dict[str, Any] = {}
    for issue in (issue for file in files for issue in file.issues):
        before = issues.get(issue.code)
        issues[issue.code] = replace(before, count=before.count + issue.count) if before else issue
    counts: dict[str, Any] = {name: sum(getattr(file, name) for file in files) for name in COUNTS}
    return FileIntake(
        path=numbers.counted(len(files), "file"),
        kind="jobs",
        format="",
        **counts,
        issues=tuple(issues[code] for code in sorted(issues)),
        rejected=tuple(row for file in files for row in file.rejected),
    )


def intake_of_preview(preview: Any) -> FileIntake:
    """The counts, issues and rejected rows of a preview, as of a file that was read."""
    counts: dict[str, Any] = dict(zip(COUNTS, preview.counts, strict=True))
    return FileIntake(
        path=preview.path,
        kind=preview.kind or "jobs",
        format=preview.format,
        **counts,
        issues=preview.issues,
        rejected=preview.rejected,
        noted=preview.noted,
    )


def likely_unit(field: str, heading: str, samples: Sequence[str]) -> str:
    """The unit that a column's heading and texts suggest for a field; empty where none does or none applies."""
    from gpuplanner.files.job_logs.propose_columns import propose_mapping

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
    if (left_s := elapsed_s * (1 - share) / share) < 60:
        return tr("about {max} s left", max=max(1, round(left_s)))
    return tr("about {max} min left", max=max(1, round(left_s / 60)))


def bytes_text(size: int) -> str:
    """38.4 MB."""
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= scale:
            return f"{numbers.one_decimal(size / scale)} {unit}"
    return numbers.counted(size, "byte")


# --- What an import says in words of what was read: what it comes to, what is in the way, what to look out for


def refusal_of(request: ImportRequest, read: Any) -> str:
    """Why nothing of what was read can be taken in; empty where something can."""
    if request.job_paths and not read.accepted_jobs:
        return tr("No job was imported.")
    if read.intake and all(is_refused(file) for file in read.intake):
        return tr("No file could be imported.")
    return ""


def sentence_of_import(
    request: ImportRequest,
    read: Any,
    files: Sequence[ChosenFile],
    contracts: Iterable[Contract],
    joined: Project | None = None,
) -> tuple[str, str]:
    """What was read comes to, what of it is not taken, and the palette role of the sentence.

    contracts: those loaded; joined: the project that the files are added to, None where they take the place of others.
    """
    if refusal := refusal_of(request, read):
        return f"{refusal} {import_remedy(read)}", "red"
    refused = [Path(file.path).name for file in read.intake if is_refused(file)]
    left_out: list[str] = []
    if refused:
        left_out.append(tr("Not imported: {names}. Reasons on the right.", names=", ".join(refused)))
    if closed := [file.name for file in files if file.is_closed]:
        left_out.append(tr("Cannot be opened: {names}.", names=", ".join(closed)))
    unknown = [
        file.name for file in files if not (file.kind or file.is_known or file.is_described or file.is_closed)
    ]
    if unknown:
        left_out.append(tr("Skipped, unknown kind: {names}.", names=", ".join(unknown)))
    ours = {contract.cluster for contract in (*read.contracts, *contracts)}
    alike = alike_clusters(ours | {workload.cluster for workload in read.workloads})
    is_short = read.window is not None and read.jobs.count < read.accepted_jobs
    role = "amber" if left_out or alike or is_short else "muted"
    return " ".join((import_summary(request, read, joined), *left_out, *alike)), role


class RowsReport(NamedTuple):
    """What is known of the rows of a file (None: nothing yet), and which rows that is of."""

    intake: FileIntake | None
    which_rows: str


def report_of(file: ChosenFile, read: FileIntake | None, preview: Any, *, is_reading: bool) -> RowsReport:
    """What is known of the rows of a file. preview: LogPreview or None."""
    how = [tr("with this mapping")] * (file.choice.mapping is not None)
    every = ", ".join((tr("All rows"), *how))
    if read is not None:
        return RowsReport(read, tr("Refused: no row was read") if is_refused(read) else every)
    if preview is None or file.kind not in MAPPABLE or preview.missing:
        is_skipped = file.found is not None and not file.kind
        return RowsReport(None, tr("Skipped") if is_skipped else tr("Not read yet"))
    if not preview.is_sample:
        return RowsReport(intake_of_preview(preview), every)
    first = tr("First {rows}", rows=numbers.counted(preview.counts[0], "row"))
    which_rows = ", ".join((first, *how, *[tr("reading the rest")] * is_reading))
    return RowsReport(intake_of_preview(preview), which_rows)


def import_remedy(read: Any) -> str:
    """What to do where nothing could be read."""
    if not read.refused:
        return tr("Reasons on the right.")
    return sentence(in_window_words(read.refused[0].message)) + "."


def without_refused(request: ImportRequest, read: Any) -> tuple[ImportRequest, Any]:
    """What is taken in: a file that gave nothing is no source of the project."""
    if not (refused := {file.path for file in read.intake if is_refused(file)}):
        return request, read

    def kept(paths: Iterable[str]) -> tuple[str, ...]:
        """The paths of files that were not refused."""
        return tuple(path for path in paths if path not in refused)

    places = tuple((kind, path) for kind, path in request.place_paths if path not in refused)
    intake = tuple(file for file in read.intake if file.path not in refused)
    without = replace(
        request,
        job_paths=kept(request.job_paths),
        contract_paths=kept(request.contract_paths),
        price_paths=kept(request.price_paths),
        planned_paths=kept(request.planned_paths),
        place_paths=places,
    )
    return without, replace(read, intake=intake)


def partitions_named(queues: Iterable[tuple[str, str, int]], names: Iterable[str]) -> tuple[Same, ...]:
    """What makes partitions of logs the clusters that contracts name so. queues: cluster, partition and its time.

    >>> [one.text for one in partitions_named([("", "H100", 9), ("", "cpu", 9)], ["h100", "own"])]
    ['cluster:/H100=h100']
    """
    called = {name.casefold(): name for name in names}
    return tuple(
        Same(SameKind.CLUSTER, partition_name(cluster, queue), called[queue.casefold()])
        for cluster, queue, _ in queues
        if queue.casefold() in called
    )


def alike_clusters(names: set[str]) -> list[str]:
    """Names of clusters that differ in capitals or blanks only: said, for contracts serve the cluster they name."""
    by_letters: dict[str, list[str]] = {}
    for name in sorted(names - {""}):
        by_letters.setdefault(name.strip().casefold(), []).append(name)
    return [
        tr(long_text("alike_clusters", names=tr(" and ").join(alike), count=numbers.whole(len(alike))))
        for alike in by_letters.values()
        if len(alike) > 1
    ]


def apart_words(request: ImportRequest, read: Any, loaded: Project, joined: Project | None) -> str:
    """What is said where no contract runs while the log does, and what to do; empty where one does."""
    has_jobs, has_contracts = bool(request.job_paths), bool(request.contract_paths)
    window = read.window if has_jobs else loaded.window
    if window is None or not (has_jobs or loaded.workloads) or not (has_jobs or has_contracts):
        return ""
    contracts = (*(read.contracts if has_contracts else loaded.contracts),)
    apart = contracts_apart((*contracts, *(() if joined is None else joined.contracts)), window)
    if apart is None:
        return ""
    remedy = tr("Then choose Plan, Plan from, or import files of one period.")
    if apart.day_to_plan_from_s(window, window.end_s) is None:
        remedy = tr("Import log and contracts of the same time.")
    return f"{spoken(NONE_RAN)}. {apart_sentence(window, apart)} {remedy}"


def twice_words(read: Any, joined: Project | None) -> str:
    """What is said where a list of nodes and contracts of the same GPUs are added to each other; else empty."""
    if joined is None:
        return ""
    from gpuplanner.files.importing.import_tables import COUNTED_TWICE, with_counted_twice

    files = (*joined.intake, *read.intake)
    contracts = {contract.contract_id: contract for contract in (*joined.contracts, *read.contracts)}
    said = [issue for file in files for issue in file.issues]
    told = (issue for file in with_counted_twice(files, contracts.values()) for issue in file.issues)
    words = (spoken(one.message) for one in told if one.code == COUNTED_TWICE and one not in said)
    return next(words, "")


class Counts(NamedTuple):
    """How many the files have, and these with those that they are added to."""

    new: float
    together: float


def contracts_counted(read: Any, joined: Project | None) -> Counts:
    """Contracts of the files, and of these with those that they are added to."""
    loaded = () if joined is None else joined.contracts
    return Counts(len(read.contracts), _together(read.contracts, loaded, "contract_id"))


def offers_counted(read: Any, joined: Project | None) -> Counts:
    """Offers of the files, and of these with those that they are added to."""
    loaded = () if joined is None else joined.offers
    return Counts(len(read.offers), _together(read.offers, loaded, "offer_id"))


class PlacesWords(NamedTuple):
    """Field of Places, and what one and what many are called."""

    field: str
    nouns: tuple[Text, Text]


PLACES_WORDS: Final[Mapping[str, PlacesWords]] = {
    "users": PlacesWords("cities", (worded("city with users"), worded("cities with users"))),
    "sites": PlacesWords("sites", ("site", "sites")),
    "measured": PlacesWords("measured", (worded("latency measurement"), worded("latency measurements"))),
    "residency": PlacesWords(
        "residency", (worded("country with data residency"), worded("countries with data residency"))
    ),
}
"""By kind of file."""


def places_counted(
    request: ImportRequest, read: Any, joined: Project | None
) -> list[tuple[tuple[Text, Text], int]]:
    """How many there will be of each kind of places that the files bring, with the words for one and for many."""
    if not request.place_paths:
        return []
    kinds = dict.fromkeys(kind for kind, _ in request.place_paths)
    after = read.places.over(NO_PLACES if joined is None else joined.places, adding=joined is not None)
    return [(PLACES_WORDS[kind].nouns, len(getattr(after, PLACES_WORDS[kind].field))) for kind in kinds]


def _together(new: Iterable[Any], loaded: Iterable[Any], name: str) -> int:
    """How many different ones there are, new and loaded, by name."""
    return len({getattr(one, name) for one in (*new, *loaded)})


def jobs_counted(read: Any, joined: Project | None) -> tuple[Counts, Counts]:
    """Jobs accepted and those in the lookback period, each of the files and with those that they are added to."""
    loaded = {file.path for file in joined.intake} if joined is not None else set()
    if joined is None or not any(file.path in loaded for file in read.intake):
        accepted, inside = read.accepted_jobs, read.jobs.count
        return Counts(accepted, accepted), Counts(inside, inside)
    own = [file for file in read.intake if file.kind == "jobs" and file.path not in loaded]
    accepted, inside = (
        sum(file.rows_accepted for file in own),
        sum(file.jobs_in_window or 0 for file in own),
    )
    return Counts(accepted, read.accepted_jobs), Counts(inside, read.jobs.count)


def with_loaded(counts: Counts, noun: str = "", words: Callable[[Any], str] = numbers.whole) -> str:
    """2 contracts, 7 with those loaded. words: how a count is written."""
    shown = numbers.counted(int(counts.new), noun) if noun else words(counts.new)
    if counts.new == counts.together:
        return shown
    return tr("{said}, {together} with existing ones", said=shown, together=words(counts.together))


def import_summary(request: ImportRequest, read: Any, joined: Project | None = None) -> str:
    """3,210 jobs in 33 workloads - 3 Jul - 30 Sep 2026 - 5 contracts; how many of all, where the window is shorter."""
    parts = []
    if request.job_paths:
        accepted, inside = jobs_counted(read, joined)
        jobs = numbers.counted(int(accepted.new), "job")
        if read.window is not None and inside.new < accepted.new:
            within = numbers.whole(inside.new)
            jobs = tr("{count} of {jobs} in the lookback period", count=within, jobs=jobs)
        if accepted.new == accepted.together:
            parts += [jobs, numbers.counted(len(read.workloads), "workload")]
        else:
            together = numbers.whole(accepted.together)
            parts.append(tr("{said}, {together} with existing ones", said=jobs, together=together))
        if read.window is not None:
            parts.append(numbers.span(read.window.start_s, read.window.end_s))
    if request.contract_paths:
        parts.append(with_loaded(contracts_counted(read, joined), "contract"))
    if request.price_paths:
        parts.append(with_loaded(offers_counted(read, joined), "offer"))
    parts += [
        numbers.counted(count, *map(str, words)) for words, count in places_counted(request, read, joined)
    ]
    if request.planned_paths:
        count = len(read.planned)
        whole = numbers.whole(count)
        parts.append(by_count(count, "{count} planned workload", "{count} planned workloads", count=whole))
    if (seen := observed(read.intake)) is not None:
        parts.append(tr("{count} of spot nodes", count=numbers.counted(seen.interruptions, "interruption")))
    return numbers.MIDDOT.join(parts) + "."
