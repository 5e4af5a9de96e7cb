"""What the actions of the menus do: a table of the window's actions and who carries each out."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QActionGroup
from shiboken6 import isValid

from gpuplanner.app.document import step_name
from gpuplanner.charts.shown_text import on_button
from gpuplanner.domain.model.pool import POOLS
from gpuplanner.domain.model.scenario import TODAY
from gpuplanner.ui.date_verbs import DATE_VERBS
from gpuplanner.ui.dialog_size import stand_below
from gpuplanner.ui.localized import localized
from gpuplanner.ui.said import said
from gpuplanner.ui.theme import PALETTES

if TYPE_CHECKING:
    from gpuplanner.ui.main_window import MainWindow


def connect_actions(window: "MainWindow") -> None:
    """Let every action of the menus of a window whose views stand do its work."""
    for action_id, handler in _handlers(window).items():
        window.actions_by_id[action_id].triggered.connect(lambda _=False, handler=handler: handler())
    group = QActionGroup(window)
    for name in PALETTES:
        group.addAction(window.actions_by_id[name])
    _follow_undo_stack(window)


def choose_plan_from(window: "MainWindow") -> None:
    """Ask when the plan begins."""
    from gpuplanner.ui.plan_from_flow import choose_plan_from as choose

    choose(window)


def _handlers(window: "MainWindow") -> dict[str, Callable[[], object]]:
    board, stack = window.board, window.document.undo_stack
    return {
        "new": window.new_asked.emit,
        "open": window.open_asked.emit,
        "demo": window.demo_asked.emit,
        "import": window.import_asked.emit,
        "add_contracts": window.contracts_asked.emit,
        "public_prices": window.public_prices_asked.emit,
        "checklist": window.turn_checklist,
        "save": window.save_asked.emit,
        "save_as": window.save_as_asked.emit,
        "export": window.export_asked.emit,
        "export_focus": window.export_focus_asked.emit,
        "export_brief": window.export_brief_asked.emit,
        "quit": window.close,
        "undo": stack.undo,
        "redo": stack.redo,
        "pin": board.toggle_pin,
        "find": window.find_cards,
        "jobs": board.open_jobs,
        "window": window.window_asked.emit,
        "names": window.names_asked.emit,
        "make_rule": window.rule_asked.emit,
        "rules": window.rules_asked.emit,
        "next_region": window.go_to_next_region,
        "why": window.why_flow.ask_of_focus,
        "separate": window.board_flow.ask_separation,
        "split": board.ask_split,
        "merge": board.ask_merge,
        "merge_cards": board.ask_merge_cards,
        "take_apart": board.ask_apart,
        **{f"date_{name}": partial(board.ask_dates, name) for name in DATE_VERBS},
        "drop_planned": board.drop_planned,
        "plan_work": partial(board.planned_asked.emit, ""),
        "change_demand": board.ask_demand,
        "card_note": window.board_flow.write_note,
        "details": board.show_details,
        "clear_filter": board.clear_filter,
        "use_advice": window.docks.duration.ask_advice,
        "greenfield": window.gestures.turn_greenfield,
        "plan_from": partial(choose_plan_from, window),
        "assumptions": partial(_open_assumptions, window),
        "words": partial(_show_words, window),
        "keys": partial(_show_keys, window),
        "about": partial(_show_about, window),
        **{f"move_{pool}": partial(board.move_selected, pool) for pool in POOLS},
        **{f"label_{pool}": partial(board.label_selected, pool) for pool in POOLS},
        **{name: partial(window.choose_palette, name) for name in PALETTES},
    }


def _follow_undo_stack(window: "MainWindow") -> None:
    stack = window.document.undo_stack
    for action_id, can_changed, text_changed, can, text in (
        ("undo", stack.canUndoChanged, stack.undoTextChanged, stack.canUndo(), stack.undoText()),
        ("redo", stack.canRedoChanged, stack.redoTextChanged, stack.canRedo(), stack.redoText()),
    ):
        action = window.actions_by_id[action_id]
        can_changed.connect(action.setEnabled)
        text_changed.connect(partial(_name_step, window, action_id))
        action.setEnabled(can)
        _name_step(window, action_id, text)


def _name_step(window: "MainWindow", action_id: str, text: str) -> None:
    action = window.actions_by_id[action_id]
    if isValid(action):  # the stack says goodbye after the menus are gone
        stack = window.document.undo_stack
        at = stack.index() - (action_id == "undo") if text else -1
        step = localized(step_name(stack, at) or text)
        title = said("Undo {step}", step=step) if action_id == "undo" else said("Redo {step}", step=step)
        action.setText(on_button(title.strip()))


def _open_assumptions(window: "MainWindow") -> None:
    from gpuplanner.ui.assumptions_dialog import AssumptionsDialog

    scenario = None if window.scenario == TODAY else window.scenario
    dialog = AssumptionsDialog(window.document.project, scenario, window.palette_in_use, window)
    stand_below(dialog, window.headline)  # what an assumption changes is seen there
    dialog.assumption_changed.connect(window.gestures.set_assumption)
    dialog.plan_from_asked.connect(partial(choose_plan_from, window))
    dialog.demand_asked.connect(partial(window.dated.ask_demand, "", dialog))
    window.document.changed.connect(dialog.show_project)
    dialog.exec()


def _show_words(window: "MainWindow") -> None:
    from gpuplanner.ui.glossary_dialog import GlossaryDialog

    GlossaryDialog(window).exec()


def _show_keys(window: "MainWindow") -> None:
    from gpuplanner.ui.about import KeysDialog

    KeysDialog(window.palette_in_use, window).exec()


def _show_about(window: "MainWindow") -> None:
    from gpuplanner.ui.about import AboutDialog

    AboutDialog(window.palette_in_use, window).exec()
