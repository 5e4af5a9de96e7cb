"""The files of an import: recognised, mapped, previewed, and read again in the background."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from gpuplanner.app.importing import FoundFile, Importer, ImportRequest, Previewer, Recogniser
from gpuplanner.app.settings import Settings
from gpuplanner.charts.kit.plain_text import sentence, tr
from gpuplanner.domain.message import NO_WORDS, Message, Text
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.importing.log_choices import NONE_GIVEN, LogChoice
from gpuplanner.files.importing.table_preview import QUANTITY_FIELD, parse_mapping_of
from gpuplanner.files.system.engine import OpenEnded
from gpuplanner.files.tables import column_mapping, known_shapes
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.importing import import_state
from gpuplanner.ui.importing.files_page import MAPPED
from gpuplanner.ui.importing.report import is_refused
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.window_words import placed_refusal

# --- A file's mapping in an import: changed column by column, proposed, remembered by its header, and forgotten

NOTHING_MAPPED = column_mapping.ColumnMapping({}, {})


def with_column(
    mapping: column_mapping.ColumnMapping, field: str, heading: str, kind: str, samples: Sequence[str]
) -> column_mapping.ColumnMapping:
    """A field read from another column, or with an empty heading from none; its unit is what the column suggests."""
    columns = {name: column for name, column in mapping.columns.items() if name != field}
    units = {name: unit for name, unit in mapping.units.items() if name != field}
    if heading:
        columns[field] = heading
        if kind == "jobs" and (unit := import_state.likely_unit(field, heading, samples)):
            units[field] = unit
    return column_mapping.ColumnMapping(columns, units)


def with_unit(mapping: column_mapping.ColumnMapping, field: str, unit: str) -> column_mapping.ColumnMapping:
    """A field in another unit; empty: as its reader takes it."""
    units = {name: known for name, known in mapping.units.items() if name != field}
    return column_mapping.ColumnMapping(mapping.columns, {**units, field: unit} if unit else units)


def adopted(
    file: import_state.ChosenFile, preview: Any, settings: Settings | None
) -> import_state.ChosenFile:
    """The file with the mapping that is remembered for it, else with the one proposed; itself where it needs none.

    What is proposed and not sure waits until the planner agrees.
    """
    if file.choice.mapping is not None or (file.choice.format is not None and not file.needs_mapping):
        return file
    kinds = (file.kind,) if file.kind else () if file.is_known else import_state.MAPPABLE
    for kind in kinds if file.is_mappable else ():
        if (known := _remembered(settings, kind, file.header)) is not None:
            mapping, differs = known
            choice = replace(file.choice, mapping=mapping, format=None)
            return replace(file, kind=kind, choice=choice, is_remembered=True, differs=differs)
    if file.needs_mapping and preview.is_mapped and not preview.doubts:
        choice = replace(file.choice, mapping=preview.mapping or NOTHING_MAPPED, format=None)
        return replace(file, choice=choice, is_remembered=False, differs=NO_WORDS)
    return file


def remember(
    settings: Settings,
    files: Iterable[import_state.ChosenFile],
    accepted: Collection[str],
    previews: Mapping[str, Any],
) -> None:
    """Keep the mappings of the files that gave something. accepted: their paths; previews: by path, for those whose
    mapping nobody had to give."""
    for file in files:
        mapping = mapping_in_force(file, previews.get(file.path))
        if mapping is not None and file.header and file.path in accepted:
            settings.remember_mapping(_key(file.kind, file.header), column_mapping.mapping_text(mapping))


def mapping_in_force(file: import_state.ChosenFile, preview: Any) -> column_mapping.ColumnMapping | None:
    """By which a file is read: as chosen, or where nothing was as its content told; None of a format that is known."""
    if file.choice.mapping is not None or preview is None or not preview.is_mapped:
        return file.choice.mapping
    is_told = preview.format == MAPPED and not preview.doubts and not preview.missing
    return preview.mapping if is_told and file.kind in import_state.MAPPABLE else None


def forget(settings: Settings, file: import_state.ChosenFile) -> None:
    """Let tables with the file's header be new again."""
    shape = known_shapes.find_shape(file.header, _known(settings, file.kind))
    settings.forget_mapping(_key(file.kind, shape.header if shape is not None else file.header))


