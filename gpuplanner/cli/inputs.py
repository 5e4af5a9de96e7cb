"""From the words of a call to a project: files or a .gpuplan, window, labels, assignments, assumptions."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gpuplanner.cli.arguments import PROJECT_SUFFIX, UsageError, parse_pools, parse_settings
from gpuplanner.cli.progress import progress_on_terminal
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario import Scenario
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.files.intake import ReadResult, WindowRequest, read_inputs
from gpuplanner.files.job_logs.mapping import parse_mapping
from gpuplanner.files.project_file import open_project


def window_request(words: argparse.Namespace, *, whole_log: bool) -> WindowRequest:
    """The window that was asked for. Errors: UsageError for a bound that is no whole hour, or both kinds."""
    start_s, end_s = (None if text is None else _bound_s(text, name) for name, text in (("start", words.start), ("end", words.end)))
    days = None
    if words.days is not None:
        if start_s is not None or end_s is not None:
            raise UsageError("--days together with --start or --end; give one of the two")
        if not words.days.isdecimal() or int(words.days) < 1:
            raise UsageError(f"--days {words.days!r} is not a whole number of days; write 1 or more")
        days = int(words.days)
    if start_s is not None and end_s is not None and end_s <= start_s:
        raise UsageError("--end is not after --start; swap the two")
    return WindowRequest(start_s=start_s, end_s=end_s, days=days, whole_log=whole_log)


def _bound_s(text: str, name: str) -> int:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--{name} {text!r} is not an ISO time; write 2026-01-31 or 2026-01-31T05:00:00Z") from None
    at_s = (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
    if at_s % HOUR_S:
        raise UsageError(f"--{name} {text!r} is not on a whole hour; write 2026-01-31T05:00:00Z")
    return int(at_s)


def project_path(words: argparse.Namespace) -> Path | None:
    """The .gpuplan that stands in for files, given alone or to one of the file options; None without one."""
    given = [words.project] if words.project else []
    for option in ("jobs", "contracts", "prices"):
        given += [path for path in getattr(words, option, []) if path.lower().endswith(PROJECT_SUFFIX)]
    if not given:
        return None
    if len(set(given)) > 1:
        raise UsageError(f"{len(set(given))} projects at once; give one")
    if not given[0].lower().endswith(PROJECT_SUFFIX):
        raise UsageError(f"{given[0]!r} is not a {PROJECT_SUFFIX} file; name files with --jobs, --contracts, --prices")
    return Path(given[0])


def load_project(words: argparse.Namespace, *, whole_log: bool = False) -> Project:
    """The project that a call is about. Errors: UsageError; PlannerError where a file cannot be read."""
    path = project_path(words)
    request = window_request(words, whole_log=whole_log)
    if path is not None:
        project = _from_project_file(words, path, request)
    else:
        if not words.jobs:
            raise UsageError(f"{words.command} needs --jobs FILE or a {PROJECT_SUFFIX} file")
        project = project_from(_read(words, words.jobs, request))
    return _with_words(project, words)


def project_from(read: ReadResult) -> Project:
    """A new project, with one plan, from what was read."""
    return Project(
        window=read.window,
        cube=read.cube,
        workloads=read.workloads,
        jobs=read.jobs,
        contracts=read.contracts,
        offers=read.offers,
        intake=read.intake,
    )


def _files(words: argparse.Namespace, option: str) -> list[str]:
    return [path for path in getattr(words, option, []) if not path.lower().endswith(PROJECT_SUFFIX)]


def _read(words: argparse.Namespace, jobs: Sequence[str], request: WindowRequest, **more: Any) -> ReadResult:
    if words.map is not None:
        more["mapping"] = parse_mapping(words.map)
    with progress_on_terminal() as on_progress:
        return read_inputs(
            jobs,
            _files(words, "contracts"),
            _files(words, "prices"),
            format=words.format,
            timezone=words.timezone,
            window_request=request,
            on_progress=on_progress,
            **more,
        )


def _from_project_file(words: argparse.Namespace, path: Path, request: WindowRequest) -> Project:
    project = open_project(path)
    if _files(words, "jobs"):
        raise UsageError(f"both {path} and --jobs; give one of the two")
    if any(bound is not None for bound in (request.start_s, request.end_s, request.days)):
        raise UsageError("a project keeps its window; give --start, --end and --days with --jobs")
    return project


def _with_words(project: Project, words: argparse.Namespace) -> Project:
    """The project with what --scenario, --set, --assign, --label and --greenfield say."""
    if words.command == "reduce":
        return project
    plan = _scenario(project, words.scenario)
    keys = {workload.key for workload in project.workloads}
    labels, pools = parse_pools(words.label, "label"), parse_pools(words.assign, "assign")
    for key in [*labels, *pools]:
        if key not in keys:
            raise UsageError(f"no workload {key!r} in this log; audit --json lists the keys")
    settings = parse_settings(words.set)
    changed = replace(
        plan,
        pools={**plan.pools, **pools},
        assumptions={name: value for name, value in plan.assumptions.items() if name not in settings},
        greenfield=plan.greenfield or getattr(words, "greenfield", False),
    )
    return replace(
        project,
        labels={**project.labels, **labels},
        assumptions=project.assumptions.with_values(settings),
        scenarios=tuple(changed if scenario is plan else scenario for scenario in project.scenarios),
    )


def _scenario(project: Project, name: str | None) -> Scenario:
    if name is None:
        return project.scenarios[0]
    for scenario in project.scenarios:
        if scenario.name == name:
            return scenario
    raise UsageError(f"no plan {name!r}; there are " + ", ".join(repr(plan.name) for plan in project.scenarios))
