"""The state of an import in words: results, obstacles, and open steps."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gpuplanner.app.importing.logs_alone import LogAlone
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import joined
from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.domain.model.project import Project
from gpuplanner.files.importing.reconciliation import agreement_words
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.importing import import_state, last_page
from gpuplanner.ui.importing.background_reading import ImportReading
from gpuplanner.ui.importing.files import ImportFiles
from gpuplanner.ui.importing.files_page import FileLine
from gpuplanner.ui.importing.issue_words import not_taken_words
from gpuplanner.ui.importing.open_questions import Asked
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
            refused = import_state.refusal_of(*self.reading.answer)
            asked = [self.asked.file] if self.asked is not None else []
            asked += [file for file in self.files.all if self.questions.columns_asked(file.path)]
            if refused or not asked:
                return refused
            return tr("First answer the question about {name}.", name=asked[0].name)
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

    def facts(self) -> dict[str, str]:
        """What each file holds by itself, in a line, by path; of what is still to be read nothing."""
        facts = {
            file.path: ", ".join(
                filter(None, (spoken(preview.line), not_taken_words(self.reading.intake.get(file.path))))
            )
            for file in self.files.all
            if (preview := self.files.previews.of(file.path)) is not None and preview.line
        }
        return facts | {log.path: last_page.line_of_log(log) for log in self.alone}

    def answers_of(self, file: import_state.ChosenFile, left_open: Mapping[tuple[str, str], Asked]) -> int:
        """How many answers a file needs before it is ready: its columns, its kind, and what is asked of it.

        left_open: all questions.
        """
        read, waiting = self.reading.intake.get(file.path), self.waiting
        preview = self.files.previews.of(file.path)
        is_lacking = file.kind in import_state.MAPPABLE and preview is not None and bool(preview.missing)
        is_waiting = is_lacking or (waiting is not None and waiting.file == file)
        is_unknown = file.found is not None and not (file.kind or file.is_known or file.is_described)
        asking = {issue.code for issue in (read.issues if read is not None else ())}
        asking &= {*ASKED} - {*file.settled}
        left = (asked for (path, _), asked in left_open.items() if path == file.path)
        is_refusing = read is not None and is_refused(read) and not is_waiting
        return is_waiting + is_unknown + is_refusing + len(asking) + sum(asked.is_open for asked in left)

    def file_lines(self, order: Sequence[str], facts: Mapping[str, str]) -> list[FileLine]:
        """The files as the table shows them. order: of their paths; facts: by path."""
        waiting, left_open = self.waiting, self.questions.left_open()
        missing = {waiting.file.path: waiting.why} if waiting is not None else {}
        packed = {
            path: [file for file in self.loaded_files if file.path.startswith(f"{path}/")] for path in order
        }
        return [
            FileLine(
                file=self.files.of(path),
                read=self.reading.intake.get(path) or import_state.all_files(packed[path]),
                cannot=missing.get(path, ""),
                facts=facts.get(path, ""),
                answers=self.answers_of(self.files.of(path), left_open),
            )
            for path in order
        ]

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
