"""The state of an import in words: results, obstacles, and open steps."""

from pathlib import PurePath
from typing import NamedTuple

from gpuplanner.app.importing.logs_alone import LogAlone
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import Text, joined
from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.domain.model.project import Project
from gpuplanner.files.importing.reconciliation import agreement_words
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.importing import import_state, last_page
from gpuplanner.ui.importing.background_reading import ImportReading
from gpuplanner.ui.importing.columns_page import naive_sentence
from gpuplanner.ui.importing.files import ImportFiles
from gpuplanner.ui.importing.issue_words import not_taken_words
from gpuplanner.ui.importing.questions import ImportQuestions
from gpuplanner.ui.importing.report import is_refused
from gpuplanner.ui.importing.steps import ASKED, COLUMNS, CONTRACTS, FILES, FORMAT, ISSUES, LAST, STEPS


class AskedFile(NamedTuple):
    """A file about which something is asked, and the issue that asks."""

    file: import_state.ChosenFile
    issue: Issue


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportStanding:
    """obstacle: why nothing can be read; loaded: the project; joined: it too, where the files are added to it;
    alone: each log by itself, once that is known.
    """

    files: ImportFiles
    reading: ImportReading
    obstacle: str
    loaded: Project
    joined: Project | None
    alone: tuple[LogAlone, ...]
    questions: ImportQuestions

    @property
    def summary(self) -> tuple[str, str]:
        """What has come of it so far, and its palette role."""
        if self.reading.answer is None:
            if self.reading.error:
                return self.reading.error, "red"
            if self.obstacle:
                return self.obstacle, "muted" if self.files.is_being_recognised else "amber"
            return tr("Reading"), "muted"
        request, read = self.reading.answer
        files, contracts = self.files.all, self.loaded.contracts
        words, role = import_state.sentence_of_import(request, read, files, contracts, self.joined)
        if role == "red":
            return words, role
        apart = import_state.apart_words(request, read, self.loaded, self.joined)
        noted = list(filter(None, (apart, import_state.twice_words(read, self.joined))))
        return (" ".join((words, *noted)), "amber") if noted else (words, role)

    @property
    def is_reading(self) -> bool:
        """Whether what is in the way goes by itself."""
        return self.reading.answer is None and not (self.reading.error or self.obstacle)

    @property
    def refusal(self) -> str:
        """Why nothing can be taken in now; empty where it can."""
        if self.reading.answer is not None:
            refused, asked = import_state.refusal_of(*self.reading.answer), self.asked
            if asked is None or refused:
                return refused
            return tr("First answer the question about {name}.", name=asked.file.name)
        if self.reading.error or self.obstacle:
            return self.reading.error or self.obstacle
        left = self.reading.left
        return tr("The files are being read{left}.", left=", " + left if left else "")

    @property
    def waiting(self) -> import_state.UnreadableFile | None:
        """The first file that cannot be read before its columns are mapped, and why."""
        return import_state.unreadable(self.files.all, self.files.previews.known)

    @property
    def asked(self) -> AskedFile | None:
        """The first file that disagrees with its own totals or has odd rates, which nobody has called right."""
        for file in self.files.all:
            read = self.reading.intake.get(file.path)
            for issue in read.issues if read is not None else ():
                if issue.code in ASKED and issue.code not in file.settled:
                    return AskedFile(file, issue)
        return None

    @property
    def is_to_confirm(self) -> bool:
        """Whether contracts were read."""
        read = self.reading.read
        return read is not None and bool(read.contracts)

    @property
    def agreement(self) -> str:
        """Which files agree with the totals that they state."""
        agree = ((file.name, self.reading.intake.get(file.path)) for file in self.files.all)
        agreements = (
            (name, agreement_words(read.reconciliation)) for name, read in agree if read is not None
        )
        return " ".join(
            tr("{title}: {value}.", title=name, value=words) for name, words in agreements if words
        )

    def lines(self, *, is_telling: bool) -> list[tuple[str, Text]]:
        """What each file holds by itself. is_telling: what each log holds is still to come."""
        logs = [file.name for file in self.files.all if file.kind == "jobs"]
        together = logs[0] if len(logs) == 1 else tr("{count} job logs", count=len(logs))
        seen = ((file.name, file.path, self.files.previews.of(file.path)) for file in self.files.all)
        lines: list[tuple[str, Text]] = [
            (
                name,
                ", ".join(
                    filter(None, (spoken(preview.line), not_taken_words(self.reading.intake.get(path))))
                ),
            )
            for name, path, preview in seen
            if preview is not None and preview.line
        ]
        if logs and (self.reading.is_to_come or is_telling):
            return [(together, tr("reading\u2026")), *lines]
        loaded = {file.path for file in self.loaded_before}
        alone = (log for log in self.alone if log.path not in loaded)
        return [*((PurePath(log.path).name, last_page.line_of_log(log)) for log in alone), *lines]

    @property
    def fault(self) -> str:
        """Why the file that is looked at has no preview; empty where it has one, will have or needs none."""
        file = self.files.file
        return self.files.previews.fault(file.path) if file.kind in import_state.MAPPABLE else ""

    @property
    def lacking(self) -> str:
        """What the file that is looked at lacks before it can be read; empty where nothing."""
        file = self.files.file
        preview = self.files.previews.of(file.path)
        if file.kind not in import_state.MAPPABLE or preview is None or not preview.missing:
            return ""
        missing = joined(preview.missing, "; ")
        return tr("{name} cannot be read yet: {missing}.", name=file.name, missing=missing)

    @property
    def meaning_of_zone(self) -> str:
        """What the zone makes of a time of a log: the one that is looked at, else the first that has such times."""
        for file in (self.files.file, *self.files.all):
            preview = self.files.previews.of(file.path)
            if file.kind == "jobs" and preview is not None and preview.naive_sample is not None:
                name = f"{file.name}: " if len(self.files.all) > 1 else ""
                return name + naive_sentence(preview.naive_sample, self.files.zone_of(file))
        return ""

    @property
    def loaded_files(self) -> list[FileIntake]:
        """The files that were read with these, for what is added joins them."""
        return [file for path, file in self.reading.intake.items() if path not in self.files.paths]

    @property
    def loaded_before(self) -> list[FileIntake]:
        """The files of the project that are not imported anew."""
        return [file for file in self.loaded.intake if file.path not in self.files.paths]

    @property
    def report(self) -> import_state.RowsReport:
        """What is known of the rows of the file that is looked at, and which rows that is of."""
        file = self.files.file
        read, preview = self.reading.intake.get(file.path), self.files.previews.of(file.path)
        return import_state.report_of(file, read, preview, is_reading=self.reading.is_to_come)

    @property
    def note_of_taking(self) -> str:
        """What the import does to what is loaded."""
        if self.loaded.is_empty:
            return tr("The import is one undo step.")
        if self.joined is not None:
            return tr("Files are added. Duplicate jobs are removed.")
        return tr("Replaces data of the same kind. Plans, moves and labels stay.")

    @property
    def settled(self) -> tuple[bool, ...]:
        """Of each step, whether nothing is left to be said there."""
        file, intake = self.files.file, self.reading.intake
        is_read = file.path in intake and not is_refused(intake[file.path])
        preview = self.files.previews.of(file.path)
        return (
            all(one.is_known or one.kind for one in self.files.all),
            bool(file.kind),
            is_read or bool(preview and file.kind in import_state.MAPPABLE and not preview.missing),
            is_read and not intake[file.path].rows_rejected,
            not self.is_to_confirm,
            self.reading.answer is not None and not self.refusal,
        )

    @property
    def closed_steps(self) -> tuple[str, ...]:
        """Of each step, why it cannot be opened; empty where it can."""
        file = self.files.file
        refusals = [""] * len(STEPS)
        if file.found is None or not file.found.kind:
            why = tr("Reading…") if file.found is None else tr("Cannot be opened")
            refusals[FORMAT] = refusals[COLUMNS] = refusals[ISSUES] = why
        elif not file.kind:
            refusals[COLUMNS] = refusals[ISSUES] = tr("Skipped: choose its kind in Format")
        if not self.questions.sentences:
            refusals[CONTRACTS] = tr("No contract or offer read")
        return tuple(refusals)

    def way_on(self, page: int) -> tuple[str, str, str]:
        """The one primary button of a step: its words, why it is closed (empty: it is not), its tip."""
        file, waiting = self.files.file, self.waiting
        if page == CONTRACTS:
            return (tr("Confirm and import"), self.refusal, tr("Import; one undo step (Enter)"))
        if page in (FILES, LAST):
            if waiting is None and self.is_to_confirm:
                return tr("Next: confirm contracts"), "", tr("How each contract was read (Enter)")
            if waiting is None:
                return tr("Import"), self.refusal, tr("Import; one undo step (Enter)")
            return tr("Next: map the columns"), "", waiting.why
        if page == FORMAT:
            words = tr("Next: look at the columns") if file.kind else tr("Next: import")
            why = "" if file.found is not None else tr("Reading…")
            return words, why, tr("Map columns to fields (Enter)")
        if page == COLUMNS and waiting is not None and waiting.file == file and not self.lacking:
            return tr("Read like this"), "", tr("Read the table like this (Enter)")
        if page == COLUMNS:
            return tr("Next: review issues"), self.lacking, tr("Results of the rows (Enter)")
        return tr("Next: import"), "", tr("Review the import (Enter)")