def _remembered(
    settings: Settings | None, kind: str, header: str
) -> tuple[column_mapping.ColumnMapping, Message] | None:
    """How a table of this shape was read, and in words what is otherwise now."""
    if settings is None or not header:
        return None
    if (exact := _mapping_of(settings, kind, header)) is not None:
        return exact, NO_WORDS
    shape = known_shapes.find_shape(header, _known(settings, kind))
    found = None if shape is None else _mapping_of(settings, kind, shape.header)
    return None if found is None or shape is None else (found, shape.differs)


def _known(settings: Settings, kind: str) -> dict[str, tuple[str, ...]]:
    """The columns that are read of each table whose mapping is remembered, by its header."""
    headers = [header.removeprefix(kind) for header in settings.mapped_headers if header.startswith(kind)]
    found = {header: _mapping_of(settings, kind, header) for header in headers}
    return {header: tuple(one.columns.values()) for header, one in found.items() if one is not None}


def _mapping_of(settings: Settings, kind: str, header: str) -> column_mapping.ColumnMapping | None:
    """The remembered mapping of a header; None if there is none that can be read."""
    text = settings.mapping(_key(kind, header))
    try:
        return parse_mapping_of(kind, text) if text else None
    except PlannerError:
        return None  # written by another version, or by hand


def _key(kind: str, header: str) -> str:
    """What a mapping is remembered under: kind and header."""
    return kind + header


# --- The previews of an import: of every file the newest, asked for one after the other, the one looked at first

Wanted = tuple[str, LogChoice]
"""As which kind a file is previewed, and how it is read."""


class FilePreviews(QObject):
    """wanted: how a file is to be previewed now; None where it has no preview."""

    previewed = Signal(str, object)  # path, LogPreview of how it is wanted
    failed = Signal(str)  # path

    def __init__(self, previewer: Previewer, wanted: Callable[[str], Wanted | None], parent: QObject) -> None:
        super().__init__(parent)
        self._previewer, self._wanted = previewer, wanted
        self._known: dict[str, tuple[Wanted, Any]] = {}
        self._faults: dict[str, str] = {}
        self._queue: list[str] = []
        previewer.previewed.connect(self._take)
        previewer.failed.connect(self._take_fault)

    @property
    def is_busy(self) -> bool:
        """Whether a preview is still to come."""
        return self._previewer.is_busy or bool(self._queue)

    @property
    def known(self) -> dict[str, Any]:
        """The newest preview of each file that has one, by path."""
        return {path: preview for path, (_, preview) in self._known.items()}

    def of(self, path: str) -> Any:
        """The newest preview of a file, or None."""
        return self._known[path][1] if path in self._known else None

    def fault(self, path: str) -> str:
        """Why a file has no preview; empty where it has one, or will have."""
        return self._faults.get(path, "")

    def is_newest(self, path: str) -> bool:
        """Whether the preview of a file is of how it is wanted now."""
        return path in self._known and self._known[path][0] == self._wanted(path)

    def keep(self, path: str) -> None:
        """The preview of a file is that of how it is wanted now: only what it proposed was taken."""
        if (wanted := self._wanted(path)) is not None and path in self._known:
            self._known[path] = (wanted, self._known[path][1])

    def ask(self, path: str, *, is_urgent: bool) -> None:
        """See to it that a file has its newest preview; an urgent one goes before the others."""
        if self._wanted(path) is None or self.is_newest(path) or path in self._faults:
            return
        self._queue = [other for other in self._queue if other != path]
        self._queue.insert(0 if is_urgent else len(self._queue), path)
        if not self._previewer.is_busy or self._queue[0] == path:
            self._go_on()

    def forget_fault(self, path: str) -> None:
        """The file is read in another way now: it may be asked for again."""
        self._faults.pop(path, None)

    def close(self) -> None:
        """Want no answer any more."""
        self._previewer.previewed.disconnect(self._take)
        self._previewer.failed.disconnect(self._take_fault)
        self._previewer.cancel()

    def _go_on(self) -> None:
        """Begins the next preview that is still wanted."""
        while self._queue:
            if (wanted := self._wanted(self._queue[0])) is not None:
                self._previewer.start(self._queue[0], *wanted)
                return
            self._queue.pop(0)

    def _take(self, path: str, kind: str, choice: LogChoice, preview: Any) -> None:
        """Takes a preview if the file is still to be read so, else asks again."""
        self._queue = [other for other in self._queue if other != path]
        if (kind, choice) == self._wanted(path):
            self._known[path] = ((kind, choice), preview)
            self._go_on()
            self.previewed.emit(path, preview)
        else:
            self.ask(path, is_urgent=True)

    def _take_fault(self, path: str, fault: Exception) -> None:
        """Keeps why a file has no preview, and goes on with the next."""
        self._queue = [other for other in self._queue if other != path]
        self._known.pop(path, None)
        self._faults[path] = error_words(fault)
        self._go_on()
        self.failed.emit(path)


