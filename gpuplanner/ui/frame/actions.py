"""Every action of the window as one table: its menu, words, shortcut and sentence."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.ui.words.date_verbs import DATE_VERBS, DEMAND_KEY, PLANNED_KEY, WHEN
from gpuplanner.ui.words.translation import spoken, tr

PROJECT: Final = "project"
PLAN: Final = "plan"


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One row: `action_id` names it in code; an empty title is a separator; a title with a slash is in a submenu."""

    menu: str
    action_id: str
    title: str
    shortcut: str = ""
    tip: str = ""
    checkable: bool = False
    icon: str = ""
    needs: str = ""  # PROJECT or PLAN: what has to be shown for it to mean anything


ACTIONS: Final = (
    ActionSpec("File", "new", "New project", "Ctrl+N", "Start with nothing loaded", icon="document"),
    ActionSpec("File", "open", "Open project\u2026", "Ctrl+O", "Open a .gpuplan file", icon="folder"),
    ActionSpec("File", "recent", "Open recent/"),
    ActionSpec("File", "demo", "Open the demo", "Ctrl+Shift+D", "Three clusters, six months of jobs and a plan"),
    ActionSpec("File", "", ""),
    ActionSpec("File", "import", "Import files\u2026", "Ctrl+I", "Job logs, contracts and price lists", icon="import"),
    ActionSpec("File", "add_contracts", "Add contracts\u2026", "Ctrl+Alt+K",
               "What is paid for today: CSV, XLSX, or FOCUS contract commitments", icon="contract"),
    ActionSpec("File", "public_prices", "Use public prices\u2026", "Ctrl+Alt+I",
               "The rates with a public source that come with gpuplanner: enough to begin with, not a quote"),
    ActionSpec("File", "", ""),
    ActionSpec("File", "save", "Save", "Ctrl+S", "Save the project", needs=PROJECT),
    ActionSpec("File", "save_as", "Save as\u2026", "Ctrl+Shift+S",
               "Save the project under another name", needs=PROJECT),
    ActionSpec("File", "", ""),
    ActionSpec("File", "export", "Export workbook\u2026", "Ctrl+E",
               "A workbook with live formulas", icon="export", needs=PROJECT),
    ActionSpec("File", "export_focus", "Export FOCUS rows\u2026", "Ctrl+Shift+E",
               "What is to be bought, as FOCUS 1.3 contract commitments in CSV", needs=PROJECT),
    ActionSpec("File", "export_brief", "Export board brief\u2026", "Ctrl+Alt+E",
               "Six pages for those who decide, as PDF or PowerPoint", needs=PLAN),
    ActionSpec("File", "", ""),
    ActionSpec("File", "quit", "Quit", "Ctrl+Q", "Close the window"),
    ActionSpec("Edit", "undo", "Undo", "Ctrl+Z", "Take the last step back", icon="undo"),
    ActionSpec("Edit", "redo", "Redo", "Ctrl+Shift+Z", "Do the step again", icon="redo"),
    ActionSpec("Edit", "", ""),
    ActionSpec("Edit", "move_training", "Move to training", "Alt+1",
               "Move the selected workloads", icon="train", needs=PLAN),
    ActionSpec("Edit", "move_inference", "Move to inference", "Alt+2",
               "Move the selected workloads", icon="infer", needs=PLAN),
    ActionSpec("Edit", "move_burst", "Move to burst", "Alt+3", "Move the selected workloads", icon="burst", needs=PLAN),
    ActionSpec("Edit", "", ""),
    ActionSpec("Edit", "label_training", "Label as/Training", "Ctrl+Alt+1",
               "Say what the selected workloads are", needs=PROJECT),
    ActionSpec("Edit", "label_inference", "Label as/Inference", "Ctrl+Alt+2",
               "Say what the selected workloads are", needs=PROJECT),
    ActionSpec("Edit", "label_burst", "Label as/Burst", "Ctrl+Alt+3",
               "Say what the selected workloads are", needs=PROJECT),
    ActionSpec("Edit", "pin", "Pin or unpin", "Ctrl+L",
               "Pinned cards stay when the rest is separated", icon="lock", needs=PLAN),
    ActionSpec("Edit", "", ""),
    ActionSpec("Edit", "split", "Split\u2026", "Ctrl+Alt+S",
               "Divide the card by share or by time, in this plan", icon="split", needs=PLAN),
    ActionSpec("Edit", "merge", "Merge parts", "Ctrl+Alt+M",
               "Make the parts of a card one again", icon="merge", needs=PLAN),
    ActionSpec("Edit", "merge_cards", "Merge cards\u2026", "Ctrl+Alt+G",
               "Make the selected cards one, with a name, in this plan", needs=PLAN),
    ActionSpec("Edit", "take_apart", "Take apart", "Ctrl+Alt+U",
               "Make single cards again of a merged one", needs=PLAN),
    *(
        ActionSpec("Edit", f"date_{name}", "/".join((WHEN, verb.title)), verb.shortcut, verb.tip, needs=PLAN)
        for name, verb in DATE_VERBS.items()
    ),
    ActionSpec("Edit", "drop_planned", "Remove planned work", "",
               "Take the selected work that no log has out of this plan", needs=PLAN),
    ActionSpec("Edit", "card_note", "Note\u2026", "Ctrl+Alt+N",
               "Write what is to be known about the card", icon="note", needs=PROJECT),
    ActionSpec("Edit", "details", "Card details", "F4",
               "What is known of the selected cards (also Enter)", icon="info", needs=PROJECT),
    ActionSpec("Edit", "", ""),
    ActionSpec("Edit", "make_rule", "Make a rule\u2026", "Ctrl+R",
               "Say of every name like this what it is", needs=PROJECT),
    ActionSpec("Edit", "rules", "Class rules\u2026", "Ctrl+Shift+R",
               "Your own rules: order, import, export", needs=PROJECT),
    ActionSpec("Edit", "", ""),
    ActionSpec("Edit", "jobs", "Show jobs", "Ctrl+J", "The jobs of a card", icon="job_log", needs=PROJECT),
    ActionSpec("Edit", "", ""),
    ActionSpec("Edit", "find", "Find workload", "Ctrl+F", "Search the board", icon="search", needs=PROJECT),
    ActionSpec("Edit", "clear_filter", "Clear filter", "Ctrl+Shift+F",
               "Show every card again", icon="filter", needs=PROJECT),
    ActionSpec("View", "light", "Light", "", "The light palette", True),
    ActionSpec("View", "dark", "Dark", "", "The dark palette", True),
    ActionSpec("View", "high contrast", "High contrast", "", "White and yellow on black", True),
    ActionSpec("View", "", ""),
    ActionSpec("View", "numbers_system", "Number format/System", "", "1,234.5 as this computer writes it", True),
    ActionSpec("View", "numbers_english", "Number format/English", "", "Figures as 1,234.5", True),
    ActionSpec("View", "numbers_german", "Number format/German", "", "Figures as 1.234,5", True),
    ActionSpec("View", "numbers_french", "Number format/French", "", "Figures as 1\u202f234,5", True),
    ActionSpec("View", "", ""),
    ActionSpec("View", "checklist", "Checklist", "",
               "What is loaded, what is missing, and what it makes known", True),
    ActionSpec("View", "present", "Present", "F11",
               "Full screen: arrows change the scene, L points, H hides names, Esc leaves",
               icon="present", needs=PROJECT),
    ActionSpec("View", "palette", "Find a command\u2026", "Ctrl+K",
               "Every action, panel, plan, workload and contract by name", icon="search"),
    ActionSpec("View", "next_region", "Next region", "F6", "Move the keyboard to the next part of the window"),
    ActionSpec("View", "why", "Why this number?", "F1",
               "Formula, inputs and rows of a figure", icon="why", needs=PROJECT),
    ActionSpec("Scenario", "new_plan", "New plan", "Ctrl+Shift+N",
               "It starts from the plan shown", icon="plus", needs=PROJECT),
    ActionSpec("Scenario", "rename_plan", "Rename plan\u2026", "F2", "Give the plan another name", needs=PLAN),
    ActionSpec("Scenario", "duplicate_plan", "Duplicate plan", "Ctrl+D", "A copy right beside it", needs=PLAN),
    ActionSpec("Scenario", "plan_left", "Move plan left", "Ctrl+Shift+Left", "Its tab one place left", needs=PLAN),
    ActionSpec("Scenario", "plan_right", "Move plan right", "Ctrl+Shift+Right", "Its tab one place right", needs=PLAN),
    ActionSpec("Scenario", "delete_plan", "Delete plan", "", "Undo brings it back", needs=PLAN),
    ActionSpec("Scenario", "", ""),
    ActionSpec("Scenario", "compare", "Compare plans", "Ctrl+Shift+C",
               "Two or three plans side by side", True, icon="compare", needs=PROJECT),
    ActionSpec("Scenario", "what_if", "What if", "Ctrl+Shift+I",
               "Growth, prices, churn, traffic, models and mix on sliders", True, needs=PLAN),
    ActionSpec("Scenario", "plan_work", "Add planned work\u2026", PLANNED_KEY,
               "Work that no log has yet: GPUs, when in a week, from when to when", icon="plus", needs=PLAN),
    ActionSpec("Scenario", "change_demand", "Steps of demand\u2026", DEMAND_KEY,
               "More or less demand from a day on: of a workload, a class or all", needs=PLAN),
    ActionSpec("Scenario", "note", "Note a decision", "Ctrl+Shift+M",
               "Say why, in the History panel", needs=PLAN),
    ActionSpec("Scenario", "", ""),
    ActionSpec("Scenario", "separate", "Separate automatically", "Ctrl+Shift+P",
               "Every card that is not pinned into its class's pool", icon="separate", needs=PLAN),
    ActionSpec("Scenario", "use_advice", "Use advice", "Ctrl+Shift+A", "Let go of the levels set by you", needs=PLAN),
    ActionSpec("Scenario", "greenfield", "Plan without existing contracts", "Ctrl+Shift+G",
               "As if no contract were there: what would be bought on a green field", True, needs=PLAN),
    ActionSpec("Scenario", "window", "Window of the log\u2026", "Ctrl+Shift+W",
               "The past that is looked at", needs=PROJECT),
    ActionSpec("Scenario", "names", "Match names\u2026", "",
               "GPU models and clusters of log, contracts and prices: what is one", needs=PROJECT),
    ActionSpec("Scenario", "plan_from", "Plan from\u2026", "",
               "The day that plans begin: the end of the log, today or another", needs=PROJECT),
    ActionSpec("Scenario", "assumptions", "Assumptions\u2026", "Ctrl+,",
               "Growth, churn, prices and the rest", needs=PROJECT),
    ActionSpec("Scenario", "", ""),
    ActionSpec("Scenario", "scenarios", "Go to/"),
    ActionSpec("Help", "keys", "Keyboard", "Ctrl+F1", "Every shortcut"),
    ActionSpec("Help", "words", "Words", "", "What idle, unused, stranded and inactive mean here"),
    ActionSpec("Help", "tour", "Take the tour", "", "The parts of the window, in under a minute", needs=PROJECT),
    ActionSpec("Help", "about", "About gpuplanner", "", "Version and licence"),
)  # fmt: skip

