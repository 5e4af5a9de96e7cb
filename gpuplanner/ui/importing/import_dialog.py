"""Importing files: one page where all is clear, steps to look closer; nothing is taken in unasked."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePath
from typing import Any, Final, TypeVar

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QDialog, QFrame, QStackedWidget, QWidget

from gpuplanner.app import importing
from gpuplanner.app.background import Background
from gpuplanner.app.settings import Settings
from gpuplanner.charts.kit.plain_text import sentence, spoken, tr
from gpuplanner.domain.edits.find import with_values
from gpuplanner.domain.edits.inputs import change_contract
from gpuplanner.domain.evidence.trace import Trace
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.book.contract import Contract, Term
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.gpu_family import Same, SameKind, with_same
from gpuplanner.domain.model.project import Project
from gpuplanner.files.importing.import_tables import COUNTED_TWICE, are_contracted
from gpuplanner.files.sources.issue_texts import KEPT_IF_OPEN
from gpuplanner.files.system.output_file import file_name, write_table
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.tables.column_mapping import GPU_HOUR, constant_of, is_rate
from gpuplanner.files.tables.price_columns import ODD_RATE
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.importing import import_state, last_page
from gpuplanner.ui.importing.columns_page import ColumnsPage, nearest_words, unit_words
from gpuplanner.ui.importing.contracts_page import ContractsPage, stated_of, with_stated
from gpuplanner.ui.importing.files import ImportFiles, ImportReading, mapping_in_force, remember
from gpuplanner.ui.importing.files_page import FilesPage, FormatPage
from gpuplanner.ui.importing.issue_words import not_taken_words
from gpuplanner.ui.importing.report import ImportReport, IssuesPage, offer, rejected_csv
from gpuplanner.ui.importing.standing import (
    COLUMNS,
    CONTRACTS,
    FILES,
    FORMAT,
    ISSUES,
    LAST,
    STEPS,
    ImportFoot,
    ImportStanding,
    StepBar,
)
from gpuplanner.ui.kit.dialogs import AnsweringDialog, ask, errors_in_dialog, resize_within_screen, titled
from gpuplanner.ui.kit.file_dialogs import open_files, save_file
from gpuplanner.ui.kit.layout import add, box, column, ground, row, share
from gpuplanner.ui.kit.page_parts import choice_of, refill
from gpuplanner.ui.kit.theme import text_px, text_scale
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.window_words import in_window_words

NAIVE: Final = "naive_time_assumed_utc"
ALIKE: Final = "possible_duplicate"
NAMES_ASKED: Final = 4
"""Names of GPUs, and of clusters, that are asked about here; of more the window asks once they are taken in."""
FILTER: Final = worded(
    "Logs, contracts, prices (*.csv *.txt *.tsv *.xlsx *.ods *.log *.swf *.psv *.parquet *.json *.jsonl *.ndjson "
    "*.gz *.zst *.zip);;All files (*)"
)
Page = TypeVar("Page", bound=QWidget)
SIZE_PX: Final = 1440, 900
"""Wider its lines are too long to read, and higher its tables are empty."""
REPORT_SHARE, LEAST_REPORT_PX, MOST_REPORT_PX = 0.28, 280, 420


class ImportDialog(AnsweringDialog):
    """Looks and reads as soon as it opens; emits what was read when the planner takes it in."""

    taken = Signal(object, object, bool)  # ImportRequest, ReadResult, adding

    def __init__(
        self,
        paths: list[str],
        project: Project,
        importer: importing.Importer,
        rows_dir: Path | None,
        parent: QWidget | None = None,
        *,
        settings: Settings | None = None,
        recogniser: importing.Recogniser | None = None,
        previewer: importing.Previewer | None = None,
        in_parts: bool = False,
    ) -> None:
        """in_parts: it is built while it is seen, so that the window never waits for the whole of it."""
        super().__init__(parent)
        self._project, self._rows_dir = project, rows_dir
        # by path, what was said of loaded logs that name no cluster; and all logs that name none
        self._loaded_clusters: dict[str, str] = {}
        self._unnamed: dict[str, None] = {}
        self._zone = ""  # of times without one, in words; empty: no log asked for it
        self._settings = settings
        self._same = with_same(() if settings is None else settings.same, project.same)
        self._settled = {one.ours for one in self._same}  # names that need no question
        self._stated = {} if settings is None else settings.stated_terms
        self._models: tuple[str, ...] = ()  # names of GPUs that are asked about
        self._theirs: tuple[str, ...] = ()  # clusters that the logs name
        self._partitions: tuple[Same, ...] = ()  # those of the logs that contracts name as clusters
        self._proposed: set[str] = set()  # files of contracts for which this or that was proposed
        # clusters of logs that no contract serves, with those of contracts
        self._clusters: dict[str, tuple[str, ...]] = {}
        self.chosen = ImportFiles(paths, self._zone_of_all, settings, recogniser, previewer, self)
        self.reading = ImportReading(importer, self.request, self._obstacle, self)
        # where the rows are gone there is no line
        self._telling = Background(lambda _: self._take_alone(()), parent=self)
        self._alone: tuple[importing.LogAlone, ...] = ()  # each log by itself, once they are read
        # by path and field: what a column leaves open, once it was asked
        self._asked: dict[tuple[str, str], last_page.Asked] = {}
        titled(self, tr("Import"))
        chosen_px = None if settings is None else settings.import_size
        resize_within_screen(self, *(chosen_px or SIZE_PX))
        self._size_offered = self.size()
        self._is_built = False
        self._parts = self._build()
        if in_parts:
            QTimer.singleShot(0, self, self._build_on)
        else:
            deque(self._parts, 0)

    # Building

    def _build_on(self) -> None:
        """Builds the next part, and lets the window do what has come before the one after it."""
        for _ in self._parts:
            QTimer.singleShot(0, self, self._build_on)
            break

    def _build(self) -> Iterator[None]:
        """Makes the pages, the report beside them and the foot, a part at a time."""
        self.steps = StepBar()
        tip = tr("The file that Format, Columns and Issues are of")
        self.file_box = choice_of(tr("File"), tip, ())
        self.file_box.setMaximumWidth(text_px(280))
        head = box("head", row(share(self.steps), self.file_box, margins=(16, 8, 20, 8)), QFrame())
        self.pages = QStackedWidget()
        middle = row(share(self.pages), spacing=0)
        below = column(head, share(middle), on=self, spacing=0)
        self.files_page = self._page(FilesPage())
        yield
        self.format_page = self._page(FormatPage())
        yield
        self.columns_page = self._page(ColumnsPage())
        yield
        self.issues_page = self._page(IssuesPage())
        yield
        self.contracts_page = self._page(ContractsPage())
        yield
        self.last_page = self._page(last_page.LastPage())
        yield
        self.report = ImportReport()
        middle.addWidget(self.report)
        yield
        self.foot = ImportFoot()
        self.foot.can_add = not self._project.is_empty
        self.foot.private.setChecked(importing.has_pseudonyms(self._project))
        self.question = last_page.FileQuestion()
        add(below, self.question, self.foot)
        yield
        self._connect()
        self._is_built = True
        self._set_widths()
        self._refresh()
        self.update()

    def _page(self, page: Page) -> Page:
        """A page of the dialog, behind those before it."""
        ground(page, "panel")
        self.pages.addWidget(page)
        return page

    def _connect(self) -> None:
        """Turns what pages and background say into changes of the files, or into another look."""
        chosen, reading = self.chosen, self.reading
        chosen.recognised.connect(self._begin_reading)
        chosen.broken.connect(reading.fail)
        chosen.previewed.connect(self._go_on_reading)
        chosen.read_otherwise.connect(self._read_otherwise)
        reading.began.connect(self.files_page.show_beginning)
        reading.progressed.connect(self._show_progress)
        reading.answered.connect(self._take_answer)
        reading.changed.connect(self._refresh)
        self.steps.step_asked.connect(self.open_step)
        self.file_box.activated.connect(self.choose_file)
        files, columns = self.files_page, self.columns_page
        files.file_chosen.connect(self.choose_file)
        files.kind_chosen.connect(self._then_show(chosen.set_kind))
        files.columns_asked.connect(self._open_columns)
        files.format_asked.connect(lambda: self.open_step(FORMAT))
        files.add_asked.connect(self._add_files)
        files.sheets_asked.connect(lambda: self.chosen.add(self._other_sheets()))
        files.window_choice.changed.connect(reading.begin_soon)
        files.units.answered.connect(self._answer_open)
        self.format_page.format_chosen.connect(self._then_show(chosen.set_format))
        self.format_page.quantity_chosen.connect(self._then_show(chosen.set_quantity))
        columns.column_chosen.connect(self._then_show(chosen.set_column))
        columns.unit_chosen.connect(self._then_show(chosen.set_unit))
        columns.zone_chosen.connect(self._set_zone)
        columns.format_asked.connect(lambda: self.open_step(FORMAT))
        columns.by_hand_asked.connect(self._then_show(chosen.map_by_hand))
        self.issues_page.issue_chosen.connect(self.report.select_issue)
        self.contracts_page.terms_chosen.connect(self._change_contract)
        self.report.save_rejected_asked.connect(self._save_rejected)
        self.report.issue_chosen.connect(self._open_issue)
        for table in self.findChildren(FigureTable):
            table.pass_on(self.figure_opened)
        self.report.alike.toggled.connect(self._then_show(chosen.set_dropping))
        self.report.open_toggled.connect(self._then_show(chosen.set_open_ended))
        foot = self.foot
        self.question.answered.connect(self._answer_question)
        foot.adding.toggled.connect(lambda _: reading.begin_soon())
        foot.private.toggled.connect(lambda _: reading.begin_soon())
        foot.forget.clicked.connect(self._forget)
        foot.cancel.clicked.connect(self.reject)
        foot.back.clicked.connect(lambda: self._step(-1))
        foot.next.clicked.connect(self._go_on)

    def _then_show(self, change: Callable[..., None]) -> Callable[..., None]:
        """A change of the file that is looked at, after which everything is shown again."""

        def change_and_refresh(*said_of_it: Any) -> None:
            """Changes a file as was said, and shows it."""
            change(*said_of_it)
            self._refresh()

        return change_and_refresh

    # What is looked at

    @property
    def page(self) -> int:
        """The open step: FILES, FORMAT, COLUMNS, ISSUES or LAST."""
        return self.pages.currentIndex()

    @property
    def standing(self) -> ImportStanding:
        """How the import stands now."""
        return ImportStanding(self.chosen, self.reading, self._obstacle(), self._project, self._joined)

    @property
    def is_working(self) -> bool:
        """Whether anything is still to come without the planner's doing."""
        return self.chosen.is_being_recognised or self.chosen.previews.is_busy or self.reading.is_busy

    def open_step(self, page: int) -> None:
        """Show a page; the keyboard goes to its first question."""
        if page in (FORMAT, COLUMNS):
            self.chosen.want_preview()
        self.pages.setCurrentIndex(page)
        self._refresh()
        if page == COLUMNS:
            self.columns_page.focus_first()
        elif page == FORMAT:
            self.format_page.box.setFocus(Qt.FocusReason.OtherFocusReason)
        elif page in (ISSUES, CONTRACTS, LAST):
            self.foot.next.setFocus(Qt.FocusReason.OtherFocusReason)

    def choose_file(self, at: int) -> None:
        """Look at another file; of one that was loaded before, see how its rows ended."""
        count = len(self.chosen.all)
        if 0 <= at < count and at != self.chosen.at:
            self.chosen.choose(at)
            self._refresh()
        elif at >= count:
            self.report.show_file(self.standing.loaded_files[at - count], tr("All rows"))

    def _add_files(self) -> None:
        """Asks for more files, and takes them in with the others."""
        self.chosen.add(open_files(self, tr("Add files"), tr(FILTER)))
        self._refresh()

    def _other_sheets(self) -> list[str]:
        """The paths of sheets that are left out of the workbook that is looked at."""
        path, read = self.chosen.file.path, self.standing.report[0]
        names: Any = dict(read.facts).get("other_sheets", ()) if read is not None else ()
        return [sheet for name in names if (sheet := f"{path}/{name}") not in self.chosen.paths]

    def _open_columns(self) -> None:
        """Takes an unknown file for a table of jobs, and opens its columns."""
        self.chosen.take_for_table()
        self.open_step(COLUMNS)

    def _set_zone(self, zone: str) -> None:
        """Sets the zone of a log; with one log alone it is the answer of the first page."""
        zone = import_state.zone_of(zone)
        if not import_state.is_zone(zone) or zone == (self.chosen.zone_of(self.chosen.file) or "UTC"):
            return
        if sum(file.kind == "jobs" for file in self.chosen.all) == 1:
            self._answer_open(
                "", last_page.ZONE, zone
            )  # one log, one answer: it is the question on the first page
        else:
            self.chosen.set_own_zone(zone)
            self._refresh()

    def _change_question(self) -> None:
        """Reads again with the answer to a question."""
        if self.chosen.file.kind == "jobs":
            self.chosen.want_preview()
        self.reading.begin_soon()

    def _forget(self) -> None:
        """Let the table be new again; what is mapped now is not remembered either."""
        self.chosen.forget()
        self.foot.remember.setChecked(False)
        self._refresh()

    # Reading

    def request(self) -> importing.ImportRequest:
        """What would be read now."""
        request = import_state.request_of(
            self.chosen.all,
            timezone=self._zone_of_all(),
            window=self.files_page.window_choice.request,
            is_private=self.foot.private.isChecked(),
            rows_dir=self._rows_dir,
        )
        # where the partitions of logs that name no cluster are, too
        places = {choice.cluster or "" for path, choice in request.choices if path in self._unnamed} or {""}
        parts = [
            replace(same, theirs=on + same.theirs)
            for same in self._partitions
            for on in (sorted(places) if same.theirs.startswith("/") else ("",))
            if same in self._same
        ]
        request = replace(request, same=with_same({*self._same} - {*self._partitions}, parts))
        if request.job_paths and not self._is_adding:
            return request
        clusters = {path: name for path, name in self._loaded_clusters.items() if name}
        return importing.with_loaded_logs(request, self._project, clusters)

    @property
    def _is_adding(self) -> bool:
        """Whether what is read is added to what is there."""
        return self.foot.can_add and self.foot.adding.isChecked()

    @property
    def _joined(self) -> Project | None:
        """The project that the files are added to; None where they take the place of what is loaded."""
        return self._project if self._is_adding else None

    def _zone_of_all(self) -> str:
        """The zone that times without one are read in."""
        return import_state.zone_of(self._zone)

    def _obstacle(self) -> str:
        """Why the files cannot be read as they are; empty if they can."""
        of_window = self.files_page.window_choice.refusal
        previews = self.chosen.previews.known
        return import_state.obstacle(self.chosen.all, previews, self._zone_of_all(), of_window)

    def _begin_reading(self) -> None:
        """Begins to read once all previews are there: they decide the mappings."""
        self.reading.begin_after_previews(is_previewing=self.chosen.previews.is_busy)

    def _go_on_reading(self) -> None:
        """Goes on once the last preview has come."""
        if not self.chosen.previews.is_busy:
            self.reading.go_on_after_previews()
        self._refresh()

    def _read_otherwise(self, path: str) -> None:
        """Forgets how a file was read, and reads again."""
        self.reading.forget(path)
        self.reading.begin_soon()

    def _show_progress(self, fraction: float, text: str) -> None:
        """Shows how far reading is, 0 to 1, and what the foot says meanwhile."""
        self.files_page.show_progress(fraction, text)
        self._show_foot(self.standing)

    def _take_answer(self, request: importing.ImportRequest, read: Any) -> None:
        """Takes what was read, looks at the worst file and asks what is still open."""
        contracts = (with_stated(held, self._stated.get(self._key(held), {})) for held in read.contracts)
        read = replace(read, contracts=tuple(contracts))
        self.reading.answer = request, read
        if self.page == FILES:
            self.chosen.look_at_worst(self.reading.intake)
        self._ask_about(request, read)
        self._alone = ()
        self._telling.cancel()
        if request.job_paths and read.cube is not None:
            rows_dir = self._rows_dir
            self._telling.start(
                lambda _, is_cancelled: importing.logs_alone(read, rows_dir, is_cancelled), self._take_alone
            )
        self._refresh()
        if self.page == FILES and not self.standing.refusal:
            self.foot.next.setFocus(Qt.FocusReason.OtherFocusReason)

    def _take_alone(self, alone: tuple[importing.LogAlone, ...]) -> None:
        """It is known what each log holds by itself."""
        self._alone = alone
        self._refresh()

    def _lines(self) -> list[tuple[str, Text]]:
        """What each file holds by itself."""
        logs = [file.name for file in self.chosen.all if file.kind == "jobs"]
        together = logs[0] if len(logs) == 1 else tr("{count} job logs", count=len(logs))
        seen = ((file.name, file.path, self.chosen.previews.of(file.path)) for file in self.chosen.all)
        told: list[tuple[str, Text]] = [
            (
                name,
                ", ".join(
                    filter(None, (spoken(preview.line), not_taken_words(self.reading.intake.get(path))))
                ),
            )
            for name, path, preview in seen
            if preview is not None and preview.line
        ]
        if logs and (self.reading.is_to_come or self._telling.is_busy):
            return [(together, tr("reading\u2026")), *told]
        return [
            *((PurePath(log.path).name, last_page.line_of_log(log)) for log in self._alone_chosen()),
            *told,
        ]

    def _alone_chosen(self) -> tuple[importing.LogAlone, ...]:
        """The logs of these files by themselves, without those loaded before."""
        loaded = {file.path for file in self.standing.loaded_before}
        return tuple(log for log in self._alone if log.path not in loaded)

    def _left_open(self) -> dict[tuple[str, str], last_page.Asked]:
        """What columns leave open what they count, and names of GPUs that no table knows, with what holds."""
        names = self._cluster_names()
        for file in self.chosen.all:
            preview = self.chosen.previews.of(file.path)
            for reading in preview.fields if preview is not None and file.kind != "jobs" else ():
                key = (file.path, reading.field)
                if reading.field in last_page.ASKED_OF and (reading.is_asked or key in self._asked):
                    answers = [(unit_words(unit), unit) for unit in reading.units]
                    words = last_page.ASKED_OF[reading.field](reading.column or "", file.name)
                    self._asked[key] = last_page.Asked(words, answers, reading.unit)
                elif reading.field == last_page.SERVED and file.kind == "contracts" and names:
                    served = constant_of(reading.column or "=")
                    if served is None:  # a column says it
                        self._asked.pop(key, None)
                    else:
                        self._asked[key] = last_page.served_question(file.name, names, served)
            found = self.reading.intake.get(file.path)
            codes = {issue.code for issue in found.issues} if found is not None else set()
            if COUNTED_TWICE in codes or (file.path, COUNTED_TWICE) in self._asked:
                self._asked[file.path, COUNTED_TWICE] = last_page.twice_question(file.name, file.kind)
            if file.kind == "activity" and ("undecided" in codes or (file.path, "name") in self._asked):
                of_node = last_page.node_questions(file.name, file.choice.node)
                self._asked |= {(file.path, field): asked for field, asked in of_node.items()}
        named = {file.path: file.choice.cluster for file in self.chosen.all if file.kind == "jobs"} | {
            path: self._loaded_clusters.get(path) for path in self._unnamed if path not in self.chosen.paths
        }
        of_logs = {
            (path, last_page.SERVED): last_page.served_question(
                PurePath(path).name, names, named[path] or "", is_log=True
            )
            for path in self._unnamed
            if path in named
        }
        read = self.reading.answer[1] if self.reading.answer is not None else None
        models = {contract.gpu_model or "" for contract in read.contracts} if read is not None else set()
        names = sorted(models - self._settled)
        unknown = (name for name in names if name and gpu_families().read(name) is None)
        self._models = tuple(dict.fromkeys((*self._models, *unknown)))[:NAMES_ASKED]
        if read is not None:
            ours = {contract.cluster for contract in (*read.contracts, *self._project.contracts)} - {""}
            theirs = {workload.cluster for workload in read.workloads} - {""}
            of_queues = import_state.partitions_named(read.jobs.queues, ours - theirs)
            self._partitions = self._partitions or of_queues
            apart = tuple(sorted(ours - theirs - {partition.ours for partition in self._partitions}))
            self._clusters |= dict.fromkeys(sorted(theirs - ours)[:NAMES_ASKED] if apart else (), apart)
        of_names = {
            (SameKind.MODEL, name): last_page.model_question(name, self._same) for name in self._models
        }
        of_clusters: dict[tuple[str, str], last_page.Asked] = {
            (SameKind.CLUSTER, name): last_page.cluster_question(name, ours, self._same)
            for name, ours in self._clusters.items()
        }
        if self._partitions:
            of_parts = last_page.partition_question(self._partitions, self._same)
            of_clusters["", last_page.PARTITIONS] = of_parts
        of_zone = {("", last_page.ZONE): last_page.zone_question(import_state.zones_by_words(), self._zone)}
        return (of_zone if self._zone else {}) | self._asked | of_names | of_clusters | of_logs

    def _cluster_names(self) -> list[str]:
        """Clusters that are named by files, by what is loaded, or by the planner."""
        read = self.reading.answer[1] if self.reading.answer is not None else None
        rows: list[Any] = [*self._project.contracts, *self._project.workloads]
        rows += [] if read is None else [*read.contracts, *read.workloads]
        named = {file.choice.cluster or "" for file in self.chosen.all}
        return sorted((named | {row.cluster for row in rows}) - {""})

    def _answer_open(self, path: str, field: str, value: str) -> None:
        """Says what a column counts, or which GPU or cluster a name is, whose kind stands in place of a path."""
        asked = self._left_open().get((path, field))
        if asked is not None and asked.value == value:  # a field was left as it was
            return
        if field == last_page.ZONE:
            self._zone = value
            self._change_question()
        elif field == last_page.SERVED and path not in self.chosen.paths:
            self._loaded_clusters[path] = value
            self.reading.begin_soon()
        elif field == last_page.SERVED and (path, field) not in self._asked:
            self.chosen.say_cluster(path, value)
        elif asked is not None and asked.is_typed and field != last_page.SERVED:
            self.chosen.say_node(path, field, value)
        elif path in list(SameKind):
            self._same = with_same(self._same, (Same(SameKind(path), field, value),))
            self.reading.begin_soon()
        elif field == last_page.PARTITIONS:
            others = (one for one in self._same if one not in self._partitions)
            self._same = with_same(others, self._partitions if value else ())
            self.reading.begin_soon()
        elif field == COUNTED_TWICE:
            self.chosen.say_kind(path, value)
        elif field == last_page.SERVED:
            self.chosen.say_value(path, field, value)
        else:
            self.chosen.say_unit(path, field, value)
        self._refresh()

    def _ask_about(self, request: importing.ImportRequest, read: Any) -> None:
        """What a log leaves open, asked only where a log does; a likely cluster is proposed, and read with."""
        self._theirs = tuple(sorted({workload.cluster for workload in read.workloads} - {""}))
        asked = self._left_open()
        if ("", last_page.PARTITIONS) in asked and last_page.PARTITIONS not in self._proposed:
            self._proposed.add(last_page.PARTITIONS)
            self._answer_open("", *2 * [last_page.PARTITIONS])
            return
        served = {path for path, field in self._asked if field == last_page.SERVED}
        twice = {path for path, field in asked if field == COUNTED_TWICE} - self._proposed
        for path in twice if read.window is not None else ():  # left out once, where contracts have them all
            self._proposed.add(path)
            if are_contracted(path, read.contracts, read.window.end_s - 1):
                self.chosen.say_kind(path, "")
        # the only one is proposed, once a file, and read with
        if len(self._theirs) == 1 and all(workload.cluster for workload in read.workloads):
            for path in served - self._proposed:
                if not self._asked[path, last_page.SERVED].value:
                    self.chosen.say_value(path, last_page.SERVED, self._theirs[0])
            self._proposed |= served
        if self._propose_clusters(request, read):
            return  # a zone that nobody was asked for is not one that was given
        loaded = {file.path for file in self._project.intake} - self.chosen.paths
        codes = {issue.code for file in read.intake if file.path not in loaded for issue in file.issues}
        if NAIVE in codes and not self._zone:
            self._zone = "UTC"

    def _propose_clusters(self, request: importing.ImportRequest, read: Any) -> bool:
        """Asks on which cluster the jobs of each log ran that names none, and proposes a likely one, once a log.

        Returns whether one was proposed: then it is read with.
        """
        names = self._contract_clusters(read)
        of_loaded = importing.unnamed_logs(self._project) if request.contract_paths and names else ()
        own = [path for path in read.unnamed if path in self.chosen.paths]
        paths = [path for path in (*own, *of_loaded) if path not in self._unnamed]
        self._unnamed |= dict.fromkeys(paths)
        before = {file.format: importing.cluster_said(file) for file in self._project.intake}
        logs = (*self._project.intake, *read.intake)
        formats = {file.path: file.format for file in logs if file.kind == "jobs"}
        is_alone = len({*formats.values()}) == 1  # logs of one scheduler
        for path in paths if not self._partitions else ():
            likely = last_page.likely_cluster(path, names, is_alone=is_alone)
            self._answer_open(path, last_page.SERVED, likely or before.get(formats.get(path, ""), ""))
        return self.reading.answer is None

    def _contract_clusters(self, read: Any) -> list[str]:
        """Clusters that contracts name, of the files and of what is loaded."""
        contracts = (*read.contracts, *self._project.contracts)
        return sorted({contract.cluster for contract in contracts} - {""})

    # Showing

    def _refresh(self) -> None:
        """Show everything as it now stands."""
        standing, file, page = self.standing, self.chosen.file, self.page
        preview = self.chosen.previews.of(file.path)
        self.file_box.setVisible(len(self.chosen.all) > 1 and page not in (FILES, LAST))
        files = self.chosen.all
        called = (
            tr("{number} of {files}: {file}", number=number, files=len(files), file=file.name)
            for number, file in enumerate(files, 1)
        )
        refill(self.file_box, ((words, number) for number, words in enumerate(called)), self.chosen.at)
        self._show_files_page(standing)
        if page == FORMAT:
            self.format_page.show_file(file, preview, standing.fault)
        elif page == COLUMNS:
            seen = preview if file.kind in import_state.MAPPABLE else None
            self.columns_page.show_file(file, seen, self.chosen.zone_of(file), standing.fault)
        elif page == ISSUES:
            left_out = not file.kind and file.found is not None
            self.issues_page.show_file(standing.report[0], file.name, is_left_out=left_out)
        elif page == CONTRACTS:
            summary = " ".join(filter(None, (standing.summary[0], standing.agreement)))
            self.contracts_page.show_lines(standing.sentences, summary, {*self._cluster_names()})
        elif page == LAST:
            request, read = self.reading.answer or (None, None)
            self.last_page.show_read(request, read, standing.note_of_taking, self._joined, self._alone)
        self._ask_of_file(standing)
        # Shows the report of the file at hand; on the last page that of all files
        if self.page == LAST and self.reading.intake:
            loaded = {file.path for file in standing.loaded_before}
            own = (file for path, file in self.reading.intake.items() if path not in loaded)
            together = import_state.all_files(own)
            self.report.show_file(together, tr("All files together"))
        else:
            self.report.show_file(*standing.report)
        self._offer_ticks(standing)
        self.steps.show_steps(page, standing.settled, standing.closed_steps)
        self._show_foot(standing)

    def trace(self, figure_id: str) -> Trace:
        """Why a count is what it is. Errors: KeyError, StopIteration where it is none of the import's."""
        try:
            return self.last_page.trace(figure_id)
        except KeyError:
            return self.report.trace(figure_id)

    def _show_files_page(self, standing: ImportStanding) -> None:
        """Shows the first page: the files, the questions and how far reading is."""
        page, waiting = self.files_page, standing.waiting
        missing = {waiting[0].path: waiting[1]} if waiting is not None else {}
        page.show_files(self.chosen.all, standing.loaded_files, self.reading.intake, missing, self.chosen.at)
        preview = self.chosen.previews.of(self.chosen.file.path)
        first, nearest = import_state.first_row_words(preview), nearest_words(self.chosen.file, preview)
        page.show_why(self.chosen.file, standing.fault, first, nearest, self._other_sheets())
        read = self.reading.answer[1] if self.reading.answer is not None else None
        has_logs = any(file.kind == "jobs" for file in self.chosen.all)
        window = read.window if read is not None else None
        page.show_period(window, last_page.left_out_words(self._alone), has_logs=has_logs)
        page.show_lines(self._lines())
        page.units.ask(self._left_open())
        page.meaning_of_zone.show_text(standing.meaning_of_zone if self._zone else "")
        page.bar.setVisible(self.reading.is_under_way)
        if not self.reading.is_under_way:
            page.say(*standing.summary)
        elif not self.reading.left and page.bar.value() == 0:
            page.say(tr("Reading"), "muted")

    def _ask_of_file(self, standing: ImportStanding) -> None:
        """A file that disagrees with its totals, or has rates far from the market, stops the import with a question."""
        if (asked := standing.asked) is None:
            self.question.show_question("")
            return
        file, issue = asked
        answers, words = (
            last_page.rate_answers(self._unit_of_rates(file)),
            last_page.rows_words(issue.message),
        )
        title = tr("{name}: what is the price for?", name=file.name)
        if issue.code != ODD_RATE:
            others = self.reading.intake[file.path].alternatives
            kept = (last_page.RIGHT, tr("Keep what was read"), tr("The file's own totals are wrong"))
            answers = [*((other.mapping, other.words, tr("Read the file so")) for other in others), kept]
            title, words = tr("{name} disagrees with its own totals", name=file.name), issue.message
        is_best_first = issue.code != ODD_RATE
        self.question.show_question(
            title, sentence(in_window_words(words)), answers, is_best_first=is_best_first
        )

    def _unit_of_rates(self, file: import_state.ChosenFile) -> str:
        """In which unit the rates of a file were read; empty where no column has any."""
        if (preview := self.chosen.previews.of(file.path)) is None:
            self.chosen.want_preview_of(file.path)
        mapping = file.choice.mapping or (preview.mapping if preview is not None else None)
        rates = [field for field in mapping.columns if is_rate(field)] if mapping is not None else []
        units = mapping.units if mapping is not None else {}
        return (units.get(rates[0], "").partition(":")[0] or GPU_HOUR) if rates else ""

    def _answer_question(self, value: str) -> None:
        """Says what the odd rates of a file are per, or how one is read that disagrees with its totals."""
        if (asked := self.standing.asked) is not None:
            path, code = asked[0].path, asked[1].code
            if value and code == ODD_RATE:
                self.chosen.say_rates(path, value)
            else:
                self.chosen.settle(path, code, value)
            self._refresh()

    def _key(self, contract: Contract) -> str:
        """What changed terms of a contract are remembered by: the headings of its file, and its id."""
        return self.standing.headers.get(contract.contract_id, "") + contract.contract_id

    def _change_contract(self, contract_id: str, terms: Mapping[str, Term]) -> None:
        """Changes terms of a contract that was read, which holds as long as its file says the same."""
        assert self.reading.answer is not None
        request, read = self.reading.answer
        project = with_values(self._project, contracts=read.contracts)
        with errors_in_dialog(self):
            contracts = change_contract(project, contract_id, terms).contracts
            self._stated |= {self._key(contract): stated_of(contract) for contract in contracts}
            self.reading.answer = request, replace(read, contracts=contracts)
            self._refresh()

    def _offer_ticks(self, standing: ImportStanding) -> None:
        """Where the log that is looked at has rows that are alike, or that lack an end or a start, or had any."""
        file, shown = self.chosen.file, standing.report[0]
        issues = () if shown is None else shown.issues
        is_log = self.page != LAST and file.kind == "jobs"
        has_any = any(issue.code == ALIKE for issue in issues)
        would_keep = any(str(KEPT_IF_OPEN) in str(issue.message) for issue in issues)
        dropped, is_open = file.choice.drops_alike, bool(file.choice.is_open_ended)
        offer(self.report.alike, is_offered=is_log and (has_any or dropped), is_ticked=dropped)
        offer(self.report.open_ended, is_offered=is_log and (would_keep or is_open), is_ticked=is_open)
        is_both = file.choice.is_open_ended == "both"
        lacks_both = is_open and any(issue.code == "bad_time" for issue in issues)
        offer(self.report.open_at_both, is_offered=is_log and (lacks_both or is_both), is_ticked=is_both)

    def _show_foot(self, standing: ImportStanding) -> None:
        """Shows the ways on and back, and what holds for all files, as the page needs it."""
        foot, page, file = self.foot, self.page, self.chosen.file
        in_force = mapping_in_force(file, self.chosen.previews.of(file.path))
        foot.show_page(
            can_add=page in (FILES, LAST),
            can_remember=page == COLUMNS and in_force is not None,
            is_remembered=file.is_remembered,
            has_back=page > FILES,
        )
        foot.show_next(*standing.way_on(page))

    # Answers

    def _go_on(self) -> None:
        """Enter, and the one primary button: import where all is said, else the next step."""
        waiting = self.standing.waiting
        if self.page in (FILES, LAST) and waiting is None and self.standing.is_to_confirm:
            self.open_step(CONTRACTS)
        elif self.page in (FILES, CONTRACTS, LAST) and waiting is None:
            self._take()
        elif self.page == COLUMNS and waiting is not None and not self.standing.lacking:
            self.chosen.agree()
            self.open_step(ISSUES)
        elif self.page in (FILES, COLUMNS, LAST) and waiting is not None:
            self.chosen.look_at(waiting[0])
            self.open_step(COLUMNS)
        elif self.page == FORMAT:
            self.open_step(COLUMNS if self.chosen.file.kind else LAST)
        else:
            self._step(1)

    def _step(self, by: int) -> None:
        """Opens the next step that can be opened, or with -1 the one before."""
        page = self.page + by
        while 0 <= page < len(STEPS) and not self.steps.button(page).isEnabled():
            page += by
        if 0 <= page < len(STEPS):
            self.open_step(page)

    def _open_issue(self, code: str) -> None:
        """Opens the rows of a kind of finding."""
        if self.page != LAST:
            self.pages.setCurrentIndex(ISSUES)
            self._refresh()
            self.issues_page.show_issue(code)
            self.report.select_issue(code)

    def _take(self) -> None:
        """Hands over what was read, without refused files, and remembers the mappings if that was wished."""
        if self.reading.answer is not None and not self.standing.refusal:
            request, read = import_state.without_refused(*self.reading.answer)
            if self._settings is not None and self.foot.remember.isChecked():
                accepted = {file.path for file in read.intake if file.rows_accepted}
                remember(self._settings, self.chosen.all, accepted, self.chosen.previews.known)
                self._settings.stated_terms = {key: terms for key, terms in self._stated.items() if terms}
            self.taken.emit(request, read, self._is_adding)
            self.accept()

    def _save_rejected(self) -> None:
        """Asks for a file and writes the rejected rows into it, never over one that is imported."""
        shown = self.standing.report[0]
        files = tuple(file for file in self.reading.intake.values() if file.rejected) or (
            (shown,) if shown is not None and shown.rejected else ()
        )
        read = Path(files[0].path) if files else None
        suggestion = str(read.parent / file_name(read.stem, "-rejected.csv")) if read is not None else ""
        path, _ = save_file(self, tr("Save rejected rows"), suggestion, tr("CSV (*.csv)"))
        if path:
            try:
                write_table(Path(path), rejected_csv(files), given=[one.path for one in self.chosen.all])
                self.foot.say(tr("Saved {file}.", file=Path(path).name), "muted")
            except PlannerError as error:
                self.foot.say(tr("{path}: {message}.", path=path, message=error.message), "red")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the keyboard, else the way on; Ctrl+Page up and down change the step."""
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._is_built:
            pressed: QWidget | None = self.focusWidget()
            if (
                not isinstance(pressed, QAbstractButton)
                or isinstance(pressed, QCheckBox)
                or not pressed.isVisible()
            ):
                pressed = self.foot.next
            pressed.click()
            return
        steps = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
        key = Qt.Key(event.key()) if event.key() in steps else None
        if key is not None and self._is_built and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._step(steps[key])
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """The title bar's close asks as Escape does; who closes it in the program has no question to answer."""
        if event.spontaneous():
            event.ignore()
            self._leave()
        else:
            super().closeEvent(event)

    def _leave(self) -> None:
        """Closes it, after a question where what was read is lost, or what is being read.

        Escape may have been meant for a list that was closed already.
        """
        leave, files = worded("Close without importing"), self.chosen.all
        name = files[0].name if len(files) == 1 else numbers.counted(len(files), "file")
        words = tr(
            "Nothing of {name} is imported, and your answers here are lost. What is loaded stays as it is.",
            name=name,
        )
        is_lost = self._is_built and (self.is_working or self.reading.answer is not None)
        answers = (leave, worded("Continue importing"))
        if not is_lost or ask(self, tr("Close without importing?"), words, answers) == leave:
            self.reject()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Gives the report the width for the room there is."""
        super().resizeEvent(event)
        if self._is_built:
            self._set_widths()

    def _set_widths(self) -> None:
        """The width of the report for the room there is."""
        share_px = round(REPORT_SHARE * self.width())
        self.report.setFixedWidth(max(LEAST_REPORT_PX, min(MOST_REPORT_PX, share_px)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Begins to recognise files once the dialog is seen."""
        super().paintEvent(event)
        if self._is_built:
            self.chosen.recognise()

    def done(self, result: int) -> None:
        """Stops what runs in the background, however the dialog is left; a size that the planner gave it is kept."""
        if self._settings is not None and self.size() != self._size_offered:
            width, height = self.size().toTuple()
            self._settings.import_size = round(width / text_scale()), round(height / text_scale())
        self.chosen.close()
        self._telling.close()
        self.reading.close(is_cancelled=result != QDialog.DialogCode.Accepted)
        super().done(result)
