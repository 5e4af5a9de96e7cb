"""The project with what was read, or over another window."""

from pathlib import Path
from typing import TYPE_CHECKING

from gpuplanner.app.background import IsCancelled, OnProgress
from gpuplanner.app.importing.import_request import ImportRequest
from gpuplanner.app.importing.loaded_logs import with_choice
from gpuplanner.domain.edits.dates import plan_work
from gpuplanner.domain.edits.inputs import LoadedJobs, import_inputs
from gpuplanner.domain.edits.money import replace_exchange
from gpuplanner.domain.edits.same_names import say_same
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import with_observed
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.spelling import respelled
from gpuplanner.files.system import resources
from gpuplanner.lazy_dataclass import replace

if TYPE_CHECKING:
    from gpuplanner.files.importing.intake import ReadResult
    from gpuplanner.files.values.lookback_period import WindowRequest


def imported_project(
    project: Project, request: ImportRequest, read: "ReadResult", *, adding: bool = False, scenario: str = ""
) -> Project:
    """The project with what was read; labels, moves and plans stay. adding: contracts and offers join those loaded.

    scenario: the plan that planned work comes into; the first where none of the project has this name.
    Errors: PlannerError where job logs were given and none of their rows is a job, or a log has work that was planned.
    """
    from gpuplanner.files.importing.import_tables import with_counted_twice
    from gpuplanner.files.job_logs.reduce.former_names import keep_decisions

    jobs = None
    adding = adding or _brings_only_quotes(request, read)
    if request.job_paths or request.kept is not None:
        if read.window is None or read.cube is None:
            if read.refused:
                raise read.refused[0]
            raise PlannerError(
                ", ".join(request.job_paths),
                "usage",
                worded("no job was imported"),
                worded("see the reasons"),
            )
        jobs = LoadedJobs(read.window, read.cube, read.workloads, read.jobs)
    after = import_inputs(
        project,
        jobs=jobs,
        contracts=read.contracts if request.contract_paths else None,
        offers=read.offers if request.price_paths else None,
        earlier_offers=read.earlier_offers,
        places=read.places.in_money_of(project).over(project.places, adding=adding)
        if read.places.is_any
        else None,
        intake=tuple(with_choice(file, request) for file in read.intake),
        adding=adding,
    )
    after = replace(
        after,
        assumptions=with_observed(after.assumptions, read.intake),
        intake=with_counted_twice(after.intake, after.contracts),
    )
    after = replace_exchange(keep_decisions(project, say_same(after, read.same)), request.exchange)
    if read.planned:
        names = [plan.name for plan in after.scenarios]
        after = plan_work(after, scenario if scenario in names else names[0], read.planned)
    return respelled(after, resources.gpu_families())


def _brings_only_quotes(request: ImportRequest, read: "ReadResult") -> bool:
    """Whether all prices are quotes that vendors sent back: they join the offers they were asked for beside."""
    formats = {file.format for file in read.intake if file.kind == "prices"}
    others = (request.contract_paths, request.place_paths, request.planned_paths, request.interruption_paths)
    is_alone = not any(others)
    return bool(request.price_paths) and is_alone and formats == {"workbook"}


def rewindowed_project(
    project: Project,
    rows_dir: Path,
    window: "WindowRequest",
    on_progress: OnProgress | None = None,
    is_cancelled: IsCancelled | None = None,
) -> Project:
    """The project over another window, from the job rows that were kept. Errors: PlannerError file_missing, usage.

    rows_dir: where job rows are kept; window: as the planner asked for it. Labels, moves and plans stay,
    former keys carried over.
    """
    from gpuplanner.files.importing.windowed_jobs import rewindow
    from gpuplanner.files.job_logs.reduce.former_names import keep_decisions

    read = rewindow(
        rows_dir,
        project.jobs,
        project.intake,
        window,
        timezone=project.window.timezone,
        same=project.same,
        on_progress=on_progress,
        is_cancelled=is_cancelled,
    )
    if read.window is None or read.cube is None:
        raise PlannerError("window", "usage", worded("the log has no jobs"), worded("import another log"))
    after = import_inputs(
        project, jobs=LoadedJobs(read.window, read.cube, read.workloads, read.jobs), intake=read.intake
    )
    return respelled(keep_decisions(project, after), resources.gpu_families())
