"""From the words of a call to a project: files or a .gpuplan, window, labels, with progress told."""

import argparse
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

from gpuplanner.cli import file_results, progress, reading
from gpuplanner.cli.arguments import PROJECT_SUFFIX, UsageError
from gpuplanner.cli.option_values import parse_bound, parse_same, pseudonyms_of
from gpuplanner.cli.project_words import unasked, with_money, with_words
from gpuplanner.domain.audit.cost_result import Period
from gpuplanner.domain.audit.variance import halves, period_between
from gpuplanner.domain.edits.class_rules import add_rules
from gpuplanner.domain.edits.inputs import LoadedJobs, import_inputs
from gpuplanner.domain.edits.offers import without_taken_back
from gpuplanner.domain.edits.same_names import say_same
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.exchange import DOLLARS, Currency, counted_rows
from gpuplanner.domain.model.book.extras import sending
from gpuplanner.domain.model.book.offer import owned_at
from gpuplanner.domain.model.book.price_history import is_dated, joined, replaced, with_earlier
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.gpu_family import Same, SameKind, StatedSame, partition_name
from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.spelling import models_of_log, respelled
from gpuplanner.domain.model.window import Window
from gpuplanner.files.contracts.focus_commitments import OF_QUANTITY
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.import_tables import (
    QUANTITY,
    ContractsRead,
    PricesRead,
    import_contracts,
    import_prices,
)
from gpuplanner.files.importing.intake import assemble, read_inputs, resolver
from gpuplanner.files.importing.logs_so_far import logs_so_far, months_of_log
from gpuplanner.files.importing.recognise import glance
from gpuplanner.files.importing.windowed_jobs import LOG_KINDS, JobsRead, kept_logs, kept_rows, rewindow
from gpuplanner.files.job_logs.reduce.former_names import keep_decisions
from gpuplanner.files.lists.class_rules import RULES
from gpuplanner.files.lists.same_names import SAME_KIND as SAME_LIST
from gpuplanner.files.lists.same_names import SameRead, import_same
from gpuplanner.files.project.project_file import open_project, unpack_rows_of
from gpuplanner.files.sources.issue_texts import kind_words
from gpuplanner.files.system.own_folder import own_folder
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.system.user_files import ROWS, data_folder
from gpuplanner.files.tables.recipe import Recipe
from gpuplanner.files.values.lookback_period import WindowRequest
from gpuplanner.files.values.times import check_timezone
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.lazy_dataclass import dataclass, replace

if TYPE_CHECKING:
    from gpuplanner.domain.commitment.history import LogsSoFar


# --- From the words of a call to a project: files or a .gpuplan, window, labels, assignments, assumptions

DUCKDB, SPARK = "duckdb", "spark"
READ_BY: Final = phrases(
    "jobs|contracts|prices|add|same|format|timezone|map|cluster|tres|drop_alike|open_ended|pseudonyms|pseudonym_key"
    "|focus_quantity|engine"
)
"""Options that say what is read, and how; besides the window."""


def window_request(words: argparse.Namespace, *, whole_log: bool) -> WindowRequest:
    """The window that was asked for. Errors: UsageError for a bound that is no whole hour, or both kinds.

    Times without a zone are UTC. whole_log: what is asked for where no bound is given.
    """
    start_s, end_s = (
        None if text is None else parse_bound(text, name)
        for name, text in (("start", words.start), ("end", words.end))
    )
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


def compared_periods(texts: Sequence[str] | None, window: Window) -> tuple[Period, Period]:
    """The two periods that --compare names, the halves of the window without one. Errors: UsageError; PlannerError.

    Cut to the window. Errors: PlannerError where no whole hour of one lies in it.
    """
    if texts is None:
        return halves(window)
    before, after = (period_between(window, *_bounds_s(text)) for text in texts)
    return before, after


def _bounds_s(text: str) -> tuple[int, int]:
    """`2026-01`, a month, or START/END. Errors: UsageError."""
    month = re.fullmatch(r"(\d{4})-(\d{2})", text)
    if month and 1 <= int(month[2]) <= 12:
        year, number = int(month[1]), int(month[2])
        start, end = f"{year:04}-{number:02}-01", f"{year + number // 12:04}-{number % 12 + 1:02}-01"
    else:
        start, slash, end = text.partition("/")
        if not slash:
            raise UsageError(f"--compare {text!r} is no period; write 2026-01, or 2026-01-01/2026-01-15")
    start_s, end_s = parse_bound(start, "compare"), parse_bound(end, "compare")
    if end_s <= start_s:
        raise UsageError(f"--compare {text!r} ends before it starts; swap the two")
    return start_s, end_s


