"""How an import stands, in words: what it came to, what is in the way, which steps are open and which settled."""

from dataclasses import dataclass

from gpuplanner.domain.message import Message, joined
from gpuplanner.domain.model.log.intake import FileIntake
from gpuplanner.domain.model.project import Project
from gpuplanner.files.tables.odd_rates import ODD_RATE
from gpuplanner.ui.importing.columns_page import naive_sentence
from gpuplanner.ui.importing.files import ImportFiles
from gpuplanner.ui.importing.import_state import MAPPABLE, ChosenFile, unreadable
from gpuplanner.ui.importing.import_words import apart_words, refusal_of, report_of, sentence_of_import
from gpuplanner.ui.importing.reading import ImportReading
from gpuplanner.ui.importing.report import is_refused
from gpuplanner.ui.importing.steps import COLUMNS, FILES, FORMAT, ISSUES, LAST, STEPS
from gpuplanner.ui.words.translation import tr


def rates_question_words(name: str) -> str:
    """Why nothing is taken in before the question of a file's rates is answered."""
    return tr("Say what the prices of {name} are for, or that they are right.", name=name)


@dataclass(frozen=True, slots=True)
class ImportStanding:
    """obstacle: why nothing can be read; loaded: the project; joined: it too, where the files are added to it."""

    files: ImportFiles
    reading: ImportReading
    obstacle: str
    loaded: Project
    joined: Project | None

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
        told, role = sentence_of_import(request, read, self.files.all, self.loaded.contracts, self.joined)
        apart = "" if role == "red" else apart_words(request, read, self.loaded, self.joined)
        return (f"{told} {apart}", "amber") if apart else (told, role)

    @property
    def refusal(self) -> str:
        """Why nothing can be taken in now; empty where it can."""
        if self.reading.answer is not None:
            refused, asked = refusal_of(*self.reading.answer), self.odd_rates
            if asked is None or refused:
                return refused
            return rates_question_words(asked[0].name)
        if self.reading.error or self.obstacle:
            return self.reading.error or self.obstacle
        left = self.reading.left
        return tr("The files are being read{left}.", left=", " + left if left else "")

    @property
    def waiting(self) -> tuple[ChosenFile, str] | None:
        """The first file that cannot be read before its columns are mapped, and why."""
        return unreadable(self.files.all, self.files.previews.known)

    @property
    def odd_rates(self) -> tuple[ChosenFile, Message] | None:
        """The first file with rates far from the market that nobody has called right, and what is said of them."""
        for file in self.files.all:
            read = self.reading.intake.get(file.path)
            for issue in read.issues if read is not None and not file.are_rates_right else ():
                if issue.code == ODD_RATE:
                    return file, issue.message
        return None

    @property
    def fault(self) -> str:
        """Why the file that is looked at has no preview; empty where it has one, will have or needs none."""
        file = self.files.file
        return self.files.previews.fault(file.path) if file.kind in MAPPABLE else ""

    @property
    def lacking(self) -> str:
        """What the file that is looked at lacks before it can be read; empty where nothing."""
        file = self.files.file
        preview = self.files.previews.of(file.path)
        if file.kind not in MAPPABLE or preview is None or not preview.missing:
            return ""
        return tr(
            "{name} cannot be read yet: {missing}.",
            name=file.name,
            missing=joined(preview.missing, "; "),
        )

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
    def report(self) -> tuple[FileIntake | None, str]:
        """What is known of the rows of the file that is looked at, and which rows that is of."""
        file = self.files.file
        read, preview = self.reading.intake.get(file.path), self.files.previews.of(file.path)
        return report_of(file, read, preview, is_reading=self.reading.is_to_come)

    @property
    def note_of_taking(self) -> str:
        """What the import does to what is loaded."""
        if self.loaded.is_empty:
            return tr("Import is one step: Undo takes it back.")
        if self.joined is not None:
            return tr(
                "These files join what is loaded; logs are read together, so that repeated jobs are found."
            )
        return tr("These files take the place of what is loaded of their kind. Plans, moves and labels stay.")

    @property
    def settled(self) -> tuple[bool, ...]:
        """Of each step, whether nothing is left to be said there."""
        file, intake = self.files.file, self.reading.intake
        is_read = file.path in intake and not is_refused(intake[file.path])
        preview = self.files.previews.of(file.path)
        return (
            all(one.is_known or one.kind for one in self.files.all),
            bool(file.kind),
            is_read or bool(preview and file.kind in MAPPABLE and not preview.missing),
            is_read and not intake[file.path].rows_rejected,
            self.reading.answer is not None and not self.refusal,
        )

    @property
    def closed_steps(self) -> tuple[str, ...]:
        """Of each step, why it cannot be opened; empty where it can."""
        file = self.files.file
        refusals = [""] * len(STEPS)
        if file.found is None or not file.found.kind:
            why = tr("The file is being looked at") if file.found is None else tr("The file cannot be opened")
            refusals[FORMAT] = refusals[COLUMNS] = refusals[ISSUES] = why
        elif not file.kind:
            refusals[COLUMNS] = refusals[ISSUES] = tr("This file is left out: say in Format what it is")
        return tuple(refusals)

    def way_on(self, page: int) -> tuple[str, str, str]:
        """The one primary button of a step: its words, why it is closed (empty: it is not), its tip."""
        file, waiting = self.files.file, self.waiting
        if page in (FILES, LAST):
            if waiting is None:
                return (
                    tr("Import"),
                    self.refusal,
                    tr("Take these files in; one undo step (Enter)"),
                )
            return tr("Next: map the columns"), "", waiting[1]
        if page == FORMAT:
            return (
                tr("Next: look at the columns") if file.kind else tr("Next: import"),
                "" if file.found is not None else tr("The file is being looked at."),
                tr("Which column is which field (Enter)"),
            )
        if page == COLUMNS and waiting is not None and waiting[0] == file and not self.lacking:
            tip = tr("Read the table by these columns (Enter)")
            return tr("Read it like this"), "", tip
        if page == COLUMNS:
            return tr("Next: review issues"), self.lacking, tr("How the rows ended (Enter)")
        return tr("Next: import"), "", tr("What is taken in (Enter)")
