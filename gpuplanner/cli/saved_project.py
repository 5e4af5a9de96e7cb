"""A project that a call writes: what was there is kept, and who has it open is told of."""

from pathlib import Path

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.project.project_backups import replaced_name
from gpuplanner.files.project.project_file import BY_COMMAND, read_about, save_project
from gpuplanner.files.project.project_stamp import Expected, Stamp, stamp_of
from gpuplanner.files.project.session_marks import sessions_at


def save_named(project: Project, path: Path, now_s: int) -> tuple[str, ...]:
    """Save a project to a file that the call names; lines for standard error: what was kept, who has it open.

    What a call had written there becomes a backup like any; what a planner saved there is kept under a name of its own
    that no later save takes. Errors: PlannerError.
    """
    there = stamp_there(path)
    is_ours = there is not None and _is_by_command(path)
    expected = Expected(there if is_ours else None, is_any_replaced=True)
    saved = save_project(project, path, expected=expected, saved_by=BY_COMMAND)
    lines = []
    if there is not None and there.sha256 != saved.sha256 and not is_ours:
        lines.append(f"{path}: another project was there; it is kept as {replaced_name(path, there)}")
    for session in sessions_at(path, now_s):
        where = "on this computer" if session.is_here else f"on {session.host}"
        since = iso_utc(session.since_s)
        lines.append(f"{path}: it is open in a window {where} since {since}, which asks before it saves")
    return tuple(lines)


def stamp_there(path: Path) -> Stamp | None:
    """What a file is known by; None where there is none, or none that can be read."""
    try:
        return stamp_of(path)
    except OSError:  # what is in the way is said by the save
        return None


def _is_by_command(path: Path) -> bool:
    """Whether a call wrote the project last; not where it cannot be read."""
    try:
        return read_about(path).get("saved_by") == BY_COMMAND
    except (OSError, PlannerError):
        return False