def error_words(error: Exception) -> str:
    """What went wrong: where, what, remedy."""
    if isinstance(error, PlannerError):
        return placed_refusal(error)
    return tr("Import failed: {error}. Your data is unchanged.", error=error)


# --- The files of an import: recognised, previewed and changed as the planner says, each a value that is replaced


class ImportFiles(QObject):
    """All the files, and the one that is looked at.

    zone_of_all: the zone that was said for the times of all logs, as it is now; empty where none was.
    """

    recognised = Signal()  # what each file is is known
    broken = Signal(object)  # Exception: something in the recogniser is broken
    previewed = Signal()  # a file has another preview, or it is known why it has none
    read_otherwise = Signal(str)  # path: what was read of it holds no longer

    def __init__(
        self,
        paths: Sequence[str],
        zone_of_all: Callable[[], str],
        settings: Settings | None,
        recogniser: Recogniser | None,
        previewer: Previewer | None,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._files = [import_state.ChosenFile(path=path) for path in dict.fromkeys(paths)]
        self.at = 0  # which file is looked at
        self._is_at_chosen = False  # by the planner: else the file to look at first is shown
        self._zone_of_all, self._settings = zone_of_all, settings
        self._recogniser = recogniser or Recogniser(parent=self)
        self._recogniser.recognised.connect(self._take_found)
        self._recogniser.failed.connect(self.broken)
        self._is_to_begin = True
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._recognise)
        self.previews = FilePreviews(previewer or Previewer(parent=self), self._wanted, self)
        self.previews.previewed.connect(self._take_preview)
        self.previews.failed.connect(lambda _: self.previewed.emit())

    @property
    def all(self) -> tuple[import_state.ChosenFile, ...]:
        """The files as they are to be read."""
        return tuple(self._files)

    @property
    def file(self) -> import_state.ChosenFile:
        """The file that is looked at."""
        return self._files[self.at]

    @property
    def paths(self) -> set[str]:
        """The paths of all."""
        return {file.path for file in self._files}

    @property
    def is_being_recognised(self) -> bool:
        """Whether it is still to be said what the files are."""
        return self._is_to_begin or self._recogniser.is_busy

    def zone_of(self, file: import_state.ChosenFile) -> str:
        """The zone in which times of a file are read; empty where none was said."""
        zone = file.choice.timezone or self._zone_of_all()
        return zone if zone and import_state.is_zone(zone) else ""

    def recognise(self) -> None:
        """Find out what each file is, when the painting under way is through.

        A thread that began earlier would take turns with the painting for the interpreter.
        """
        if self._is_to_begin:
            self._soon.start()

    def _recognise(self) -> None:
        """Has all files recognised in a thread that nobody has looked at."""
        self._is_to_begin = False
        self._recogniser.start([file.path for file in self._files if file.found is None])

    def add(self, paths: Iterable[str]) -> None:
        """Take in more files, which are looked at; those that are there stay as they are."""
        new = [import_state.ChosenFile(path=path) for path in dict.fromkeys(paths) if path not in self.paths]
        if new:
            self._files += new
            self.at, self._is_at_chosen = len(self._files) - len(new), True
            self._recognise()

    def close(self) -> None:
        """Want no answer any more."""
        self._soon.stop()
        self._is_to_begin = False
        self._recogniser.recognised.disconnect(self._take_found)
        self._recogniser.failed.disconnect(self.broken)
        self._recogniser.cancel()
        self.previews.close()

    # What is looked at

    def choose(self, at: int) -> None:
        """The planner looks at a file."""
        self.at, self._is_at_chosen = at, True
        self.want_preview()

    def look_at(self, file: import_state.ChosenFile) -> None:
        """Show a file that needs an answer."""
        self.at = self._files.index(file)

    def look_at_worst(self, intake: Mapping[str, FileIntake]) -> None:
        """Unless the planner chose one: a file that was refused, else one with most rejected rows, else a log."""

        def rank(at: int) -> tuple[bool, int, bool]:
            """How much a file needs to be looked at.

            Refused first, then by rejected rows, job logs before others.
            """
            if (read := intake.get(self._files[at].path)) is None:
                return (False, -1, False)
            return (is_refused(read), read.rows_rejected, self._files[at].kind == "jobs")

        if not self._is_at_chosen:
            self.at = max(range(len(self._files)), key=rank)

    def want_preview(self) -> None:
        """See to it that the file that is looked at has its newest preview."""
        self._want_preview(self.file.path)

    # What was said of a file

    def want_preview_of(self, path: str) -> None:
        """See to it that a file has its newest preview, before the others."""
        self.previews.ask(path, is_urgent=True)

    def set_kind(self, at: int, kind: str) -> None:
        """A file is something else than was thought."""
        self.at, self._is_at_chosen = at, True
        choice = self.file.choice if kind == "jobs" else NONE_GIVEN
        self._put(replace(self.file, kind=kind, choice=choice))

    def set_format(self, kind: str, choice: LogChoice) -> None:
        """The file that is looked at is read as a kind, in a format; as its content says where none is given."""
        file = self.file
        if choice == NONE_GIVEN and kind == "jobs" and file.found is not None:
            self._put(replace(file.recognised(file.found), choice=choice, is_remembered=False))
        else:
            is_log, before = kind == "jobs", file.choice
            chosen = replace(
                choice,
                timezone=before.timezone if is_log else None,
                cluster=before.cluster if is_log else None,
                drops_alike=is_log and before.drops_alike,
                is_open_ended=is_log and before.is_open_ended,
            )
            self._put(replace(file, kind=kind, choice=chosen, is_remembered=False))

    def take_for_table(self) -> None:
        """A file that nobody knows becomes a table to map."""
        if not self.file.kind:
            self._put(replace(self.file, kind="jobs"))

    def map_by_hand(self) -> None:
        """What the content of a log says is not what the planner wants: the columns are mapped."""
        if self.file.kind == "jobs":
            self.set_format("jobs", LogChoice(format=MAPPED))

    def set_column(self, field: str, heading: str) -> None:
        """A field is read from another column; from none where the heading is empty."""
        preview = self.previews.of(self.file.path)
        columns = preview.columns if preview is not None else ()
        samples = next((column.samples for column in columns if column.heading == heading), ())
        self._set_mapping(with_column(self._mapping, field, heading, self.file.kind, samples))

    def set_unit(self, field: str, unit: str) -> None:
        """A field is in another unit."""
        self._set_mapping(with_unit(self._mapping, field, unit))

    def _place(self, path: str) -> int:
        """Where a file stands among those chosen."""
        return next(at for at, file in enumerate(self._files) if file.path == path)

    def say_unit(self, path: str, field: str, unit: str) -> None:
        """What is guessed of a column of a file is so, or otherwise."""
        self.at = self._place(path)
        self.set_unit(field, unit)

    def say_value(self, path: str, field: str, value: str) -> None:
        """Every row of a file has this in a field; empty: no column tells it."""
        self.at = self._place(path)
        self.set_column(field, f"={value}" if value else "")

    def say_kind(self, path: str, kind: str) -> None:
        """A file is of a kind; empty: it is left out."""
        self.set_kind(self._place(path), kind)

    def say_node(self, path: str, field: str, value: str) -> None:
        """Which node a log of activity is of, or the model of its GPUs. field: of OneNode."""
        self.at = self._place(path)
        choice = self.file.choice
        self._put(replace(self.file, choice=replace(choice, node=replace(choice.node, **{field: value}))))

    def say_cluster(self, path: str, cluster: str) -> None:
        """The jobs of a log that names no cluster ran on this one."""
        self.at = self._place(path)
        self._put(replace(self.file, choice=replace(self.file.choice, cluster=cluster)))

    def set_quantity(self, meant: str) -> None:
        """What the quantities of the commitments that are looked at are for."""
        self.set_column(QUANTITY_FIELD, meant)

    def say_rates(self, path: str, unit: str) -> None:
        """What the prices of a file are for."""
        self.at = self._place(path)
        mapping = self._mapping
        for field in mapping.columns:
            if column_mapping.is_rate(field) and field != column_mapping.STATED_PER_GPU:
                currency = mapping.units.get(field, "").partition(":")[2]
                mapping = with_unit(mapping, field, f"{unit}:{currency}" if currency else unit)
        self._set_mapping(mapping)

    def settle(self, path: str, code: str, mapping: str = "") -> None:
        """What was asked of a file is answered: it is read by another mapping; without one it is right as it was."""
        at = self._place(path)
        if mapping:
            self.at = at
            self._set_mapping(parse_mapping_of(self.file.kind, mapping))
        else:
            self._files[at] = replace(self._files[at], settled=(*self._files[at].settled, code))

    def agree(self) -> None:
        """The planner has seen what is proposed for the file that is looked at, doubts and all, and wants it so."""
        preview = self.previews.of(self.file.path)
        if preview is not None and preview.doubts and self.file.choice.mapping is None:
            self._set_mapping(self._mapping)

    def set_dropping(self, drops_alike: bool) -> None:
        """Rows of the file that are alike count once, or each."""
        self._put(replace(self.file, choice=replace(self.file.choice, drops_alike=drops_alike)))

    def set_open_ended(self, is_open_ended: OpenEnded) -> None:
        """Rows of the file without an end or a start are kept, or not; those without both too, or not."""
        choice = replace(self.file.choice, is_open_ended=is_open_ended)
        self._put(replace(self.file, choice=choice))

    def set_own_zone(self, zone: str) -> None:
        """The times of the file that is looked at are of a zone, whatever is said of the others."""
        self._put(replace(self.file, choice=replace(self.file.choice, timezone=zone)))

    def forget(self) -> None:
        """Let tables with the header of the file be new again."""
        if self._settings is not None:
            forget(self._settings, self.file)
        self._files[self.at] = replace(self.file, is_remembered=False)

    @property
    def _mapping(self) -> column_mapping.ColumnMapping:
        """The mapping in force: the planner's, else the proposed one."""
        preview = self.previews.of(self.file.path)
        proposed = preview.mapping if preview is not None else None
        return self.file.choice.mapping or proposed or NOTHING_MAPPED

    def _set_mapping(self, mapping: column_mapping.ColumnMapping) -> None:
        """Gives the file at hand another mapping, in place of any format chosen before."""
        choice = replace(self.file.choice, mapping=mapping, format=None)
        self._put(replace(self.file, choice=choice, is_remembered=False))

    def _put(self, file: import_state.ChosenFile) -> None:
        """The file that is looked at is to be read in another way."""
        at = self.at
        if file == self._files[at]:
            return
        self._files[at] = file
        self.previews.forget_fault(file.path)
        if file.kind and self.previews.is_newest(file.path):
            self._adopt(at, self.previews.of(file.path))
        self._want_preview(file.path)
        self.read_otherwise.emit(file.path)

    # What was found

    def _take_found(self, found: tuple[FoundFile, ...]) -> None:
        """Takes what the files and sheets beside are recognised as; asks for previews of those that may be mapped."""
        known = {file.path: file for file in found}
        self._files += [import_state.ChosenFile(path=path) for path in known if path not in self.paths]
        self._files = [
            file.recognised(known[file.path]) if file.path in known and file.found is None else file
            for file in self._files
        ]
        for file in self._files:
            is_unknown = file.found is not None and file.found.kind == "unknown"
            if file.kind in import_state.MAPPABLE or is_unknown:
                self._want_preview(file.path)  # of one not known too: its header may have been mapped before
        self.recognised.emit()

    def _want_preview(self, path: str) -> None:
        """Asks for a preview; that of the file looked at comes first."""
        self.previews.ask(path, is_urgent=path == self.file.path)

    def _wanted(self, path: str) -> Wanted | None:
        """As which kind and how a file is to be previewed, with what was said of all of them."""
        file = next(file for file in self._files if file.path == path)
        if file.found is None or not file.found.kind or file.kind in ("activity", *import_state.OWN_COLUMNS):
            return None
        if file.kind in ("contracts", "prices"):
            return file.kind, file.choice
        return "jobs", replace(file.choice, timezone=self.zone_of(file) or None)

    def _take_preview(self, path: str, preview: Any) -> None:
        """Takes a preview: its header may have been mapped before."""
        at = self._place(path)
        header = known_shapes.header_key([column.heading for column in preview.columns])
        self._files[at] = replace(self._files[at], header=header)
        self._adopt(at, preview)
        self.previewed.emit()

    def _adopt(self, at: int, preview: Any) -> None:
        """A mapping that is remembered or proposed becomes the one that is read with."""
        before = self._files[at]
        if (after := adopted(before, preview, self._settings)) != before:
            self._files[at] = after
            if not after.is_remembered:
                self.previews.keep(after.path)
            self._want_preview(after.path)
            self.read_otherwise.emit(after.path)


