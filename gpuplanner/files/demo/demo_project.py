"""The demo as a project: its inputs written to a folder, read like any others, with two plans."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from gpuplanner.domain.edits.endpoints import set_served_model, set_week
from gpuplanner.domain.edits.plans import add_decision, add_plan
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.places import NO_PLACES, WeekRates
from gpuplanner.domain.model.plan.scenario import AS_TODAY, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.files.demo.days import DemoDays
from gpuplanner.files.demo.demo_files import write_demo
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.lists import place_tables, served_models, traffic_tables
from gpuplanner.files.system import engine, resources
from gpuplanner.lazy_dataclass import replace

PLANS: Final = ("Plan A \u00b7 Separate", "Plan B \u00b7 New terms only")
NOTE: Final = (
    worded("Same pools as today, new terms"),
    worded("Savings from orders alone. Plan A also separates pools."),
)
"""Of the second plan: what it is, and what for."""
SERVED_ENDPOINT: Final = "atlas/chat/vllm-chat-prod"
SERVED_MODEL: Final = "Llama 3.1 70B"
INPUTS: Final = ("jobs.csv", "contracts.csv", "prices.csv")


def make_demo(
    folder: Path,
    days: DemoDays,
    on_progress: engine.Progress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
    *,
    rows_dir: Path | None = None,
    is_folder_ours: bool = False,
) -> Project:
    """Write the demo's inputs into `folder` (made where missing) and read them: for a day the same project every time.

    It takes seconds. rows_dir: where its job rows are kept for drill-down. is_folder_ours: as for write_demo.
    Errors: PlannerError where the folder cannot be written; Cancelled.
    """

    def tell(fraction: float, text: Text) -> None:
        """Reports how far the demo is, 0 to 1, if somebody asked for it."""
        if on_progress is not None:
            on_progress(fraction, text)

    tell(0.05, "writing the demo's log")
    write_demo(folder, days, is_folder_ours=is_folder_ours)
    read = read_inputs(
        *([str(folder / name)] for name in INPUTS),
        rows_dir=rows_dir,
        on_progress=lambda fraction, text: tell(0.3 + 0.7 * fraction, text),
        is_cancelled=is_cancelled,
    )
    places = place_tables.import_places([str(folder / "users.csv")], [str(folder / "sites.csv")])
    project = replace(
        read.project(),
        scenarios=(Scenario(name=PLANS[0]),),
        title="Demo",
        places=places.over(NO_PLACES),
        intake=(*read.intake, *places.intake),
    )
    both = add_plan(_with_sizing(project, folder), PLANS[1], start=AS_TODAY)
    return add_decision(both, PLANS[1], project.window.end_s, *NOTE)


def _with_sizing(project: Project, folder: Path) -> Project:
    """With the model and the requests of one endpoint, so that there is something to size."""
    model = served_models.model_named(SERVED_MODEL, resources.read_served_models())
    week, intake = traffic_tables.read_load(str(folder / "traffic.csv"))
    assert isinstance(week, WeekRates)
    sized = set_week(set_served_model(project, SERVED_ENDPOINT, model), SERVED_ENDPOINT, week)
    return replace(sized, intake=(*project.intake, intake))