def project_path(words: argparse.Namespace) -> Path | None:
    """The .gpuplan that stands in for files, given alone or to one of the file options; None without one.

    Errors: UsageError for several projects, or a file of another kind in the project's place.
    """
    given = [words.project] if words.project else []
    for option in ("jobs", "contracts", "prices"):
        given += [path for path in getattr(words, option, []) if path.lower().endswith(PROJECT_SUFFIX)]
    if not given:
        return None
    if len(set(given)) > 1:
        raise UsageError(f"{len(set(given))} projects at once; give one")
    if not given[0].lower().endswith(PROJECT_SUFFIX):
        remedy = "name files with --jobs, --contracts, --prices"
        if hasattr(words, "question") or not hasattr(words, "jobs"):
            remedy = f"give a saved project last, such as plan{PROJECT_SUFFIX}"
        raise UsageError(f"{given[0]!r} is not a {PROJECT_SUFFIX} file; {remedy}")
    return Path(given[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What a call's files hold: the project (None: no job was accepted), the validation of every row, refused files.

    refused: files that could not be read, where others could. currency: what amounts are reported in. before: the
    project without what the call asks of a plan; None where it asks nothing.
    """

    project: Project | None
    intake: tuple[FileIntake, ...]
    refused: tuple[PlannerError, ...] = ()
    currency: Currency = DOLLARS
    before: Project | None = None


def load(
    words: argparse.Namespace,
    *,
    whole_log: bool = False,
    rows_dir: Path | None = None,
    in_dollars: bool | None = None,
) -> Loaded:
    """The project that a call is about. rows_dir: where job rows of files are kept for as long as the call needs them.

    in_dollars: whether its money is US dollars whatever it is reported in; without it, where the answer is JSON.

    Errors: UsageError; PlannerError where a file cannot be read.
    """
    path = project_path(words)
    request = window_request(words, whole_log=whole_log)
    check_timezone(words.timezone)
    same = stated_same(words)
    kept: dict[str, Loaded] = getattr(words, "kept", {})  # a script asks more than once of the same files
    asked = repr([path, request, rows_dir, *(getattr(words, option, None) for option in READ_BY)])
    if asked in kept:
        loaded = kept[asked]
    elif path is not None:
        loaded = kept[asked] = _from_project_file(words, path, request, same.said, rows_dir)
    else:
        if getattr(words, "add", ()):
            raise UsageError(
                f"--add needs a saved project; give all logs with --jobs, or a {PROJECT_SUFFIX} file"
            )
        if not words.jobs:
            raise UsageError(f"{words.command} needs --jobs FILE or a {PROJECT_SUFFIX} file")
        loaded = kept[asked] = _from_files(words, request, rows_dir, same.said)
    if same.intake:
        loaded = _with_intake(loaded, same.intake)
    if getattr(words, "rules", []):
        loaded = _with_rules(loaded, words.rules)
    if loaded.project is None:
        return loaded
    loaded = _with_unused(loaded, loaded.project, same)
    assert loaded.project is not None
    if words.command == "reduce":
        return replace(loaded, intake=loaded.project.intake)
    is_dollars = words.json if in_dollars is None else in_dollars
    project, currency = with_money(loaded.project, words, in_dollars=is_dollars)
    before = unasked(words, project)
    before_it = None if before is None else with_words(project, before)
    project = with_words(project, words)
    return replace(loaded, project=project, intake=project.intake, currency=currency, before=before_it)


@contextmanager
def job_rows(words: argparse.Namespace) -> Iterator[Path]:
    """Where the job rows of a call's files are kept: until it ends, or as long as what a script has read."""
    kept: Path | None = getattr(words, "kept_rows", None)
    if kept is not None:
        yield kept
    else:
        with own_folder() as folder:
            yield folder


def rows_folder(project: Project, rows_dir: Path | None) -> Path | None:
    """Where the job rows behind a project are: in that of this call, or of the window's imports; None: not kept."""
    for folder in (rows_dir, data_folder() / ROWS):
        try:
            if folder is not None:
                kept_rows(folder, project.jobs)
                return folder
        except PlannerError:
            continue
    return None


def past_logs(project: Project, rows_dir: Path) -> "LogsSoFar | None":
    """How a project's log was known in the past, by the rows behind it; None where none are kept."""
    folder = rows_folder(project, rows_dir)
    return None if folder is None else partial(logs_so_far, folder, project)


def months_in(project: Project, rows_dir: Path | None) -> Iterator[Project] | None:
    """A project over each calendar month of its log, by the rows behind it; None where none are kept."""
    folder = rows_folder(project, rows_dir)
    return None if folder is None else months_of_log(folder, project)


def stated_same(words: argparse.Namespace) -> SameRead:
    """What --same says, with the lists that it names. Errors: UsageError; PlannerError where one cannot be read.

    A text without an equals sign is the name of a list; so is one that is a file.
    """
    said: list[StatedSame] = []
    intake: list[FileIntake] = []
    for text in words.same:
        if "=" not in text or Path(text).is_file():
            read = import_same([text])
            said += read.said
            intake += read.intake
        else:
            said.append(parse_same(text))
    return SameRead(tuple(said), tuple(intake))


def _with_unused(loaded: Loaded, project: Project, same: SameRead) -> Loaded:
    """With an issue of the rows of lists whose names occur in no file of this call: they wait for one that has them."""
    held = {one.theirs.casefold() for one in project.same}
    unused = [
        one.where.rpartition(":") for one in same.said if one.where and one.theirs.casefold() not in held
    ]

    def noted(file: FileIntake) -> FileIntake:
        rows = [int(row) for path, _, row in unused if file.kind == SAME_LIST and path == file.path]
        if not rows:
            return file
        fault = worded("names not in these files; the row applies once they occur")
        return replace(file, issues=(*file.issues, Issue("unknown_value", len(rows), rows[0], fault)))

    if not unused:
        return loaded
    project = replace(project, intake=tuple(map(noted, project.intake)))
    return replace(loaded, project=project, intake=tuple(map(noted, loaded.intake)))


def _with_rules(loaded: Loaded, paths: list[str]) -> Loaded:
    """With the class rules of these files after the project's own; one of an id that is there takes its place."""
    read = RULES.read_files(paths)
    project, intake = loaded.project, (*loaded.intake, *read.intake)
    if project is not None:
        project = replace(add_rules(project, read.values), intake=(*project.intake, *read.intake))
    return Loaded(project=project, intake=intake, refused=(*loaded.refused, *read.refused))


def _with_intake(loaded: Loaded, files: tuple[FileIntake, ...]) -> Loaded:
    """What was loaded, with more files that were read for it."""
    project = loaded.project
    if project is not None:
        project = replace(project, intake=(*project.intake, *files))
    return replace(loaded, project=project, intake=(*loaded.intake, *files))


def _from_files(
    words: argparse.Namespace, request: WindowRequest, rows_dir: Path | None, same: tuple[StatedSame, ...]
) -> Loaded:
    """Read with progress on the terminal; the project is None where no job was accepted. Errors: UsageError;
    PlannerError.
    """
    if getattr(words, "engine", DUCKDB) == SPARK:
        if same:
            raise UsageError("--same with --engine spark, which only counts; leave one of the two out")
        return _from_spark(words, request)
    with progress.progress_on_terminal() as on_progress:
        read = read_inputs(
            words.jobs,
            table_mappings(words, "contracts") or reading.files_of(words, "contracts"),
            table_mappings(words, "prices") or reading.files_of(words, "prices"),
            options=reading.read_options(words),
            window_request=request,
            rows_dir=rows_dir,
            same=same,
            refuses_unread=True,
            on_progress=on_progress,
        )
    accepted = read.accepted_jobs > 0 and read.window is not None
    return Loaded(project=read.project() if accepted else None, intake=read.intake, refused=read.refused)


def _from_spark(words: argparse.Namespace, request: WindowRequest) -> Loaded:
    """What Spark cannot do is refused before anything is read. Errors: UsageError; PlannerError."""
    from gpuplanner.files.importing.spark.spark_reduce import reduce_on_spark

    if words.format not in (None, "own_csv", "mapped"):
        raise UsageError(f"--engine spark does not read {words.format}; leave --engine out, or use --map")
    if words.pseudonyms or words.pseudonym_key:
        raise UsageError("--pseudonyms with --engine spark, which keeps no names; leave one of the two out")
    if words.open_ended:
        raise UsageError(
            "--open-ended with --engine spark, which does not read such rows; leave one of the two out"
        )
    if words.tres:
        raise UsageError("--tres with --engine spark, which reads no Slurm; leave one of the two out")
    cluster, clusters = reading.clusters_of(words)
    jobs = reduce_on_spark(
        words.jobs,
        mapping=words.map,
        timezone=words.timezone,
        cluster=cluster,
        clusters=clusters,
        window_request=request,
        drop_alike=words.drop_alike,
    )
    read = assemble(jobs, ContractsRead(), PricesRead())
    is_any = read.accepted_jobs > 0 and read.window is not None
    return Loaded(project=read.project() if is_any else None, intake=read.intake, refused=read.refused)


def _from_project_file(
    words: argparse.Namespace,
    path: Path,
    request: WindowRequest,
    same: tuple[StatedSame, ...],
    rows_dir: Path | None,
) -> Loaded:
    """What only an import can do is refused. Names that were decided on are read again from the kept rows.

    rows_dir: where the job rows that the project has go, for as long as the call needs them.
    Errors: UsageError; PlannerError.
    """
    if reading.files_of(words, "jobs"):
        raise UsageError(f"both {path} and --jobs; give one of the two")
    with own_folder() as room:
        return _opened(words, path, request, same, rows_dir or room)


def _opened(
    words: argparse.Namespace,
    path: Path,
    request: WindowRequest,
    same: tuple[StatedSame, ...],
    rows_dir: Path,
) -> Loaded:
    """The project with what the call gives beside it. Errors: UsageError; PlannerError."""
    added = _added_words(words)
    kept = "the rows that its import counted"
    for option, is_given, named in (
        ("--drop-alike", words.drop_alike, kept),
        ("--open-ended", words.open_ended, kept),
        ("--tres", words.tres, "the GPUs that its import counted"),
        ("--pseudonyms", pseudonyms_of(words), "the names it was made with"),
        ("--cluster NAME", any("=" not in text for text in words.cluster), "its clusters"),
    ):
        if is_given and not added.jobs:
            raise UsageError(f"a project keeps {named}; give {option} with --jobs")
    project = open_project(path)
    if rows_folder(project, None) is None:
        unpack_rows_of(path, project, rows_dir)
    if any(getattr(words, "add", ())):
        project = _with_added(project, path, added, request, same, rows_dir)
    before, tables = project, _tables(words, project)
    if same:
        project = say_same(project, _resolved(project, same, tables))
    is_renamed = any(one.kind is not SameKind.MODEL for one in {*project.same} - {*before.same})
    is_asked = any(bound is not None for bound in (request.start_s, request.end_s, request.days))
    if is_renamed and not (is_asked or request.whole_log):
        request = replace(request, start_s=project.window.start_s, end_s=project.window.end_s)
    if is_renamed or is_asked or request.whole_log:
        project = _in_window(project, path, words, request, rows_dir)
    loaded = _with_replaced_files(project, *tables)
    if loaded.project is before or loaded.project is None:
        return loaded
    return replace(loaded, project=respelled(loaded.project, gpu_families()))


def _added_words(words: argparse.Namespace) -> argparse.Namespace:
    """The words of a call with the files of --add among its job logs, contracts and prices, each by what it is.

    Errors: UsageError for a file of another kind; PlannerError where one cannot be read.
    """
    kinds: dict[str, list[str]] = {"jobs": [], "contracts": [], "prices": []}
    for path in getattr(words, "add", ()):
        recognized = glance(path)
        kind = "jobs" if recognized.kind in LOG_KINDS else recognized.kind
        if kind not in kinds:
            raise UsageError(
                f"--add {path}: it is {kind_words(recognized.kind)}; add job logs, contracts and prices"
            )
        kinds[kind].append(path)
    added = copy(words)
    added.jobs, added.contracts, added.prices = kinds.values()
    return added


def _with_added(
    project: Project,
    path: Path,
    added: argparse.Namespace,
    request: WindowRequest,
    same: tuple[StatedSame, ...],
    rows_dir: Path,
) -> Project:
    """The project with further files, as *Add to existing data* takes them in. added: of `_added_words`.

    Errors: PlannerError file_missing where the project's job rows are gone; usage.
    """
    contracts, prices = _tables(added, project)
    jobs = None
    if added.jobs:
        folder = rows_folder(project, rows_dir)
        if folder is None:
            raise PlannerError(
                str(path),
                "file_missing",
                worded("the project has no job rows, so no log can join them"),
                worded("give all logs with --jobs"),
            )
        with progress.progress_on_terminal() as on_progress:
            jobs = import_jobs(
                added.jobs,
                reading.read_options(added),
                window_request=request,
                rows_dir=rows_dir,
                same=resolver(
                    same,
                    (*project.contracts, *(contracts.contracts if contracts else ())),
                    (*project.offers, *(prices.offers if prices else ())),
                    project.same,
                ),
                kept=kept_logs(folder, project, added.jobs),
                on_progress=on_progress,
            )
    read = assemble(jobs or _jobs_of(project), contracts or ContractsRead(), prices or PricesRead())
    for fault in read.refused:
        raise fault
    assert read.window is not None and read.cube is not None
    after = import_inputs(
        project,
        jobs=None if jobs is None else LoadedJobs(read.window, read.cube, read.workloads, read.jobs),
        contracts=None if contracts is None else read.contracts,
        offers=None if prices is None else read.offers,
        earlier_offers=read.earlier_offers,
        intake=read.intake,
        adding=True,
    )
    return respelled(keep_decisions(project, say_same(after, read.same)), gpu_families())


def _jobs_of(project: Project) -> JobsRead:
    """The jobs of a project as if its logs had been read now, without their files."""
    return JobsRead(
        window=project.window,
        cube=project.cube,
        workloads=project.workloads,
        jobs=project.jobs,
        intake=(),
        same=project.same,
    )


def _tables(words: argparse.Namespace, project: Project) -> tuple[ContractsRead | None, PricesRead | None]:
    """The contracts and prices that a call gives beside a project; None where it gives none."""
    known = {file.sha256 for file in project.intake if file.sha256}
    read_contracts = partial(import_contracts, refuses_unread=True, known=known)
    read_prices = partial(import_prices, refuses_unread=True, known=known)
    contracts, prices = reading.files_of(words, "contracts"), reading.files_of(words, "prices")
    _, clusters = reading.clusters_of(words)
    return (
        read_contracts(contracts, table_mappings(words, "contracts"), clusters) if contracts else None,
        read_prices(prices, table_mappings(words, "prices")) if prices else None,
    )


def prices_of(words: argparse.Namespace, project: Project, assumptions: Assumptions) -> PricesRead:
    """The prices that a call without a log gives, in the money of its project; else the project's own.

    assumptions: what machines that are owned cost at. Errors: PlannerError.
    """
    read = import_prices(
        reading.files_of(words, "prices"), table_mappings(words, "prices"), refuses_unread=True
    )
    if not read.intake:
        own = tuple(file for file in project.intake if file.kind == "prices")
        return replace(read, offers=project.offers, intake=own)
    offers = counted_rows(read.offers, project.currency, project.exchange)
    offers = sending(owned_at(offers, assumptions.wacc, assumptions.pue), assumptions.egress_gb_per_gpu_hour)
    return replace(read, offers=offers)


def _resolved(
    project: Project, said: Sequence[StatedSame], tables: tuple[ContractsRead | None, PricesRead | None]
) -> tuple[Same, ...]:
    """Decisions with their kinds, by the names of a project, of what it was told before, and of files beside it."""
    contracts, prices = tables
    settle = resolver(
        said,
        (*project.contracts, *(contracts.contracts if contracts is not None else ())),
        (*project.offers, *(prices.offers if prices is not None else ())),
    )
    if settle is None:
        return ()
    told = {
        kind: {name for one in project.same if one.kind is kind for name in (one.theirs, one.ours)}
        for kind in SameKind
    }
    works = project.workloads
    models = {*project.cube.gpu_models, *models_of_log(project.jobs), *told[SameKind.MODEL]}
    clusters = {*(work.cluster for work in works), *told[SameKind.CLUSTER]}
    clusters |= {partition_name(cluster, queue) for cluster, queue, _ in project.jobs.queues}
    keys = {key for work in works for key in (work.key, work.key.removeprefix(f"{work.cluster}/"))}
    names = keys | {work.name for work in works} | told[SameKind.WORKLOAD]
    return settle(frozenset(models), frozenset(clusters), lambda: frozenset(names))


def _in_window(
    project: Project, path: Path, words: argparse.Namespace, request: WindowRequest, rows_dir: Path
) -> Project:
    """The project in another window or over its whole log, from the job rows that its import kept.

    Where they are gone the whole log is what the project holds. Errors: PlannerError file_missing where bounds are
    given then; usage.
    """
    try:
        with progress.progress_on_terminal() as on_progress:
            read = rewindow(
                rows_folder(project, rows_dir) or data_folder() / ROWS,
                project.jobs,
                project.intake,
                request,
                timezone=words.timezone or project.window.timezone,
                same=project.same,
                on_progress=on_progress,
            )
    except PlannerError as fault:
        if fault.code != "file_missing":
            raise
        if all(bound is None for bound in (request.start_s, request.end_s, request.days)):
            return project
        what = worded(
            "lookback period and names cannot change: no job rows of {names} here",
            names=", ".join(PurePath(file.path).name for file in project.intake if file.kind == "jobs"),
        )
        remedy = worded("give the log with --jobs, not the project, or import it in the window and save")
        raise PlannerError(str(path), "file_missing", what, remedy) from fault
    if read.window is None or read.cube is None:  # the log had no job
        return project
    changed = import_inputs(project, jobs=LoadedJobs(read.window, read.cube, read.workloads, read.jobs))
    logs = iter(read.intake)
    intake = tuple(next(logs) if file.kind == "jobs" else file for file in project.intake)
    return replace(keep_decisions(project, changed), intake=intake)


def table_mappings(words: argparse.Namespace, kind: str) -> dict[str, str | Recipe]:
    """How the files of contracts or prices are read, where that was said.

    Errors: UsageError; PlannerError for a recipe that cannot be read.
    """
    meant = getattr(words, "focus_quantity", None) if kind == "contracts" else None
    if meant is not None and meant not in OF_QUANTITY:
        raise UsageError(f"--focus-quantity {meant!r}; write interval or period")
    mapping = ",".join(filter(None, (reading.maps_of(words).get(kind), meant and QUANTITY + meant)))
    files, recipe = reading.files_of(words, kind), reading.recipes_of(words).get(kind)
    if recipe is not None:
        return dict.fromkeys(files, recipe.with_words(mapping))
    return dict.fromkeys(files, mapping) if mapping else {}


def _with_replaced_files(
    project: Project, contracts: ContractsRead | None, prices: PricesRead | None
) -> Loaded:
    """The project with these contracts and prices in place of its own, where any were given.

    What vendors answered joins the prices of the project where no list is given beside it.
    """
    given = {"contracts": contracts, "prices": prices}
    is_joined = prices is not None and file_results.are_answers(prices.intake)
    if prices is not None and is_joined:
        lists = tuple(file for file in project.intake if file.kind == "prices")
        given_again = {file.path for file in prices.intake}
        kept_lists = (file for file in lists if file.path not in given_again)
        prices = replace(prices, intake=(*kept_lists, *prices.intake))
    if contracts is None and prices is None:
        return Loaded(project=project, intake=project.intake)
    kept = [file for file in project.intake if given.get(file.kind) is None]
    intake = {kind: tuple(file for file in kept if file.kind == kind) for kind in ("contracts", "prices")}
    logs = tuple(file for file in kept if file.kind not in intake)
    read = assemble(
        replace(_jobs_of(project), intake=logs),
        contracts or ContractsRead(project.contracts, intake["contracts"]),
        prices or PricesRead(project.offers, intake["prices"]),
    )
    assert read.cube is not None
    offers, gone = (joined if is_joined else replaced)(project.offers, read.offers)
    offers, not_bid = without_taken_back(offers, read.intake)
    gone = (*gone, *filter(is_dated, not_bid))
    changed = replace(
        project,
        cube=read.cube,
        jobs=read.jobs,
        contracts=read.contracts,
        offers=offers,
        earlier_offers=with_earlier(project.earlier_offers, (*gone, *read.earlier_offers), offers),
        intake=read.intake,
    )
    return Loaded(project=changed, intake=read.intake, refused=read.refused)
