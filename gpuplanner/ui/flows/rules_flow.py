"""Class rules and matched names in the window: offers, dialogs, files; one edit each."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from gpuplanner.app.background import Background, IsCancelled, OnProgress
from gpuplanner.app.importing.into_project import rewindowed_project
from gpuplanner.app.settings import Settings
from gpuplanner.charts.kit.translation import by_count, tr
from gpuplanner.domain.audit.log_checks import VariantAsked, variants_asked
from gpuplanner.domain.demand.classification import Classification, classify
from gpuplanner.domain.demand.own_rules import pattern_words
from gpuplanner.domain.demand.rule_preview import (
    RulePreview,
    RuleProposal,
    propose_rules,
    rule_amounts,
    rule_preview,
)
from gpuplanner.domain.edits import class_rules, labels, model_mappings, same_names
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.gpu_family import Same, SameKind
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.spelling import respelled
from gpuplanner.domain.model.tables import ClassRule, Pool, Tables
from gpuplanner.domain.model.unmatched import name_rows, unmatched
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.values.lookback_period import WindowRequest
from gpuplanner.ui.board.board import Board
from gpuplanner.ui.flows.session import Session, Ways
from gpuplanner.ui.kit.dialogs import exec_once
from gpuplanner.ui.kit.file_dialogs import open_files, save_file
from gpuplanner.ui.kit.small_dialogs import Question, errors_in_dialog, show_error
from gpuplanner.ui.plans.rule_rows import class_lines, effect_sentence
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.window_words import refused_words

if TYPE_CHECKING:
    from gpuplanner.files.tables.small_table import TablesRead
    from gpuplanner.ui.plans.rule_dialog import RuleDialog
    from gpuplanner.ui.plans.rules_dialog import RulesDialog


# --- The planner's own class rules in the window: the offer after a decision, the two dialogs, files; one edit each

FILTER: Final = worded("Class rules (*.csv *.xlsx *.ods);;All files (*)")


class RulesFlow(QObject):
    """Told the session and the board."""

    def __init__(
        self, session: Session, board: Board, settings: Settings, tables: Tables, ways: Ways
    ) -> None:
        super().__init__(session.window)
        self.session, self._board, self._ways = session, board, ways
        self.document, self._settings, self._tables = session.document, settings, tables
        self._decided: tuple[tuple[str, ...], Pool] | None = None
        self._list: RulesDialog | None = None
        self._known: Evaluation | None = None  # while another is worked out it does for proposals
        self.proposing = Background(self._fail, parent=self)
        self._previewing = Background(self._fail, parent=self)
        self._counting = Background(self._fail, parent=self)
        board.workloads_labelled.connect(self._offer)
        session.asks.rule_asked.connect(self.make_rule)
        session.asks.rules_asked.connect(self.show_rules)
        session.document.changed.connect(self._forget_what_was_undone)
        session.evaluator.evaluated.connect(self._remember)

    # The offer after a decision

    def _offer(self, keys: tuple[str, ...], pool: Pool) -> None:
        """A decision was made: see in a thread whether other names are like these."""
        self._decided = (keys, pool)
        self._board.offer.hide()
        project = self.document.project
        if all(project.labels.get(key) is pool for key in keys):  # else it was refused
            self._propose(keys, pool, lambda proposals: self._show_offer(keys, pool, proposals))

    def _propose(
        self, keys: tuple[str, ...], pool: Pool, show: Callable[[Sequence[RuleProposal]], None]
    ) -> None:
        """Has rules for a decision proposed in a thread."""
        project, known = self.document.project, self._classifications()
        work = partial(
            propose_rules, project.workloads, keys, pool, rules=project.rules, classifications=known
        )
        self.proposing.run(work, show)

    def _show_offer(self, keys: tuple[str, ...], pool: Pool, proposals: Sequence[RuleProposal]) -> None:
        """Offers to make a rule of a decision, if it would put more workloads right than wrong."""
        if self._decided != (keys, pool) or not proposals:
            return
        best = proposals[0]
        if best.others <= best.against:
            return  # there is nothing like it, or nothing that would be helped
        said = f"“{pattern_words(best.rule.pattern)}”"
        where = tr("for the {field} {said}", field=best.rule.field, said=said)
        if best.rule.field == "name":
            where = tr("for names like {said}", said=said)
        names = {workload.key: workload.name for workload in self.document.project.workloads}
        done = names.get(keys[0], keys[0]) if len(keys) == 1 else numbers.counted(len(keys), "workload")
        others = numbers.counted(best.others, "other")
        self._board.offer.show_offer(
            by_count(len(keys), "{done} is {pool} now.", "{done} are {pool} now.", done=done, pool=pool),
            tr("Create a rule {where} ({others})", where=where, others=others),
        )

    def _forget_what_was_undone(self, project: Project) -> None:
        """Takes the offer back once the decision behind it is undone."""
        if self._decided is not None:
            keys, pool = self._decided
            if any(project.labels.get(key) is not pool for key in keys):
                self._decided = None
                self._board.offer.hide()

    # One rule

    def make_rule(self) -> None:
        """A rule from the decision on offer, else from the selected cards; where there are none, from nothing."""
        board = self._board
        project, classes = self.document.project, self._classes()
        if self._decided is not None and not board.offer.isHidden():
            keys, pool = self._decided
        else:
            keys = board.selected_workloads()
            known = project.labels.get(keys[0]) or classes.get(keys[0]) if keys else None
            pool = known or Pool.TRAINING
        board.offer.hide()
        self._propose(keys, pool, lambda proposals: self._edit_rule(proposals, None, pool))

    def _edit_rule(
        self, proposals: Sequence[RuleProposal], changed: ClassRule | None, pool: Pool = Pool.TRAINING
    ) -> None:
        """Opens the dialog of a rule, new or changed, with a preview that follows what is typed."""
        from gpuplanner.ui.plans.rule_dialog import RuleDialog

        rules, parent = self.document.project.rules, self._over
        dialog = RuleDialog(proposals, rules, parent, changed=changed, pool=pool)
        self._ways.answer_for(dialog)
        dialog.preview_asked.connect(lambda rule: self._preview(dialog, rule))
        dialog.rule_accepted.connect(lambda rule: self._take_rule(rule, is_new=changed is None))
        first = dialog.rule()
        if first.pattern:
            self._preview(dialog, first)
        exec_once(dialog)
        self._previewing.cancel()

    def _preview(self, dialog: "RuleDialog", rule: ClassRule) -> None:
        """Works out in a thread which workloads a rule would take, and shows it."""
        project, tables, usd = self.document.project, self._tables, self._usd()
        self._previewing.run(lambda: preview_rules(project, (rule,), tables, usd), dialog.show_preview)

    def _take_rule(self, rule: ClassRule, *, is_new: bool) -> None:
        """Puts a new or changed rule into the project, and selects it in the list."""
        words = labels.add_rule_label(rule) if is_new else labels.change_rule_label(rule)
        self._edit(words, lambda project: class_rules.add_rule(project, rule))
        if self._list is not None:
            self._list.select(rule.rule_id)

    # All rules

    def show_rules(self) -> None:
        """The list of the planner's own rules."""
        from gpuplanner.ui.plans.rules_dialog import RulesDialog

        project, window = self.document.project, self.session.window
        dialog = self._list = RulesDialog(project, self._tables.class_rules, window)
        self._ways.answer_for(dialog)
        dialog.add_asked.connect(lambda: self._edit_rule((), None))
        dialog.change_asked.connect(lambda rule_id: self._edit_rule((), self._rule(rule_id)))
        dialog.remove_asked.connect(self._remove)
        dialog.move_asked.connect(self._move)
        dialog.import_asked.connect(self._choose_import)
        dialog.export_asked.connect(self._choose_export)
        self.document.changed.connect(dialog.show_project)
        self.session.evaluator.evaluated.connect(self._count)
        self._count()
        exec_once(dialog)
        self.session.evaluator.evaluated.disconnect(self._count)
        self.document.changed.disconnect(dialog.show_project)
        self._counting.cancel()
        self._list = None

    def _count(self, _evaluation: object = None) -> None:
        """Counts in a thread what each rule decides, while the list is open."""
        project, classes, usd = self.document.project, self._classifications(), self._usd()
        if self._list is not None and classes:
            self._counting.run(lambda: rule_amounts(project, classes, usd), self._list.show_amounts)

    def _remove(self, rule_id: str) -> None:
        """Removes a rule."""
        rule = self._rule(rule_id)
        self._edit(labels.remove_rule_label(rule), lambda project: class_rules.remove_rule(project, rule_id))

    def _move(self, rule_id: str, places: int) -> None:
        """Moves a rule up or down: the first that fits decides."""
        words = labels.move_rule_label(self._rule(rule_id), places)
        self._edit(words, lambda project: class_rules.move_rule(project, rule_id, places))

    # Files

    def _choose_import(self) -> None:
        """Asks for files of rules and reads them."""
        if paths := open_files(self._list, tr("Import class rules"), tr(FILTER)):
            self.import_files(paths)

    def import_files(self, paths: Sequence[str]) -> None:
        """Read rules, and ask with what they would change and every row that was refused before adding them."""
        from gpuplanner.files.lists.class_rules import RULES

        try:
            read = RULES.read_files(paths)
        except PlannerError as error:
            show_error(self._over, error)
            return
        if not read.values:
            title, lost = tr("It contains no rules"), "\n".join(refused_words(read))
            exec_once(Question(self._over, title, lost, ("Close",)))
            return
        project, tables, usd = self.document.project, self._tables, self._usd()
        self._previewing.run(
            lambda: preview_rules(project, read.values, tables, usd),
            lambda preview: self._ask_import(read, preview),
        )

    def _ask_import(self, read: "TablesRead[ClassRule]", preview: RulePreview) -> None:
        """Asks whether to take the rules that were read, with what they change and which are refused."""
        own_ids = {rule.rule_id for rule in self.document.project.rules}
        replaced = sum(rule.rule_id in own_ids for rule in read.values)
        what = numbers.counted(len(read.values), "rule")
        lines = [effect_sentence(preview), *class_lines(preview)]
        if replaced:
            lines.append(
                by_count(
                    replaced,
                    "{replaced} of them replaces yours.",
                    "{replaced} of them replace yours.",
                    replaced=numbers.whole(replaced),
                )
            )
        question = Question(
            parent=self._over,
            title=tr("Import {what}?", what=what),
            text="\n".join(lines),
            answers=("Cancel", worded("Import {what}", what=what)),
            note="\n".join(refused_words(read)),
        )
        exec_once(question)
        if str(question.answer).startswith("Import"):
            label = labels.import_rules_label(len(read.values))
            self._edit(label, lambda project: class_rules.add_rules(project, read.values))
            if self._list is not None:
                self._list.say(tr("{what} imported.", what=what))

    def _choose_export(self) -> None:
        """Asks for a file and writes the rules into it."""
        title, kinds = tr("Export class rules"), tr("CSV (*.csv)")
        path, _ = save_file(self._list, title, "class-rules.csv", kinds)
        if path:
            self.export_to(Path(path if path.lower().endswith(".csv") else f"{path}.csv"))

    def export_to(self, path: Path) -> None:
        """Write the rules to a file."""
        from gpuplanner.files.lists.class_rules import write_rules

        with errors_in_dialog(self._over):
            write_rules(self.document.project.rules, path)
            if self._list is not None:
                rules = numbers.counted(len(self.document.project.rules), "rule")
                self._list.say(tr("{rules} written to {name}.", rules=rules, name=path.name))

    # Inside

    def _edit(self, label: Message, edit: Callable[[Project], Project]) -> None:
        """One step that can be undone; a refusal is shown over the list."""
        with errors_in_dialog(self._over):
            self.document.edit(label, edit(self.document.project))

    def _rule(self, rule_id: str) -> ClassRule:
        """The rule with this ID, which is there."""
        return next(rule for rule in self.document.project.rules if rule.rule_id == rule_id)

    def _classifications(self) -> tuple[Classification, ...]:
        """In the order of the project's workloads; empty while nothing is known of them."""
        evaluation = self._known
        if evaluation is None or evaluation.project.workloads is not self.document.project.workloads:
            return ()
        return tuple(row.classification for row in evaluation.audit.workloads)

    def _classes(self) -> Mapping[str, Pool]:
        """The class of each workload as it is decided now; empty before the first evaluation."""
        both = zip(self.document.project.workloads, self._classifications(), strict=False)
        return {workload.key: found.pool for workload, found in both}

    def _usd(self) -> Mapping[str, float | None]:
        """Dollars a month of each workload today, None where unknown; empty before the first evaluation."""
        rows = () if self._known is None else self._known.audit.workloads
        return {row.key: row.usd_per_month for row in rows}

    def _remember(self, evaluation: Evaluation) -> None:
        """Keeps the newest evaluation for classes and dollars."""
        self._known = evaluation

    def _fail(self, error: Exception) -> None:
        """Shows an error over the list, or over the window."""
        show_error(self._over, error)

    @property
    def _over(self) -> QWidget | None:
        """What dialogs stand over: the list of rules while it is open, else the window."""
        return self._list or self.session.window