MENUS: Final = ("File", "Edit", "View", "Scenario", "Panels", "Help")


def build_menus(bar: QMenuBar, owner: QWidget) -> tuple[dict[str, QAction], dict[str, QMenu]]:
    """Fill a menu bar; returns the actions by id and the menus by title (submenus as "File/Open recent")."""
    actions: dict[str, QAction] = {}
    menus = {title: bar.addMenu(tr(title)) for title in MENUS}
    for spec in ACTIONS:
        menu = menus[spec.menu]
        if not spec.title:
            menu.addSeparator()
            continue
        title = spec.title
        if "/" in title:
            parent, title = title.split("/")
            path = f"{spec.menu}/{parent}"
            if path not in menus:
                menus[path] = menu.addMenu(tr(parent))
            menu = menus[path]
            if not title:
                continue
        action = QAction(tr(title), owner)
        action.setCheckable(spec.checkable)
        if spec.shortcut:
            action.setShortcut(QKeySequence(spec.shortcut))
        tip = tr(spec.tip)
        set_tip(
            action,
            tr("{tip} ({shortcut})", tip=tip, shortcut=spec.shortcut) if spec.shortcut else spoken(tip),
        )
        action.setStatusTip("")
        menu.addAction(action)
        actions[spec.action_id] = action
    for menu in menus.values():
        menu.setToolTipsVisible(True)
    return actions, menus


def enable_actions(actions: dict[str, QAction], *, has_project: bool, is_plan: bool) -> None:
    """Only what means something now can be asked for."""
    is_met = {PROJECT: has_project, PLAN: is_plan}
    for spec in ACTIONS:
        if spec.needs:  # who undoes, say, knows himself when he can
            actions[spec.action_id].setEnabled(is_met[spec.needs])
