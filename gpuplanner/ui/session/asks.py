"""What a window asks of those who work with files, settings and the program: one signal each."""

from PySide6.QtCore import QObject, Signal


class Asks(QObject):
    """Emitted by whatever the planner presses; heard by the flows, who connect themselves."""

    new_asked = Signal()
    open_asked = Signal()
    open_path_asked = Signal(str)
    demo_asked = Signal()
    import_asked = Signal()
    contracts_asked = Signal()
    public_prices_asked = Signal()
    files_dropped = Signal(list)  # paths
    save_asked = Signal()
    save_as_asked = Signal()
    export_asked = Signal()
    export_focus_asked = Signal()
    export_brief_asked = Signal()
    jobs_asked = Signal(object)  # CardFigures whose jobs are to be seen
    merged_jobs_asked = Signal(object, object)  # merged CardFigures, and names of its workloads by key
    jobs_in_hours_asked = Signal(
        object, object, str
    )  # CardFigures, the hours that count (None: all), in words
    rows_asked = Signal(
        object, object, object
    )  # CardFigures, and the start and end (epoch s) of the jobs to be seen
    traffic_asked = Signal(str)  # key of the endpoint whose requests are to be read from a file
    window_asked = Signal()
    names_asked = Signal()  # what is one though it has two names
    rule_asked = Signal()  # a rule from what was decided last, or from the selected cards
    rules_asked = Signal()
    present_asked = Signal()
    tour_asked = Signal()
    today_view_chosen = Signal(str)
    number_format_asked = Signal(str)
    palette_chosen = Signal(str)
    board_view_changed = Signal(str)  # how the board is looked at, as text to be remembered
    close_asked = Signal(object)  # QCloseEvent: ignore it to stay
