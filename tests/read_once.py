"""Inputs of the command line that are read once, however many commands ask for them, and what follows from them.

An import of a few rows takes a quarter of a second, and a plan of them as long: longer than all that most commands make
of both. What is read and worked out are values, which nothing changes.
"""

import shutil
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

from gpuplanner.domain import evaluation
from gpuplanner.domain.evaluation import Figures
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.files.importing.intake import ReadResult, read_inputs
from gpuplanner.files.importing.logs_so_far import months_of_log
from gpuplanner.files.job_logs.reduce.job_rows import rows_path
from gpuplanner.files.project.project_file import open_project


class ReadOnce:
    """Stands for `read_inputs` in `cli/inputs.py`: the same bytes under the same names and words are read once.

    What leaves a key of pseudonyms behind, or tells how far it is, is done each time; job rows are kept once, and
    copied to where each command wants them.
    """

    def __init__(self, rows_dir: Path) -> None:
        """rows_dir: where the job rows of all that is read are kept."""
        self._kept: dict[object, ReadResult] = {}
        self._rows = rows_dir

    def __call__(self, *paths: Sequence[str] | Mapping[str, str], **said: Any) -> ReadResult:
        files = [Path(path) for some in paths for path in some]
        leaves_something = said["options"].pseudonyms or said["on_progress"]
        if leaves_something or not all(map(Path.is_file, files)):
            return read_inputs(*paths, **said)
        rows_dir = said.pop("rows_dir")
        said["rows_dir"] = self._rows if rows_dir else None
        key = (*map(str, paths), str(said), *(path.read_bytes() for path in files))
        if key not in self._kept:
            self._kept[key] = read_inputs(*paths, **said)
        read = self._kept[key]
        kept = rows_path(said["rows_dir"], read.jobs.rows_sha256) if rows_dir else None
        if kept is not None and kept.exists():
            rows_dir.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(kept, rows_path(rows_dir, read.jobs.rows_sha256))
        return read


class OpenedOnce:
    """Stands for `open_project`: a file of the same bytes in the same place is opened once."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Path, bytes], Project] = {}

    def __call__(self, path: Path) -> Project:
        if not path.is_file():
            return open_project(path)
        key = path, path.read_bytes()
        if key not in self._kept:
            self._kept[key] = open_project(path)
        return self._kept[key]


class WorkedOutOnce:
    """Stands for a function of an evaluation: for the same project, plan and figures it is called once.

    Where the rows of a project lie is no matter: the same rows were read.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._kept: deque[tuple[tuple[object, ...], Any]] = deque(maxlen=_PROJECTS_KEPT)

    def __call__(self, *values: object) -> Any:
        for known, answer in self._kept:
            if len(known) == len(values) and all(map(_is_same, known, values)):
                return answer
        answer = self._function(*values)
        self._kept.appendleft((values, answer))
        return answer


class OncePerPlan:
    """Stands for a step of an evaluator, from a project and its figures on: what plans the same takes it once.

    Many tests ask the same small question of the same project. What a plan is called, what was decided in it and what
    other plans the project has is no matter (`Scenario.plans_as`).
    """

    def __init__(self, step: Callable[..., Any]) -> None:
        self._step = step
        self._kept: deque[tuple[Project, Any]] = deque(maxlen=_PLANS_KEPT)

    def __call__(self, project: Project, figures: Figures, *more: object) -> Any:
        plan = figures.basis.plan
        name = TODAY if plan.name == TODAY else ""
        plan = replace(plan, name=name, decisions=(), leak_decisions=(), merges=(), scratch_of="")
        alone = replace(project, scenarios=(plan,))
        for known, answer in tuple(self._kept):
            if _is_same(known, alone):
                return answer
        answer = self._step(project, figures, *more)
        self._kept.appendleft((alone, answer))
        return answer


_PROJECTS_KEPT: Final = 12
_PLANS_KEPT: Final = 100
_READ: Final = frozenset(("cube", "workloads", "jobs", "intake"))
"""Fields of a project that are long, or arrays: the same only where they were read at once."""


def _is_same(one: object, other: object) -> bool:
    if one is other or (isinstance(one, str) and one == other) or isinstance(one, Path):
        return True
    if not (isinstance(one, Project) and isinstance(other, Project)):
        return False
    pairs = ((name, getattr(one, name), getattr(other, name)) for name in _FIELDS)
    return all(before is now or (name not in _READ and before == now) for name, before, now in pairs)


_FIELDS: Final = tuple(one.name for one in fields(Project))

EVALUATED_ONCE: Final[Mapping[str, WorkedOutOnce]] = {
    name: WorkedOutOnce(getattr(evaluation, name))
    for name in ("audit_project", "fit_project", "evaluate_figures", "advise_plan", "outlook_plan")
}
"""What stands for the functions of `gpuplanner.domain.evaluation`, by name."""

MONTHS_ONCE: Final = WorkedOutOnce(lambda rows_dir, project: tuple(months_of_log(rows_dir, project)))
"""What stands for `months_of_log` in `cli/inputs.py`, which asks it only where the rows are kept."""
