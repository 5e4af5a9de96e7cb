"""The files of an import: recognized, previewed and changed, each a value that is replaced."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from gpuplanner.app.importing.file_previews import FoundFile, Previewer, Recogniser
from gpuplanner.app.settings import Settings
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.importing.log_choices import NONE_GIVEN, LogChoice
from gpuplanner.files.importing.table_preview import QUANTITY_FIELD, parse_mapping_of
from gpuplanner.files.system.engine import OpenEnded
from gpuplanner.files.tables import column_mapping, known_shapes
from gpuplanner.files.tables.recipe import TableStep
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.importing import import_state
from gpuplanner.ui.importing.format_page import MAPPED
from gpuplanner.ui.importing.mappings import (
    NOTHING_MAPPED,
    adopted,
    forget,
    with_column,
    with_field,
    with_unit,
)
from gpuplanner.ui.importing.previews import FilePreviews, Wanted
from gpuplanner.ui.importing.report import is_refused


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

    def of(self, path: str) -> import_state.ChosenFile:
        """The file of a path."""
        return self._files[self._place(path)]

    def _place(self, path: str) -> int:
        """Where a file stands among those chosen."""
        return next(place for place, file in enumerate(self._files) if file.path == path)

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
        """Once, unless the planner chose one: a file that was refused, else one with most rejected rows, else a log.

        What is read again later moves nothing.
        """

        def rank(at: int) -> tuple[bool, int, bool]:
            """How much a file needs to be looked at.

            Refused first, then by rejected rows, job logs before others.
            """
            if (read := intake.get(self._files[at].path)) is None:
                return (False, -1, False)
            return (is_refused(read), read.rows_rejected, self._files[at].kind == "jobs")

        if not self._is_at_chosen:
            self.at, self._is_at_chosen = max(range(len(self._files)), key=rank), True

    def want_preview(self) -> None:
        """See to it that the file that is looked at has its newest preview."""
        self._want_preview(self.file.path)

    # What was said of a file

    def want_preview_of(self, path: str) -> None:
        """See to it that a file has its newest preview, before the others."""
        self.previews.ask(path, is_urgent=True)

    def say_kind(self, path: str, kind: str) -> None:
        """A file is something else than was thought; empty: it is left out."""
        file = self.of(path)
        choice = file.choice if kind == "jobs" else NONE_GIVEN
        self._put(replace(file, kind=kind, choice=choice))

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
        """A field of the file that is looked at is read from another column; from none where the heading is empty."""
        self._say_column(self.file, field, heading)

    def set_field(self, heading: str, field: str) -> None:
        """A column of the file that is looked at is read as another field, see `say_field`."""
        self.say_field(self.file.path, heading, field)

    def say_field(self, path: str, heading: str, field: str) -> None:
        """A column of a file is read as another field; empty: not read; NOT_NEEDED: nobody needs it.

        That alone is said of a file whose columns are read as proposed, and the proposal stays.
        """
        file = self.of(path)
        chosen = file.choice.mapping or NOTHING_MAPPED
        if field == column_mapping.NOT_NEEDED and not chosen.columns and self._is_unread(path, heading):
            left = dict.fromkeys((*chosen.not_needed, heading))
            self._set_mapping(file, replace(chosen, not_needed=tuple(left)))
        else:
            mapping = self._mapping(file)
            self._set_mapping(
                file, with_field(mapping, heading, field, file.kind, self._samples(path, heading))
            )

    def _is_unread(self, path: str, heading: str) -> bool:
        """Whether no field is read from a column."""
        preview = self.previews.of(path)
        fields = preview.fields if preview is not None else ()
        return all((reading.column or "").casefold() != heading.casefold() for reading in fields)

    def _samples(self, path: str, heading: str) -> tuple[str, ...]:
        """The first texts of a column."""
        preview = self.previews.of(path)
        columns = preview.columns if preview is not None else ()
        return next((column.samples for column in columns if column.heading == heading), ())

    def set_steps(self, steps: tuple[TableStep, ...]) -> None:
        """The table of the file that is looked at is made ready by these steps; its columns are proposed anew."""
        self._put(
            replace(
                self.file, choice=replace(self.file.choice, steps=steps, mapping=None), is_remembered=False
            )
        )

    def set_unit(self, field: str, unit: str) -> None:
        """A field of the file that is looked at is in another unit."""
        self.say_unit(self.file.path, field, unit)

    def say_unit(self, path: str, field: str, unit: str) -> None:
        """What is guessed of a column of a file is so, or otherwise."""
        file = self.of(path)
        self._set_mapping(file, with_unit(self._mapping(file), field, unit))

    def say_value(self, path: str, field: str, value: str) -> None:
        """Every row of a file has this in a field; empty: no column tells it."""
        self._say_column(self.of(path), field, f"={value}" if value else "")

    def say_node(self, path: str, field: str, value: str) -> None:
        """Which node a log of activity is of, or the model of its GPUs. field: of OneNode."""
        file = self.of(path)
        choice = file.choice
        self._put(replace(file, choice=replace(choice, node=replace(choice.node, **{field: value}))))

    def say_cluster(self, path: str, cluster: str) -> None:
        """The jobs of a log that names no cluster ran on this one."""
        file = self.of(path)
        self._put(replace(file, choice=replace(file.choice, cluster=cluster)))

    def set_quantity(self, meant: str) -> None:
        """What the quantities of the commitments that are looked at are for."""
        self.set_column(QUANTITY_FIELD, meant)

    def say_rates(self, path: str, unit: str) -> None:
        """What the prices of a file are for."""
        file = self.of(path)
        mapping = self._mapping(file)
        for field in mapping.columns:
            if column_mapping.is_rate(field) and field != column_mapping.STATED_PER_GPU:
                currency = mapping.units.get(field, "").partition(":")[2]
                mapping = with_unit(mapping, field, f"{unit}:{currency}" if currency else unit)
        self._set_mapping(file, mapping)

    def settle(self, path: str, code: str, mapping: str = "") -> None:
        """What was asked of a file is answered: it is read by another mapping; without one it is right as it was."""
        file = self.of(path)
        if mapping:
            self._set_mapping(file, parse_mapping_of(file.kind, mapping))
        else:
            self._files[self._place(path)] = replace(file, settled=(*file.settled, code))

    def agree(self) -> None:
        """The planner has seen what is proposed for the file that is looked at, doubts and all, and wants it so."""
        preview = self.previews.of(self.file.path)
        if preview is not None and preview.doubts and self.file.choice.mapping is None:
            self._set_mapping(self.file, self._mapping(self.file))

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

    def _mapping(self, file: import_state.ChosenFile) -> column_mapping.ColumnMapping:
        """The mapping in force: the planner's, else the proposed one."""
        preview = self.previews.of(file.path)
        proposed = (preview.mapping if preview is not None else None) or NOTHING_MAPPED
        chosen = file.choice.mapping or proposed
        return chosen if chosen.columns else replace(proposed, not_needed=chosen.not_needed)

    def _say_column(self, file: import_state.ChosenFile, field: str, heading: str) -> None:
        """A field of a file is read from another column; from none where the heading is empty."""
        samples = self._samples(file.path, heading)
        self._set_mapping(file, with_column(self._mapping(file), field, heading, file.kind, samples))

    def _set_mapping(self, file: import_state.ChosenFile, mapping: column_mapping.ColumnMapping) -> None:
        """Gives a file another mapping, in place of any format chosen before."""
        choice = replace(file.choice, mapping=mapping, format=None)
        self._put(replace(file, choice=choice, is_remembered=False))

    def _put(self, file: import_state.ChosenFile) -> None:
        """A file is to be read in another way; the others, and which one is looked at, stay."""
        place = self._place(file.path)
        if file == self._files[place]:
            return
        self._files[place] = file
        self.previews.forget_fault(file.path)
        if file.kind and self.previews.is_newest(file.path):
            self._adopt(place, self.previews.of(file.path))
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
        if file.kind in ("contracts", "prices", *import_state.OF_PLACES):
            return file.kind, file.choice
        return "jobs", replace(file.choice, timezone=self.zone_of(file) or None)

    def _take_preview(self, path: str, preview: Any) -> None:
        """Takes a preview: its header may have been mapped before."""
        at = self._place(path)
        if not self._files[at].choice.steps:  # those change the headings that a file is known by
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
