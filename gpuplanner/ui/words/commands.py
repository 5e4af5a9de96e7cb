"""Every command as one table: its menu, words, shortcut and sentence, when it can be asked for, and who does it.

Menus, command palette, tool tips, the dialog Keyboard and the guide's list of shortcuts are made of it; what is done by
keys inside one view stands below it.
"""

from collections.abc import Mapping
from typing import Final

from gpuplanner.charts.kit.plain_text import tr
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import dataclass

PROJECT: Final = "project"
PLAN: Final = "plan"


@dataclass(frozen=True, slots=True)
class Command:
    """One row of a menu; one without a title is a separator, a title with a slash is in a submenu.

    does: where the window has what carries it out, from the window on (`board.ask_split`; a signal is emitted); a
    submenu that is filled with other things has nobody. told: what that is told. needs: PROJECT or PLAN, what has to be
    shown for it to mean anything; "" where whoever does it knows himself. also: other words that people look for it by.
    """

    menu: str
    command_id: str = ""
    title: str = ""
    shortcut: str = ""
    tip: str = ""
    does: str = ""
    told: tuple[object, ...] = ()
    is_checkable: bool = False
    icon: str = ""
    needs: str = ""
    also: str = ""

    @property
    def parent(self) -> str:
        """The title of its submenu; "" where it stands in the menu itself."""
        return self.title.split("/")[0] if "/" in self.title else ""

    @property
    def name(self) -> str:
        """Its title in its submenu."""
        return self.title.split("/")[-1]


