"""The project file: saved whole or not at all, and opened only when every part of it is sound."""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from math import isnan
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import numpy as np

from gpuplanner.domain.edits.changed_figures import FIGURES_REVISION, with_changes_noted
from gpuplanner.domain.edits.plans import with_renewals_noted, with_sound_questions
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.files.project import project_backups, project_parts
from gpuplanner.files.project.packed_rows import packed_rows, unpack_rows
from gpuplanner.files.system.output_file import output_part, unreadable
from gpuplanner.lazy_dataclass import fields, is_dataclass, replace
from gpuplanner.version import __version__

# --- Whether two values hold the same, down to the fields of what is compared by identity elsewhere


def is_same(left: Any, other: Any) -> bool:
    """Whether nothing was lost between the two; a list is as good as a tuple, a number as the same number.

    NaN is the same as NaN; arrays are compared element by element, dataclasses field by field, texts by their English.

    >>> is_same([1, 2.0], (1, 2)), is_same(float("nan"), float("nan")), is_same({"a": 1}, {"b": 1})
    (True, True, False)
    """
    if left is other:
        return True
    if isinstance(left, np.ndarray):
        return isinstance(other, np.ndarray) and np.array_equal(left, other)
    if is_dataclass(left):
        return type(left) is type(other) and (left == other or not differing_fields(left, other))
    if isinstance(left, Message | str):
        return isinstance(other, Message | str) and str(left) == str(other)
    if isinstance(left, Mapping):
        return isinstance(other, Mapping) and _has_the_same(left, other)
    if isinstance(left, list | tuple):
        return isinstance(other, list | tuple) and len(left) == len(other) and all(map(is_same, left, other))
    return bool(left == other) or (_is_no_number(left) and _is_no_number(other))


def differing_fields(value: Any, other: Any) -> list[str]:
    """Names of the fields in which two values of one dataclass differ; what is worked out from others is left out."""
    names = [each.name for each in fields(value) if each.init]
    return [name for name in names if not is_same(getattr(value, name), getattr(other, name))]


def _has_the_same(left: Mapping[Any, Any], other: Mapping[Any, Any]) -> bool:
    """Whether two mappings have the same keys with the same values."""
    return left.keys() == other.keys() and all(is_same(value, other[key]) for key, value in left.items())


def _is_no_number(value: Any) -> bool:
    """Whether a value is NaN, which does not equal itself."""
    return isinstance(value, float) and isnan(value)


# --- The project file: a project saved whole or not at all, and opened only when every part of it is sound
# A `.gpuplan` is one SQLite database: application_id "gpup", user_version the format's version, and two tables.
# `about (key, value)` holds text about the file that every version can read (`written_by`, `saved_by`, `read_by`: the
# oldest gpuplanner that reads this format, `figures`: the revision of the rules that its figures follow).
# `part (name, size, sha256, payload)` holds the parts of project_parts.py.

APPLICATION_ID: Final = int.from_bytes(b"gpup", "big")
FORMAT_VERSION: Final = 1
"""Rises where a field that is there means something else. A field or part that is added needs no other version: who
does not know it refuses the file, and who finds none takes its default."""
READ_BY: Final = "0.1.0"
"""The oldest gpuplanner that reads FORMAT_VERSION."""

MIGRATIONS: Final[dict[int, Callable[[sqlite3.Connection], None]]] = {}
"""By the version they start from: each makes a database of that version one of the next. They run on a copy."""

TRIES: Final = 3

_HERE: Final = "./"
"""How the path of an imported file begins that a project keeps as from its own folder."""

IN_A_WINDOW: Final = "window"
BY_COMMAND: Final = "command"
"""Who saves a project: a planner, or a call that makes it of its inputs again whenever it is asked."""

SCHEMA: Final = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {FORMAT_VERSION}",
    "CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS part (name TEXT PRIMARY KEY, size INTEGER, sha256 TEXT, payload BLOB)",
)


