"""What the actions of the menus do: a table of them and who carries each out."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtGui import QAction, QActionGroup, QUndoStack
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from gpuplanner.app.document import step_name
from gpuplanner.charts.kit.plain_text import on_button
from gpuplanner.domain.model.pool import POOLS
from gpuplanner.domain.model.scenario.plan_inputs import TODAY
from gpuplanner.ui.board.board import Board
from gpuplanner.ui.flows.dated_flow import DatedFlow
from gpuplanner.ui.flows.plan_from_flow import choose_plan_from
from gpuplanner.ui.kit.dialogs import stand_below
from gpuplanner.ui.kit.theme import PALETTES
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.words.date_verbs import DATE_VERBS
from gpuplanner.ui.words.localized import localized
from gpuplanner.ui.words.translation import tr

Handlers = Mapping[str, Callable[[], object]]
"""By an action's id, what it does."""


def connect_actions(session: Session, by_id: Mapping[str, QAction], board: Board, others: Handlers) -> None:
    """Let every action of the menus do its work. others: of those that this table does not know."""
    for action_id, handler in {**_of_session(session), **_of_board(board), **others}.items():
        by_id[action_id].triggered.connect(lambda _=False, handler=handler: handler())
    group = QActionGroup(session)
    for name in PALETTES:
        group.addAction(by_id[name])
    _follow_undo_stack(session.document.undo_stack, by_id)


def _of_session(session: Session) -> Handlers:
    asks, stack = session.asks, session.document.undo_stack
    return {
        "new": asks.new_asked.emit,
        "open": asks.open_asked.emit,
        "demo": asks.demo_asked.emit,
        "import": asks.import_asked.emit,
        "add_contracts": asks.contracts_asked.emit,
        "public_prices": asks.public_prices_asked.emit,
        "save": asks.save_asked.emit,
        "save_as": asks.save_as_asked.emit,
        "export": asks.export_asked.emit,
        "export_focus": asks.export_focus_asked.emit,
        "export_brief": asks.export_brief_asked.emit,
        "undo": stack.undo,
        "redo": stack.redo,
        "window": asks.window_asked.emit,
        "names": asks.names_asked.emit,
        "make_rule": asks.rule_asked.emit,
        "rules": asks.rules_asked.emit,
        "greenfield": session.gestures.turn_greenfield,
        "plan_from": partial(choose_plan_from, session),
        "words": partial(_show_words, session),
        "keys": partial(_show_keys, session),
        "about": partial(_show_about, session),
    }


def _of_board(board: Board) -> Handlers:
    return {
        "pin": board.toggle_pin,
        "jobs": board.open_jobs,
        "split": board.ask_split,
        "merge": board.ask_merge,
        "merge_cards": board.ask_merge_cards,
        "take_apart": board.ask_apart,
        **{f"date_{name}": partial(board.ask_dates, name) for name in DATE_VERBS},
        "drop_planned": board.drop_planned,
        "plan_work": partial(board.planned_asked.emit, ""),
        "change_demand": board.ask_demand,
        "details": board.show_details,
        "clear_filter": board.clear_filter,
        **{f"move_{pool}": partial(board.move_selected, pool) for pool in POOLS},
        **{f"label_{pool}": partial(board.label_selected, pool) for pool in POOLS},
    }


def _follow_undo_stack(stack: QUndoStack, by_id: Mapping[str, QAction]) -> None:
    for action_id, can_changed, text_changed, can, text in (
        ("undo", stack.canUndoChanged, stack.undoTextChanged, stack.canUndo(), stack.undoText()),
        ("redo", stack.canRedoChanged, stack.redoTextChanged, stack.canRedo(), stack.redoText()),
    ):
        action = by_id[action_id]
        can_changed.connect(action.setEnabled)
        text_changed.connect(partial(_name_step, stack, action, action_id == "undo"))
        action.setEnabled(can)
        _name_step(stack, action, action_id == "undo", text)


def _name_step(stack: QUndoStack, action: QAction, is_undo: bool, text: str) -> None:
    if isValid(action):  # the stack says goodbye after the menus are gone
        at = stack.index() - is_undo if text else -1
        step = localized(step_name(stack, at) or text)
        title = tr("Undo {step}", step=step) if is_undo else tr("Redo {step}", step=step)
        action.setText(on_button(title.strip()))


def open_assumptions(session: Session, dated: DatedFlow, headline: QWidget) -> None:
    """Let assumptions be changed, of the plan that is shown, or of all."""
    from gpuplanner.ui.plans.assumptions_dialog import AssumptionsDialog

    scenario = None if session.scenario == TODAY else session.scenario
    dialog = AssumptionsDialog(session.document.project, scenario, session.palette, session.window)
    stand_below(dialog, headline)  # what an assumption changes is seen there
    dialog.assumption_changed.connect(session.gestures.set_assumption)
    dialog.plan_from_asked.connect(partial(choose_plan_from, session))
    dialog.demand_asked.connect(partial(dated.ask_demand, "", dialog))
    session.document.changed.connect(dialog.show_project)
    dialog.exec()


def _show_words(session: Session) -> None:
    from gpuplanner.ui.window.glossary_dialog import GlossaryDialog

    GlossaryDialog(session.window).exec()


def _show_keys(session: Session) -> None:
    from gpuplanner.ui.window.about import KeysDialog

    KeysDialog(session.palette, session.window).exec()


def _show_about(session: Session) -> None:
    from gpuplanner.ui.window.about import AboutDialog

    AboutDialog(session.palette, session.window).exec()