MENUS: Final = ("File", "Edit", "View", "Plan", "Panels", "Help")
COMMANDS: Final = (
    Command("File", "new", "New project", "Ctrl+N", "Start with nothing loaded",
            "session.asks.new_asked.emit", icon="document"),
    Command("File", "open", "Open project\u2026", "Ctrl+O", "Open a .gpuplan file",
            "session.asks.open_asked.emit", icon="folder"),
    Command("File", "recent", "Open recent/"),
    Command("File", "demo", "Open the demo", "Ctrl+Shift+D", "Three clusters, six months of jobs and a plan",
            "session.asks.demo_asked.emit"),
    Command("File"),
    Command("File", "import", "Import files\u2026", "Ctrl+I", "Job logs, contracts and price lists",
            "session.asks.import_asked.emit", icon="import", also="add load open log csv"),
    Command("File", "add_contracts", "Add contracts\u2026", "Ctrl+Alt+K",
            "What is paid for today: CSV, XLSX, or FOCUS contract commitments",
            "session.asks.contracts_asked.emit", icon="contract"),
    Command("File", "public_prices", "Use public prices\u2026", "Ctrl+Alt+I",
            "The rates with a public source that come with gpuplanner: enough to begin with, not a quote",
            "session.asks.public_prices_asked.emit"),
    Command("File"),
    Command("File", "save", "Save", "Ctrl+S", "Save the project", "session.asks.save_asked.emit",
            needs=PROJECT),
    Command("File", "save_as", "Save as\u2026", "Ctrl+Shift+S", "Save the project under another name",
            "session.asks.save_as_asked.emit", needs=PROJECT),
    Command("File"),
    Command("File", "export", "Export workbook\u2026", "Ctrl+E", "A workbook with live formulas",
            "session.asks.export_asked.emit", icon="export", needs=PROJECT,
            also="save excel xlsx spreadsheet"),
    Command("File", "export_focus", "Export FOCUS rows\u2026", "Ctrl+Shift+E",
            "What is to be bought, as FOCUS 1.3 contract commitments in CSV",
            "session.asks.export_focus_asked.emit", needs=PROJECT),
    Command("File", "export_calendar", "Export calendar\u2026", "Ctrl+Alt+L",
            "Deadlines with their dollars as an iCalendar file: order by, notice by, quotes, ends of contracts",
            "session.asks.export_calendar_asked.emit", needs=PLAN, also="ics ical outlook deadline notice"),
    Command("File", "export_requests", "Export requests for quote\u2026", "Ctrl+Alt+Q",
            "What is to be bought as files that vendors fill in, one each",
            "session.asks.export_requests_asked.emit", needs=PLAN, also="rfq vendor ask"),
    Command("File", "export_brief", "Export board brief\u2026", "Ctrl+Alt+E",
            "The plan on a few pages for those who decide, as PDF or PowerPoint",
            "session.asks.export_brief_asked.emit", needs=PLAN),
    Command("File", "export_statements", "Export team statements\u2026", "Ctrl+Alt+O",
            "What each team is charged for the window: a page a team as PDF, or FOCUS rows",
            "session.asks.export_statements_asked.emit", needs=PROJECT,
            also="chargeback showback who pays bill invoice team budget"),
    Command("File"),
    Command("File", "quit", "Quit", "Ctrl+Q", "Close the window", "close"),
    Command("Edit", "undo", "Undo", "Ctrl+Z", "Take the last step back", "session.document.undo_stack.undo",
            icon="undo"),
    Command("Edit", "redo", "Redo", "Ctrl+Shift+Z", "Do the step again", "session.document.undo_stack.redo",
            icon="redo"),
    Command("Edit"),
    Command("Edit", "move_training", "Move to training", "Alt+1", "Move the selected workloads",
            "board.move_selected", told=(Pool.TRAINING,), icon="train", needs=PLAN),
    Command("Edit", "move_inference", "Move to inference", "Alt+2", "Move the selected workloads",
            "board.move_selected", told=(Pool.INFERENCE,), icon="infer", needs=PLAN),
    Command("Edit", "move_burst", "Move to burst", "Alt+3", "Move the selected workloads",
            "board.move_selected", told=(Pool.BURST,), icon="burst", needs=PLAN),
    Command("Edit"),
    *(
        Command("Edit", f"label_{pool}", title, f"Ctrl+Alt+{at}", "Say what the selected workloads are",
                "board.label_selected", told=(pool,), needs=PROJECT)
        for at, pool, title in ((1, Pool.TRAINING, "Label as/Training"), (2, Pool.INFERENCE, "Label as/Inference"),
                                (3, Pool.BURST, "Label as/Burst"))
    ),
    Command("Edit", "pin", "Pin or unpin", "Ctrl+L", "Pinned cards stay when the rest is separated",
            "board.toggle_pin", icon="lock", needs=PLAN),
    Command("Edit"),
    Command("Edit", "split", "Split\u2026", "Ctrl+Alt+S", "Divide the card by share or by time, in this plan",
            "board.ask_split", icon="split", needs=PLAN),
    Command("Edit", "merge", "Merge parts", "Ctrl+Alt+M", "Make the parts of a card one again",
            "board.ask_merge", icon="merge", needs=PLAN),
    Command("Edit", "merge_cards", "Merge cards\u2026", "Ctrl+Alt+G",
            "Make the selected cards one, with a name, in this plan", "board.ask_merge_cards", needs=PLAN),
    Command("Edit", "take_apart", "Take apart", "Ctrl+Alt+U", "Make single cards again of a merged one",
            "board.ask_apart", needs=PLAN),
    Command("Edit", "date_stop", "When it is there/Stop this\u2026", "Ctrl+Alt+X",
            "Nothing of it is planned for from a day on, in this plan", "board.ask_dates", told=("stop",),
            needs=PLAN),
    Command("Edit", "date_end", "When it is there/Ends on\u2026", "Ctrl+Alt+W",
            "Its last day in this plan: nothing is signed for it beyond", "board.ask_dates", told=("end",),
            needs=PLAN),
    Command("Edit", "date_begin", "When it is there/Begins on\u2026", "Ctrl+Alt+B",
            "Its first day in this plan", "board.ask_dates", told=("begin",), needs=PLAN),
    Command("Edit", "date_back", "When it is there/It comes back", "Ctrl+Alt+R",
            "It is there again when the plan begins: that it stopped is no fall of demand", "board.ask_dates",
            told=("back",), needs=PLAN),
    Command("Edit", "date_clear", "When it is there/Clear its dates", "Ctrl+Alt+C",
            "It is there as the log has it", "board.ask_dates", told=("clear",), needs=PLAN),
    Command("Edit", "drop_planned", "Remove planned work", "",
            "Take the selected work that no log has out of this plan", "board.drop_planned", needs=PLAN),
    Command("Edit", "card_note", "Note\u2026", "Ctrl+Alt+N", "Write what is to be known about the card",
            "board_flow.write_note", icon="note", needs=PROJECT),
    Command("Edit", "details", "Card details", "F4", "What is known of the selected cards (also Enter)",
            "board.show_details", icon="info", needs=PROJECT),
    Command("Edit"),
    Command("Edit", "make_rule", "Make a rule\u2026", "Ctrl+R", "Say of every name like this what it is",
            "session.asks.rule_asked.emit", needs=PROJECT),
    Command("Edit", "rules", "Class rules\u2026", "Ctrl+Shift+R", "Your own rules: order, import, export",
            "session.asks.rules_asked.emit", needs=PROJECT),
    Command("Edit"),
    Command("Edit", "jobs", "Show jobs", "Ctrl+J", "The jobs of a card", "board.open_jobs", icon="job_log",
            needs=PROJECT),
    Command("Edit"),
    Command("Edit", "find", "Find workload", "Ctrl+F", "Search the board", "find_cards", icon="search",
            needs=PROJECT),
    Command("Edit", "clear_filter", "Clear filter", "Ctrl+Shift+F", "Show every card again",
            "board.clear_filter", icon="filter", needs=PROJECT),
    Command("View", "light", "Light", "", "The light palette", "choose_palette", told=("light",),
            is_checkable=True),
    Command("View", "dark", "Dark", "", "The dark palette", "choose_palette", told=("dark",),
            is_checkable=True),
    Command("View", "high contrast", "High contrast", "", "White and yellow on black", "choose_palette",
            told=("high contrast",), is_checkable=True),
    Command("View"),
    *(
        Command("View", f"numbers_{name}", title, "", tip, "session.asks.number_format_asked.emit", told=(name,),
                is_checkable=True)
        for name, title, tip in (("system", "Number format/System", "1,234.5 as this computer writes it"),
                                 ("english", "Number format/English", "Figures as 1,234.5"),
                                 ("german", "Number format/German", "Figures as 1.234,5"),
                                 ("french", "Number format/French", "Figures as 1\u202f234,5"))
    ),
    *(
        Command("View", f"language_{name}", f"Language/{title}", "", "The window's words, from the next start on",
                "session.asks.language_asked.emit", told=(name,), is_checkable=True, also="english german french")
        for name, title in (("system", "As this computer"), ("english", "English"), ("german", "Deutsch"),
                            ("french", "Fran\u00e7ais"))
    ),
    Command("View"),
    Command("View", "larger_text", "Larger text", "Ctrl++", "All of the window in larger text", "change_text_size",
            told=(1,), also="zoom font bigger"),
    Command("View", "smaller_text", "Smaller text", "Ctrl+-", "All of the window in smaller text", "change_text_size",
            told=(-1,), also="zoom font"),
    Command("View", "usual_text", "Usual text size", "Ctrl+0", "Text as large as at first", "change_text_size",
            told=(0,), also="zoom font reset"),
    Command("View"),
    Command("View", "checklist", "Checklist", "", "What is loaded, what is missing, and what it makes known",
            "turn_checklist", is_checkable=True),
    Command("View", "present", "Present", "F11",
            "Full screen: arrows turn the pages, L points, H hides names, Esc leaves",
            "session.asks.present_asked.emit", icon="present", needs=PROJECT),
    Command("View", "palette", "Find a command\u2026", "Ctrl+K",
            "Every action, panel, plan, workload and contract by name", "dialogs.open_palette",
            icon="search"),
    Command("View", "next_region", "Next region", "F6", "Move the keyboard to the next part of the window",
            "go_to_next_region"),
    Command("View", "why", "Why this number?", "F1", "Formula, inputs and rows of a figure",
            "why_flow.ask_of_focus", icon="why", needs=PROJECT),
    Command("Plan", "new_plan", "New plan", "Ctrl+Shift+N", "It starts from the plan shown",
            "session.gestures.add_plan", icon="plus", needs=PROJECT),
    Command("Plan", "rename_plan", "Rename plan\u2026", "F2", "Give the plan another name",
            "plans.ask_name", needs=PLAN),
    Command("Plan", "duplicate_plan", "Duplicate plan", "Ctrl+D", "A copy right beside it",
            "session.gestures.duplicate_plan", needs=PLAN),
    Command("Plan", "plan_left", "Move plan left", "Ctrl+Shift+Left", "Its tab one place left",
            "session.gestures.shift_plan", told=(-1,), needs=PLAN),
    Command("Plan", "plan_right", "Move plan right", "Ctrl+Shift+Right", "Its tab one place right",
            "session.gestures.shift_plan", told=(1,), needs=PLAN),
    Command("Plan", "delete_plan", "Delete plan", "", "Undo brings it back",
            "session.gestures.delete_plan", needs=PLAN),
    Command("Plan"),
    Command("Plan", "compare", "Compare plans", "Ctrl+Shift+C", "Two or three plans side by side",
            "plans.compare.turn", is_checkable=True, icon="compare", needs=PROJECT),
    Command("Plan", "what_if", "What if", "Ctrl+Shift+I",
            "Growth, prices, churn, traffic, models and mix, asked in a copy beside the plan", "plans.turn_what_if",
            is_checkable=True, needs=PLAN, also="question scenario grows price fall risk sensitivity month to start"),
    Command("Plan", "ask_change", "Ask for a dated change\u2026", "",
            "Demand or prices from a day on, in words: inference x2 by March", "plans.ask_in_words", needs=PLAN,
            also="double doubles halve twice growth grows h100 price cut fall cheaper rise"),
    Command("Plan", "keep_question", "Keep the question as a plan", "", "Named after what was asked",
            "plans.question.keep", needs=PLAN),
    Command("Plan", "discard_question", "Discard the question", "", "Back to the plan; Undo brings it back",
            "plans.question.discard", needs=PLAN),
    Command("Plan", "plan_work", "Add planned work\u2026", "Ctrl+Alt+P",
            "Work that no log has yet: GPUs, when in a week, from when to when", "board.planned_asked.emit",
            told=("",), icon="plus", needs=PLAN, also="new workload project team launch model a needs more gpus h100"),
    Command("Plan", "stop_team", "Stop a team's workloads\u2026", "Ctrl+Alt+H",
            "All that a team runs is over from a day on, in this plan; says first what that saves",
            "board.ask_team_stop", needs=PLAN, also="cut end cancel shut down department account project a"),
    Command("Plan", "limits", "Limits\u2026", "Ctrl+Shift+L",
            "Longest term, one provider's share, budget, power, who alone may serve; and what each costs",
            "levers.ask_limits", needs=PLAN,
            also="budget cap longest term max months provider share concentration site region pin move "
            "switch to another vendor constraint power fit kw"),
    Command("Plan", "change_demand", "Steps of demand\u2026", "Ctrl+Alt+V",
            "More or less demand from a day on: of a workload, a class or all", "board.ask_demand",
            needs=PLAN),
    Command("Plan", "note", "Note a decision", "Ctrl+Shift+M", "Say why, in the History panel",
            "plans.history.note", needs=PLAN),
    Command("Plan"),
    Command("Plan", "separate", "Separate automatically", "Ctrl+Shift+P",
            "Every card that is not pinned into its class's pool", "board_flow.ask_separation",
            icon="separate", needs=PLAN),
    Command("Plan", "use_advice", "Use advice", "Ctrl+Shift+A", "Let go of the levels set by you",
            "docks.duration.ask_advice", needs=PLAN),
    Command("Plan", "greenfield", "Plan without existing contracts", "Ctrl+Shift+G",
            "As if no contract were there: what would be bought on a green field",
            "session.gestures.turn_greenfield", is_checkable=True, needs=PLAN),
    Command("Plan", "window", "Window of the log\u2026", "Ctrl+Shift+W", "The past that is looked at",
            "session.asks.window_asked.emit", needs=PROJECT),
    Command("Plan", "names", "Match names\u2026", "",
            "GPU models and clusters of log, contracts and prices: what is one",
            "session.asks.names_asked.emit", needs=PROJECT),
    Command("Plan", "plan_from", "Plan from\u2026", "",
            "The day that plans begin: the end of the log, today or another", "dialogs.choose_plan_from",
            needs=PROJECT, also="when to start which month later order delay wait postpone"),
    Command("Plan", "currency", "Currency\u2026", "",
            "What amounts are in, and the rates of exchange that you state", "dialogs.choose_currency",
            needs=PROJECT, also="euro dollar pound franc yen exchange rate fx falls rises"),
    Command("Plan", "assumptions", "Assumptions\u2026", "Ctrl+,", "Growth, churn, prices and the rest",
            "dialogs.open_assumptions", needs=PROJECT,
            also="settings provider limit longest term budget power carbon headroom no spot churn interruptions "
            "sign nothing wait months cheapest month to start"),
    Command("Plan"),
    Command("Plan", "scenarios", "Go to/"),
    Command("Panels", "maximise_panel", "Maximise panel", "Ctrl+M",
            "Give the panel in hand the room of the board (also a double click on its tab); Esc puts it back",
            "docks.turn_maximised", needs=PROJECT, also="enlarge full bigger zoom"),
    Command("Panels", "close_panel", "Close panel", "Ctrl+W", "Close the panel in hand; its key opens it again",
            "docks.close_panel", needs=PROJECT, also="hide"),
    Command("Panels"),
    Command("Help", "keys", "Keyboard", "Ctrl+F1", "Every shortcut", "dialogs.show_keys"),
    Command("Help", "guide", "Guide", "Shift+F1", "The page about the panel or dialog in hand",
            "dialogs.show_guide", also="manual documentation how to read help"),
    Command("Help", "faq", "Why not?", "", "Dashes, refusals and advice that surprises", "dialogs.show_document",
            told=("faq", worded("Why not?")), also="faq refused unknown missing dash"),
    Command("Help", "questions", "What a meeting asks", "", "Questions with the hands that answer them",
            "dialogs.show_document", told=("questions", worded("What a meeting asks")), also="faq questions answers"),
    Command("Help", "words", "Words", "", "What idle, unused, stranded and inactive mean here",
            "dialogs.show_words"),
    Command("Help", "tour", "Take the tour", "", "The parts of the window, in under a minute",
            "session.asks.tour_asked.emit", needs=PROJECT),
    Command("Help", "about", "About gpuplanner", "", "Version and licence", "dialogs.show_about"),
)  # fmt: skip
"""In the order of the menus."""