def save_project(
    project: Project,
    path: Path,
    *,
    keep_backups: int = 3,
    cache: project_parts.PartCache | None = None,
    expected: project_backups.Expected | None = None,
    saved_by: str = IN_A_WINDOW,
    rows_dir: Path | None = None,
) -> project_backups.Stamp:
    """Put a project at `path`: written beside, read back, made durable, then put in place in one step.

    Whatever fails before that step, what was at `path` stays as it was; it then becomes a backup, of which there are
    up to keep_backups (project_backups.py). cache: one per document; parts whose objects are those of the last save
    or opening are copied as compressed bytes. expected: what may be at `path`; None: whatever is there. saved_by: what
    the file says of who saved it. rows_dir: where job rows are kept, which are packed in. Answers what the file is
    known by now. Errors: ChangedElsewhereError where somebody else's version is there that nobody said may be replaced;
    PlannerError where it cannot be written.
    """
    cache = project_parts.PartCache() if cache is None else cache
    project = _with_paths(project, partial(_as_stored, folder=path.absolute().parent))
    parts = (*project_parts.parts_of(project, cache), *_rows_part(project, rows_dir, cache))
    try:
        with ExitStack() as until_in_place, output_part(path) as out:
            write_parts(out.part, parts, {"saved_by": saved_by})
            _verify(out.part, project, parts, cache)
            stamp = project_backups.stamp_of(out.part)
            until_in_place.enter_context(project_backups.only_one(out.place.target.parent))
            _check_not_in_use(out.place.target)
            project_backups.keep_present(out, keep_backups, expected, stamp)
    except project_backups.ChangedElsewhereError as changed:
        raise project_backups.ChangedElsewhereError(path, changed.there) from None
    except (sqlite3.Error, PlannerError) as error:
        reason = error.what if isinstance(error, PlannerError) else str(error)
        problem = worded("saving failed ({error}); the earlier file is unchanged", error=reason)
        raise unreadable(
            path, problem, worded("free space, close it in other programs, or save elsewhere")
        ) from error
    assert stamp is not None
    return stamp


def _rows_part(
    project: Project, rows_dir: Path | None, cache: project_parts.PartCache
) -> tuple[project_parts.Part, ...]:
    """The job rows as a part: those that are kept, or those that the file was opened with."""
    rows = project.jobs.rows_sha256
    return cache.parts(project_parts.ROWS, (rows,), lambda: packed_rows(project, rows_dir)) if rows else ()


def open_project(
    path: Path, *, cache: project_parts.PartCache | None = None, rows_dir: Path | None = None
) -> Project:
    """The project in a file, which is not changed. cache: as for `save_project`, filled with the cube's parts.

    rows_dir: where to put the job rows that the file has, as imports keep them.

    A scratch copy of no plan is opened as a plan of its own, and says so in its log of decisions.

    Errors: PlannerError where there is no such file, it is not a project, it was made by a newer version, or a part
    of it is damaged.
    """
    _, project = open_told(path, cache=cache, rows_dir=rows_dir)
    return project


def open_told(
    path: Path, *, cache: project_parts.PartCache | None = None, rows_dir: Path | None = None
) -> tuple[dict[str, str], Project]:
    """What a file says about itself, and its project, as `open_project`."""
    cache = project_parts.PartCache() if cache is None else cache
    about, parts = read_file(path)
    project = project_parts.project_from(parts, str(path), cache)
    if rows_dir is not None:
        unpack_rows(parts, project, rows_dir, str(path))
    cache.know(project, parts)
    placed = _with_paths(project, partial(_as_found, folder=path.parent))
    noted = with_changes_noted(with_renewals_noted(with_sound_questions(placed)), _figures_revision(about))
    return about, noted


def unpack_rows_of(path: Path, project: Project, rows_dir: Path) -> None:
    """Put the job rows that a project's file has into a folder, as imports keep them; nothing where it has none.

    Errors: as for `open_project`.
    """
    _, parts = read_file(path)
    unpack_rows(parts, project, rows_dir, str(path))


def has_figures_of_today(path: Path) -> bool:
    """Whether a file was saved under the rules that figures follow now. Errors: as for `open_project`."""
    return _figures_revision(read_about(path)) >= FIGURES_REVISION


def _figures_revision(about: Mapping[str, str]) -> int:
    """Return the revision of the rules that a file's figures followed; 0 for a file that states none."""
    stated = about.get("figures", "")
    return int(stated) if stated.isdecimal() else 0


def open_stamped(
    path: Path, *, cache: project_parts.PartCache | None = None, rows_dir: Path | None = None
) -> tuple[Project, project_backups.Stamp | None]:
    """As `open_project`, with what the file is known by.

    None where it was changed each time that it was read.

    The file is read a few times at most, until it is the same before and after. Errors: as for
    `open_project`.
    """
    for _ in range(TRIES):
        before = project_backups.stamp_if_any(path)
        project = open_project(path, cache=cache, rows_dir=rows_dir)
        if before is not None and project_backups.stamp_if_any(path) == before:
            return project, before
    return project, None