# --- Reading the files of an import in the background: again once nothing more changes, and how far that is

LARGE_BYTES: Final = 20_000_000
READ_AFTER_MS: Final = 250
"""After the last change: so many are made in a row that reading after each would only be cancelled again."""


class ImportReading(QObject):
    """request: what is to be read now; obstacle: why nothing can be read now, empty where something can."""

    began = Signal()
    changed = Signal()  # what is known of what was read
    progressed = Signal(float, object)  # share, how far it is in words
    answered = Signal(object, object)  # ImportRequest, ReadResult

    def __init__(
        self,
        importer: Importer,
        request: Callable[[], ImportRequest],
        obstacle: Callable[[], str],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._importer, self._request, self._obstacle = importer, request, obstacle
        self.intake: dict[str, FileIntake] = {}
        """How the rows of each file ended, by path; of one that is to be read otherwise, nothing is known."""
        self.answer: tuple[ImportRequest, Any] | None = None
        self.error = ""
        self.left = ""
        """About how long it still takes, in words."""
        self._waits_for_previews = False
        self._is_kept = False  # something was in the way, which a preview that is still to come may take away
        self._clock = QElapsedTimer()
        self._soon = QTimer(self, singleShot=True, interval=READ_AFTER_MS)
        self._soon.timeout.connect(self.begin)
        importer.progressed.connect(self._take_progress)
        importer.imported.connect(self._take_answer)
        importer.failed.connect(self.fail)

    @property
    def is_under_way(self) -> bool:
        """Whether files are being read now."""
        return self._importer.is_busy

    @property
    def is_busy(self) -> bool:
        """Whether files are being read, or are about to be."""
        return self._importer.is_busy or self._soon.isActive()

    @property
    def is_to_come(self) -> bool:
        """Whether whole files are still to be read, be it after the first rows of each."""
        return self.is_busy or self._waits_for_previews

    def begin_after_previews(self, *, is_previewing: bool) -> None:
        """Read; where that is much, the first rows first: beside a whole log they would take long."""
        if self._size() < LARGE_BYTES or not is_previewing:
            self.begin()
        else:
            self._waits_for_previews = True
            self.changed.emit()

    def go_on_after_previews(self) -> None:
        """All previews are there: read what waited for them, or was kept by what the one before said."""
        if self._waits_for_previews or self._is_kept:
            self._waits_for_previews = False
            self.begin()

    def begin_soon(self) -> None:
        """What was read holds no longer; read again once nothing more is changed."""
        self._drop()
        self._soon.start()
        self.changed.emit()

    def begin(self) -> None:
        """Read now, if anything can be read."""
        self._drop()
        self._is_kept = bool(self._obstacle())
        if not self._is_kept:
            self.began.emit()
            self._clock.start()
            self._importer.start(self._request())
        self.changed.emit()

    def forget(self, path: str) -> None:
        """A file is to be read in another way."""
        self.intake.pop(path, None)

    def fail(self, error: Exception) -> None:
        """Nothing could be read."""
        self.error = error_words(error)
        self.changed.emit()

    def close(self, *, is_cancelled: bool) -> None:
        """Want no answer any more."""
        self._importer.progressed.disconnect(self._take_progress)
        self._importer.imported.disconnect(self._take_answer)
        self._importer.failed.disconnect(self.fail)
        self._soon.stop()
        if is_cancelled:
            self._importer.cancel()

    def _drop(self) -> None:
        """Stops reading and forgets the answer: it is of what was asked before."""
        self._importer.cancel()
        self.answer, self.error, self.left = None, "", ""

    def _size(self) -> int:
        """The bytes of all files to be read."""
        return sum(Path(path).stat().st_size for path in self._request().paths if Path(path).is_file())

    def _take_progress(self, fraction: float, said: Text) -> None:
        """Tells how far reading is: what is done, how many bytes of all, the time left."""
        size = self._size()
        has_time_left = "left" in str(said).split()  # the reader may have said it, in English
        text = tr("Putting the jobs together") if fraction >= 1 else sentence(said)
        for path in self._request().paths:
            text = text.replace(path, Path(path).name)
        self.left = import_state.time_left(self._clock.elapsed() / 1000, fraction)
        read, every = import_state.bytes_text(round(fraction * size)), import_state.bytes_text(size)
        done = tr("{shown} of {total}", shown=read, total=every) if size > 5e6 else ""
        left = "" if has_time_left else self.left
        self.progressed.emit(fraction, numbers.MIDDOT.join(part for part in (text, done, left) if part))

    def _take_answer(self, request: ImportRequest, read: Any) -> None:
        """Takes what was read, with each file's counts by path."""
        self.answer = (request, read)
        self.intake = {file.path: file for file in read.intake}
        self.answered.emit(request, read)