COMMAND: Final[Mapping[str, Command]] = {row.command_id: row for row in COMMANDS if row.title}
"""By its id."""


def keys_of(command_id: str) -> str:
    """The shortcut of a command, as it is pressed."""
    return COMMAND[command_id].shortcut


def with_keys(tip: str, command_id: str) -> str:
    """What a control says that does the same as a command, and the command's shortcut: Show every card (Ctrl+F)."""
    return tr("{tip} ({shortcut})", tip=tip, shortcut=keys_of(command_id))


def plan_keys(number: int) -> str:
    """The shortcut of Today (1) and of the plans (from 2); those after the ninth have none."""
    return f"Ctrl+{number}" if number < 10 else ""


MOVES: Final = worded(
    "{training}, {inference} or {burst}",
    training=keys_of("move_training"),
    inference=keys_of("move_inference"),
    burst=keys_of("move_burst"),
)
"""What moves the selected cards."""

OPEN, SELECT_ALL, TABLE, COPY_TABLE = "Return", "Ctrl+A", "Ctrl+T", "Ctrl+C"
COPY_PICTURE, EXPORT_PICTURE = "Ctrl+Shift+Y", "Ctrl+Shift+X"
COPY_OFFER: Final = "Ctrl+Alt+D"
ACCEPT: Final = "Ctrl+Enter"