def _with_paths(project: Project, place: Callable[[str], str]) -> Project:
    """The project with the paths of its imported files as they are where it is kept; itself if they are so already."""
    placed = [place(file.path) for file in project.intake]
    if placed == [file.path for file in project.intake]:
        return project
    moved = (
        replace(file, path=placed_path) for file, placed_path in zip(project.intake, placed, strict=True)
    )
    return replace(project, intake=tuple(moved))


def _as_stored(path: str, folder: Path) -> str:
    """A path as from the project's folder; its name alone where the two share no folder.

    A project goes to others, who have no use for the folders of this computer.
    """
    if not os.path.isabs(path):
        return path
    try:
        shared = Path(os.path.commonpath((path, folder)))
    except ValueError:  # of two drives
        return os.path.basename(path)
    if shared == Path(shared.anchor):
        return os.path.basename(path)
    return _HERE + Path(os.path.relpath(path, folder)).as_posix()


def _as_found(path: str, folder: Path) -> str:
    """Where a file is that a project names as from its folder."""
    return os.path.abspath(folder / path) if path.startswith(_HERE) else path


def read_about(path: Path) -> dict[str, str]:
    """What a file says about itself, without reading the project. Errors: as for `open_project`."""
    about, _ = read_file(path, only_about=True)
    return about


def write_parts(
    path: Path, parts: Iterable[project_parts.Part], about: Mapping[str, str] | None = None
) -> None:
    """Parts into the database at `path`, made if there is none, in one transaction; only those that differ are written.

    Errors: OSError, sqlite3.Error; the database is then as it was (for good once a later connection has seen to it).
    """
    about_rows = {
        "written_by": __version__,
        "read_by": READ_BY,
        "figures": str(FIGURES_REVISION),
        **(about or {}),
    }
    with _connected(path, "journal_mode = DELETE", "synchronous = FULL") as connection:
        connection.execute("BEGIN IMMEDIATE")
        for statement in SCHEMA:
            connection.execute(statement)
        connection.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", about_rows.items())
        stored = dict(connection.execute("SELECT name, sha256 FROM part"))
        changed = [part for part in parts if stored.get(part.name) != part.sha256]
        rows = ((part.name, part.size, part.sha256, part.payload) for part in changed)
        connection.executemany("INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?)", rows)
        connection.execute("COMMIT")


def roll_back(path: Path) -> None:
    """Undo what a killed `write_parts` left half done at `path`, so that it can be opened.

    Errors: sqlite3.Error.

    Merely opening it to read is enough: SQLite then plays its journal back.
    """
    with _connected(path) as connection:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchall()


_IN_USE: Final = {
    sqlite3.SQLITE_BUSY: (worded("another program is writing it"), worded("close it there, and retry")),
    sqlite3.SQLITE_READONLY: (
        worded("another program's change is unfinished: a -journal file exists"),
        worded("copy only the project to another folder, and open it there"),
    ),
}
"""What is wrong, and what to do, where the file may be sound: by SQLite's primary code of the error."""


def read_file(path: Path, only_about: bool = False) -> tuple[dict[str, str], dict[str, project_parts.Part]]:
    """The entries about a file and its parts, older formats brought up to today's in memory.

    Errors: PlannerError `file_missing`, `file_unreadable`. The file itself is never changed by reading.
    """
    where = str(path)
    if not path.is_file():
        raise PlannerError(
            where, "file_missing", worded("file not found"), worded("check the path, or open a backup")
        )
    try:
        with _connected_to_read(path) as connection:
            version = _checked_version(connection, where)
            if version == FORMAT_VERSION:
                return _content(connection, where, only_about)
            with _connected(":memory:") as copy:
                connection.backup(copy)
                for step in range(version, FORMAT_VERSION):
                    MIGRATIONS[step](copy)
                return _content(copy, where, only_about)
    except sqlite3.DatabaseError as error:
        problem = worded("damaged project file ({error})", error=str(error))
        raise unreadable(
            where, *_use_of(error) or (problem, worded("open a backup or another copy"))
        ) from error


def _use_of(error: sqlite3.DatabaseError) -> tuple[Message, Message] | None:
    """What another program does to a file, and what to do; None where it may be damaged."""
    return _IN_USE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)


def _check_not_in_use(path: Path) -> None:
    """Errors: PlannerError where another program is writing what a save replaces, or left a change half done.

    Its change would go with the file that is replaced, and its journal be played back into ours.
    """
    if not path.is_file():
        return
    try:
        with _connected_to_read(path) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
        with _connected(path) as connection:  # only who could write sees that another is about to
            connection.execute("BEGIN IMMEDIATE")
    except sqlite3.DatabaseError as error:
        if (used := _use_of(error)) is not None:
            raise unreadable(path, *used) from error


