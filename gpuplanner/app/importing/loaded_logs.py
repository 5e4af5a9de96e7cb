"""Loaded logs: how each was read, so that it can be read so again."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gpuplanner.app.importing.import_request import ImportRequest
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.project import Project
from gpuplanner.files.importing.windowed_jobs import kept_logs, kept_rows
from gpuplanner.files.job_logs.reduce.pseudonymise import is_pseudonymous
from gpuplanner.lazy_dataclass import replace

if TYPE_CHECKING:
    from gpuplanner.files.importing.log_choices import LogChoice

_FORMAT, _MAPPING, _ZONE = "format_chosen", "mapping_chosen", "timezone_chosen"
_CLUSTER: Final = "cluster_chosen"
_ALIKE, _OPEN_ENDED = "alike_dropped", "open_ended_kept"
_NODE, _NODE_MODEL = "node_said", "gpu_model_said"
"""Facts of a loaded log: what the planner said of how it is read."""


def has_pseudonyms(project: Project) -> bool:
    """Whether the logs of a project were read with pseudonyms in place of names.

    False without logs.
    """
    return any(is_pseudonymous(file) for file in project.intake)


def with_loaded_logs(
    request: ImportRequest,
    project: Project,
    clusters: Mapping[str, str] | None = None,
    rows_dir: Path | None = None,
) -> ImportRequest:
    """The request to add its logs to those of the project: all count together, so that duplicates are found.

    Loaded logs come from the job rows that their import kept, wherever their files are now; where no rows are kept they
    are read again, each as it was when it was loaded, whatever the request says of its own. clusters: by path, those
    of loaded logs that name none; they too have the logs read again. Names that were replaced by pseudonyms stay so,
    for all logs. rows_dir: where imports keep job rows.
    """
    clusters = clusters or {}
    if not request.job_paths and not clusters:
        return request
    if rows_dir is None or not _has_rows(project, rows_dir):
        return _with_logs(request, project, clusters)
    return replace(request, kept=kept_logs(rows_dir, project, request.job_paths, clusters))


def _has_rows(project: Project, rows_dir: Path) -> bool:
    """Whether the job rows of a project are kept."""
    try:
        kept_rows(rows_dir, project.jobs)
    except PlannerError:
        return False
    return True


def unnamed_logs(project: Project, rows_dir: Path | None = None) -> tuple[str, ...]:
    """The paths of loaded logs whose jobs may be without a cluster: nobody said one for them."""
    if all(workload.cluster for workload in project.workloads):
        return ()
    has_rows = rows_dir is not None and _has_rows(project, rows_dir)
    if not has_rows and not can_read_again(project):
        return ()
    return tuple(file.path for file in project.intake if file.kind == "jobs" and not stated_cluster(file))


def stated_cluster(file: FileIntake) -> str:
    """The cluster that was said of a loaded log that names none; empty where none was."""
    return str(dict(file.facts).get(_CLUSTER) or "")


def can_read_again(project: Project) -> bool:
    """Whether the project has logs, and all of them are still where they were read.

    Only whether the files are there is looked at, not whether they are the same; a name without a folder is of none.
    """
    logs = [file.path for file in project.intake if file.kind in ("jobs", "activity")]
    return bool(logs) and all(Path(path).is_absolute() and Path(path).is_file() for path in logs)


def _with_logs(request: ImportRequest, project: Project, clusters: Mapping[str, str]) -> ImportRequest:
    """Logs that the request names itself are read as it says, those before it as they were loaded."""
    loaded = [
        file
        for file in project.intake
        if file.kind in ("jobs", "activity") and file.path not in request.job_paths
    ]
    if not loaded:
        return request
    choices = tuple(
        (file.path, replace(choice, cluster=clusters.get(file.path, choice.cluster)))
        for file, choice in ((file, _choice_of(file)) for file in loaded)
    )
    return replace(
        request,
        pseudonyms=request.pseudonyms or has_pseudonyms(project),
        job_paths=(*(file.path for file in loaded), *request.job_paths),
        choices=(*choices, *request.choices),
    )


def with_choice(file: FileIntake, request: ImportRequest) -> FileIntake:
    """The file with what was said of how to read it, so that it can be read so again."""
    from gpuplanner.files.sources.source import stated_of
    from gpuplanner.files.tables.column_mapping import mapping_text

    if file.kind not in ("jobs", "activity"):
        return file
    if request.kept is not None and any(file.path == kept.path for kept in request.kept.files):
        return _with_cluster(file, request.kept.clusters.get(file.path))
    choice = stated_of(file.path, dict(request.choices))
    zone, cluster = (None, None) if choice is None else (choice.timezone, choice.cluster)
    stated: dict[str, object] = {
        _FORMAT: choice.format if choice is not None else None,
        _MAPPING: mapping_text(choice.mapping) if choice is not None and choice.mapping is not None else None,
        _ZONE: (request.timezone if zone is None else zone) or None,
        _CLUSTER: (request.cluster if cluster is None else cluster) or None,
        _ALIKE: (choice is not None and choice.drops_alike) or None,
        _OPEN_ENDED: (choice is not None and choice.is_open_ended) or None,
    }
    if file.kind == "activity":
        node = (None, None) if choice is None else (choice.node.name or None, choice.node.gpu_model or None)
        stated = dict(zip((_NODE, _NODE_MODEL), node, strict=True))
    known = tuple((name, value) for name, value in file.facts if name not in stated)
    return replace(
        file, facts=(*known, *((name, value) for name, value in stated.items() if value is not None))
    )


def _with_cluster(file: FileIntake, cluster: str | None) -> FileIntake:
    """A loaded log with the cluster that was said of it now, if any was."""
    if not cluster:
        return file
    others = tuple(fact for fact in file.facts if fact[0] != _CLUSTER)
    return replace(file, facts=(*others, (_CLUSTER, cluster)))


def _choice_of(file: FileIntake) -> "LogChoice":
    """How a file was read when it was loaded, from the facts of its intake; no zone or cluster where none was said."""
    from gpuplanner.files.activity.activity_intake import OneNode
    from gpuplanner.files.importing.log_choices import LogChoice
    from gpuplanner.files.tables.column_mapping import parse_mapping

    facts = dict(file.facts)
    mapping = facts.get(_MAPPING)
    try:
        read = parse_mapping(mapping) if isinstance(mapping, str) else None
    except PlannerError:
        read = None  # written by another version
    format_name, zone = facts.get(_FORMAT), facts.get(_ZONE)
    return LogChoice(
        format=format_name if isinstance(format_name, str) else None,
        mapping=read,
        timezone=zone if isinstance(zone, str) else "",
        drops_alike=facts.get(_ALIKE) is True,
        is_open_ended=facts.get(_OPEN_ENDED) is True,
        node=OneNode(str(facts.get(_NODE, "")), str(facts.get(_NODE_MODEL, ""))),
        cluster=stated_cluster(file),
    )