@dataclass(frozen=True, slots=True)
class ViewKeys:
    """Keys that one kind of view takes for itself: where, what they do there, and which they are."""

    place: Message
    what: Message
    keys: Text


VIEW_KEYS: Final = (
    ViewKeys(worded("Board"), worded("Between cards and columns"), worded("Arrows")),
    ViewKeys(worded("Board"), worded("Select a card; fold a group"), worded("Space")),
    ViewKeys(
        worded("Board"),
        worded("Select the column; all that is shown"),
        worded("{keys}; again", keys=SELECT_ALL),
    ),
    ViewKeys(worded("Board"), worded("Details of a card"), worded("Enter, {keys}", keys=keys_of("details"))),
    ViewKeys(worded("Board"), worded("Select what a band meets"), worded("Shift and drag")),
    ViewKeys(worded("Board"), worded("Cancel a drag"), worded("Esc")),
    ViewKeys(worded("Review"), worded("It is training, inference or burst"), worded("T, I, B")),
    ViewKeys(worded("Review"), worded("Why it is asked"), worded("Enter")),
    ViewKeys(
        worded("Audit"), worded("Why a figure is what it is"), worded("Enter, {keys}", keys=keys_of("why"))
    ),
    ViewKeys(worded("Charts"), worded("A chart as a table, and back"), TABLE),
    ViewKeys(
        worded("Charts"), worded("Move the crosshair, by one; by ten"), worded("Left, Right; Page up, down")
    ),
    ViewKeys(
        worded("Charts"),
        worded("See a part, more, all; move along"),
        worded("+, \u2212, Home; Shift+Left, Right"),
    ),
    ViewKeys(worded("Charts"), worded("Hide or show a series, from the top"), "1 \u2026 9"),
    ViewKeys(
        worded("Charts"),
        worded("Copy the picture, export it"),
        worded("{copy}, {export}", copy=COPY_PICTURE, export=EXPORT_PICTURE),
    ),
    ViewKeys(
        worded("Duration"), worded("Change a layer by its edge or size; by 8"), worded("Up, Down; Shift")
    ),
    ViewKeys(
        worded("Plan"),
        worded("Today and the plans"),
        worded("{first} \u2026 {last}", first=plan_keys(1), last=plan_keys(9)),
    ),
    ViewKeys(
        worded("Present"),
        worded("Next and last page; first and last; page 12"),
        worded("Arrows, Page up/down; Home, End; 1 2 Enter"),
    ),
    ViewKeys(worded("Present"), worded("Red dot, spotlight, none"), "L"),
    ViewKeys(worded("Present"), worded("Hide names, show them"), "H"),
    ViewKeys(worded("Present"), worded("Leave"), worded("Esc, {keys}", keys=keys_of("present"))),
)
"""As the dialog Keyboard lists them below the commands; those of panels stand with the panels."""