@contextmanager
def _connected(address: str | Path, *pragmas: str, **how: Any) -> Iterator[sqlite3.Connection]:
    """A connection that trusts nothing in the schema, closed at the end. Errors: OSError; sqlite3.Error.

    What a damaged file makes of texts, in SQLite's own words too, may be no Unicode: that is a damaged file as any.
    """
    try:
        with closing(sqlite3.connect(address, isolation_level=None, **how)) as connection:
            for pragma in ("trusted_schema = OFF", *pragmas):
                connection.execute(f"PRAGMA {pragma}").fetchall()
            yield connection
    except UnicodeError as error:
        raise sqlite3.DatabaseError("its texts are no Unicode") from error


@contextmanager
def _connected_to_read(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that cannot write, trusts nothing in the schema and takes no part above the limit."""
    place = path.resolve().as_posix()  # //host/share is no host of a URI: SQLite wants it in the path
    address = "file://" + ("" if place.startswith("/") else "/") + quote(os.fsencode(place), safe="/:")
    pragmas = ("query_only = ON", "cell_size_check = ON")
    with _connected(f"{address}?mode=ro", *pragmas, uri=True) as connection:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, project_parts.LARGEST_PART)
        yield connection


def _checked_version(connection: sqlite3.Connection, where: str) -> int:
    """The format's version; PlannerError `file_unreadable` if it is no project, or one of a newer gpuplanner."""
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application_id != APPLICATION_ID:
        raise unreadable(where, worded("not a gpuplanner project"), worded("open a .gpuplan file"))
    if version > FORMAT_VERSION:
        raise unreadable(
            where,
            worded(
                "from a newer gpuplanner (format {version}; this one reads up to {format_version})",
                version=version,
                format_version=str(FORMAT_VERSION),
            ),
            worded("open it with gpuplanner {needed} or newer", needed=_needed_version(connection)),
        )
    if version != FORMAT_VERSION and version not in MIGRATIONS:
        raise unreadable(
            where,
            worded("unknown format {version}", version=version),
            worded("open a backup or another copy"),
        )
    return int(version)


def _needed_version(connection: sqlite3.Connection) -> str:
    """The version that reads a newer file, as far as it can be learned from it."""
    with suppress(sqlite3.DatabaseError):
        record = connection.execute("SELECT value FROM about WHERE key = 'read_by'").fetchone()
        if record:
            return str(record[0])
    return "of the version that saved it"


def _content(
    connection: sqlite3.Connection, where: str, only_about: bool
) -> tuple[dict[str, str], dict[str, project_parts.Part]]:
    """The rows of both tables, after SQLite's own check of the file.

    Sqlite3.DatabaseError if it is not sound.
    """
    plain_tables = connection.execute(
        "SELECT count(*) FROM sqlite_master WHERE name IN ('about', 'part') AND type = 'table' AND rootpage > 0"
    ).fetchone()
    if plain_tables != (2,):  # a view can have rows without end
        raise sqlite3.DatabaseError("its tables are not those of a project")
    about = {str(key): str(value) for key, value in connection.execute("SELECT key, value FROM about")}
    if only_about:
        return about, {}
    faults = [row[0] for row in connection.execute("PRAGMA quick_check")]
    if faults != ["ok"]:
        raise sqlite3.DatabaseError(faults[0])
    parts = {}
    for name, size, sha256, payload in connection.execute("SELECT name, size, sha256, payload FROM part"):
        if not (isinstance(size, int) and isinstance(sha256, str) and isinstance(payload, bytes)):
            raise project_parts.damaged(where, str(name))
        parts[str(name)] = project_parts.Part(str(name), size, sha256, payload)
    return about, parts


def _verify(
    beside: Path, project: Project, parts: tuple[project_parts.Part, ...], cache: project_parts.PartCache
) -> None:
    """What is on disk is the project that was to be saved, by reading it. Errors: OSError, PlannerError.

    A part of the same bytes as one that was read before, as the cube mostly is, is not unpacked again.
    """
    _, stored = read_file(beside)
    for part in parts:
        saved = stored.get(part.name)
        if saved != part or project_parts.part_hash(saved.name, saved.payload) != part.sha256:
            raise OSError(f"part {part.name!r} did not come back as it was written")
    lost = differing_fields(project, project_parts.project_from(stored, str(beside), cache))
    if lost:
        raise OSError(f"{', '.join(lost)} did not come back as given")
    cache.know(project, {part.name: part for part in parts})