def preview_rules(
    project: Project, rules: Sequence[ClassRule], tables: Tables, usd: Mapping[str, float | None]
) -> RulePreview:
    """Return what new or changed rules would change. Works out the present classes too."""
    now = classify(project.workloads, project.cube, project.labels, tables, project.rules)
    return rule_preview(project, class_rules.add_rules(project, rules).rules, tables, now, usd)


# --- Matching names in the window: asks what is one, reads the kept rows again where need be, keeps it for later


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
    after = same_names.say_same(same_names.take_back_same(project, gone), said)
    if gone or any(one.kind is not SameKind.MODEL for one in said):
        window = WindowRequest(start_s=project.window.start_s, end_s=project.window.end_s)
        after = rewindowed_project(after, rows_dir, window, on_progress, is_cancelled)
    after = respelled(after, gpu_families())
    for variant, ratio in mappings:
        after = model_mappings.set_mapping(after, variant.gpu_model, variant.offered, ratio)
    return after


class NamesFlow(QObject):
    """Told the session and the board. rows_dir: where job rows are kept."""

    def __init__(self, session: Session, board: Board, settings: Settings, rows_dir: Path) -> None:
        super().__init__(session.window)
        self.session, self.document = session, session.document
        self._settings, self._rows_dir = settings, rows_dir
        self._background = Background(self._fail, parent=self)
        session.asks.names_asked.connect(self.ask)
        board.names_apart_asked.connect(self.part_names)

    def ask(self) -> None:
        """Show the names side by side, and take what is said of them."""
        from gpuplanner.ui.plans.names_dialog import NamesDialog

        project, families = self.document.project, gpu_families()
        rows, variants = name_rows(project, families), variants_asked(project, families)
        dialog = NamesDialog(rows, variants, project.same, self.session.window)
        dialog.chosen.connect(self.take)
        exec_once(dialog)

    def ask_if_unmatched(self) -> None:
        """The matching step of an import: only where something has to be asked."""
        if unmatched(self.document.project, gpu_families()).is_any:
            self.ask()

    def part_names(self, keys: tuple[str, ...]) -> None:
        """Names that are alike but for digits become workloads of their own. keys: of the workloads that they are."""
        self.take(tuple(Same(SameKind.WORKLOAD, key, key) for key in keys), (), ())

    def take(
        self, said: tuple[Same, ...], gone: tuple[Same, ...], mappings: tuple[tuple[VariantAsked, float], ...]
    ) -> None:
        """Use the names: one step of Undo."""
        project, rows_dir = self.document.project, self._rows_dir
        if not (said or gone or mappings):
            return
        self._background.start(
            lambda told, is_cut: renamed_project(project, said, gone, mappings, rows_dir, told, is_cut),
            lambda after: self._put(project, after, said, gone),
        )

    def _put(self, before: Project, after: Project, said: tuple[Same, ...], gone: tuple[Same, ...]) -> None:
        """Puts the names matched or taken back as one step; not if the project changed while rows were read."""
        if self.document.project is not before:
            return  # something was changed meanwhile
        self._settings.remember_same(after.same)
        if said or not gone:
            label = labels.same_label(said) if said else worded("Let other GPUs serve")
        else:
            label = labels.same_label(gone, is_taken_back=True)
        self.document.edit(label, after)

    def _fail(self, error: Exception) -> None:
        """Shows a fault; of lost job rows with the remedy to import again."""
        if isinstance(error, PlannerError) and error.code == "file_missing":
            gone = worded("no job rows with these names on this computer")
            error = PlannerError(error.where, error.code, gone, worded("import the log again"))
        show_error(self.session.window, error)
