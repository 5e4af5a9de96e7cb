"""Matching names in the window: asks what is one, reads the kept rows again where need be, keeps it for later."""

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QObject

from gpuplanner.app.background import Background, IsCancelled, OnProgress
from gpuplanner.app.importing import rewindowed_project
from gpuplanner.app.settings import Settings
from gpuplanner.domain.audit.checks.model_checks import VariantAsked, variants_asked
from gpuplanner.domain.edits import same_label, say_same, set_mapping, take_back_same
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.names.name_rows import name_rows
from gpuplanner.domain.model.names.spelling import respelled
from gpuplanner.domain.model.names.unmatched import unmatched
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.same import Same, SameKind
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.values.window_request import WindowRequest
from gpuplanner.ui.board.board import Board
from gpuplanner.ui.kit.message import show_error
from gpuplanner.ui.session.session import Session


def renamed_project(
    project: Project,
    said: Iterable[Same],
    gone: Iterable[Same],
    mappings: Iterable[tuple[VariantAsked, float]],
    rows_dir: Path,
    on_progress: OnProgress | None = None,
    is_cancelled: IsCancelled | None = None,
) -> Project:
    """The project with decisions said and taken back, its jobs reduced again from the kept rows where need be.

    Errors: PlannerError file_missing where the rows are needed and not kept; usage.
    """
    said, gone = tuple(said), tuple(gone)
    after = say_same(take_back_same(project, gone), said)
    if gone or any(one.kind is not SameKind.MODEL for one in said):
        window = WindowRequest(start_s=project.window.start_s, end_s=project.window.end_s)
        after = rewindowed_project(after, rows_dir, window, on_progress, is_cancelled)
    after = respelled(after, gpu_families())
    for variant, ratio in mappings:
        after = set_mapping(after, variant.gpu_model, variant.offered, ratio)
    return after


class NamesFlow(QObject):
    """Told the session and the board. rows_dir: where job rows are kept."""

    def __init__(self, session: Session, board: Board, settings: Settings, rows_dir: Path) -> None:
        super().__init__(session.window)
        self._session, self._document = session, session.document
        self._settings, self._rows_dir = settings, rows_dir
        self._background = Background(self._fail, parent=self)
        session.asks.names_asked.connect(self.ask)
        board.names_apart_asked.connect(self.part_names)

    @property
    def is_busy(self) -> bool:
        """Whether jobs are being read again."""
        return self._background.is_busy

    def close(self) -> None:
        """Want no answer any more, and wait for the thread."""
        self._background.close()

    def ask(self) -> None:
        """Show the names side by side, and take what is said of them."""
        from gpuplanner.ui.rules.names_dialog import NamesDialog

        project, families = self._document.project, gpu_families()
        dialog = NamesDialog(
            name_rows(project, families),
            variants_asked(project, families),
            project.same,
            self._session.palette,
            self._session.window,
        )
        dialog.chosen.connect(self.take)
        dialog.exec()
        dialog.deleteLater()

    def ask_if_unmatched(self) -> None:
        """The matching step of an import: only where something has to be asked."""
        if unmatched(self._document.project, gpu_families()).is_any:
            self.ask()

    def part_names(self, keys: tuple[str, ...]) -> None:
        """Names that are alike but for digits become workloads of their own. keys: of the workloads that they are."""
        self.take(tuple(Same(SameKind.WORKLOAD, key, key) for key in keys), (), ())

    def take(
        self, said: tuple[Same, ...], gone: tuple[Same, ...], mappings: tuple[tuple[VariantAsked, float], ...]
    ) -> None:
        """Use the names: one step of Undo."""
        project, rows_dir = self._document.project, self._rows_dir
        if not (said or gone or mappings):
            return
        self._background.start(
            lambda told, is_cancelled: renamed_project(
                project, said, gone, mappings, rows_dir, told, is_cancelled
            ),
            lambda after: self._put(project, after, said, gone),
        )

    def _put(self, before: Project, after: Project, said: tuple[Same, ...], gone: tuple[Same, ...]) -> None:
        """Puts the names matched or taken back as one step; not if the project changed while rows were read."""
        if self._document.project is not before:
            return  # something was changed meanwhile
        self._settings.remember_same(after.same)
        if said or not gone:
            label = same_label(said) if said else worded("Let other GPUs serve")
        else:
            label = same_label(gone, is_taken_back=True)
        self._document.edit(label, after)

    def _fail(self, error: Exception) -> None:
        """Shows a fault; of lost job rows with the remedy to import again."""
        if isinstance(error, PlannerError) and error.code == "file_missing":
            what = worded("the job rows behind these names are not kept on this computer")
            error = PlannerError(error.where, error.code, what, worded("import the log again"))
        show_error(self._session.window, error)
