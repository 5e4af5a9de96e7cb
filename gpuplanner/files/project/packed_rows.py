"""Packed rows: the job rows of a project inside its file, so that they go wherever it goes."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from gpuplanner.domain.model.project import Project
from gpuplanner.files.job_logs.reduce.job_rows import rows_path
from gpuplanner.files.project.project_parts import ROWS, Part, damaged, sealed, unsealed
from gpuplanner.files.system.output_file import put
from gpuplanner.files.system.own_folder import own_folder
from gpuplanner.files.system.user_files import private_folder

ROWS_AT_MOST: Final = 32 * 2**20
"""Bytes of job rows that a project file takes in, those of about a million jobs: a save stays under a second."""


def packed_rows(project: Project, rows_dir: Path | None) -> tuple[Part, ...]:
    """Return the job rows behind a project as a part of its file; none where they are not there, or too large.

    rows_dir: where imports keep job rows.
    """
    if rows_dir is None or not project.jobs.rows_sha256:
        return ()
    kept = rows_path(rows_dir, project.jobs.rows_sha256)
    try:
        if kept.stat().st_size > ROWS_AT_MOST:
            return ()
        plain = kept.read_bytes()
    except OSError:
        return ()
    return (sealed(ROWS, plain),) if hashlib.sha256(plain).hexdigest() == kept.stem else ()


def unpack_rows(parts: Mapping[str, Part], project: Project, rows_dir: Path, where: str) -> None:
    """Put the job rows of a project file where imports keep them, unless they are there.

    where: the file, for errors. Errors: PlannerError where the part is damaged or cannot be written.
    """
    part = parts.get(ROWS)
    kept = rows_path(rows_dir, project.jobs.rows_sha256)
    if part is None or not project.jobs.rows_sha256 or kept.exists():
        return
    plain = unsealed(part, where)
    if hashlib.sha256(plain).hexdigest() != kept.stem:
        raise damaged(where, ROWS)
    with own_folder(private_folder(rows_dir)) as room:
        unpacked = room / kept.name
        unpacked.write_bytes(plain)
        put(unpacked, kept)
