"""Lists that a planner keeps: planned work, budgets, business figures, class rules, names that are one."""

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Final, NamedTuple

from gpuplanner.domain.demand.own_rules import LEAST_OWN_CONFIDENCE, OWN_CONFIDENCE, RULE_FIELDS, check_rule
from gpuplanner.domain.demand.rule_preview import rule_id_for
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, worded, worded_both
from gpuplanner.domain.model import project
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.gpu_family import SameKind, StatedSame
from gpuplanner.domain.model.intake import Facts, FileIntake
from gpuplanner.domain.model.plan_inputs import ALWAYS, MOST_GPUS, PlannedWork
from gpuplanner.domain.model.tables import ClassRule, Pool
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.output_file import write_table
from gpuplanner.files.tables.delimited import csv_text
from gpuplanner.files.tables.small_table import (
    Row,
    RowError,
    TableKind,
    TableRead,
    not_one_of,
    one_value,
    read_files,
)
from gpuplanner.files.values.numbers import read_amount
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

# --- Planned work as a table: name, pool, gpu_model, gpus, begins, ends, and either hours of the week or a length

PLANNED_COLUMNS: Final = (
    "name",
    "pool",
    "gpu_model",
    "gpus",
    "begins",
    "ends",
    "hours",
    "length_hours",
    "latest_finish",
    "cluster",
    "team",
    "every_hours",
)
_ITS_OWN: Final = frozenset({"begins", "length_hours", "latest_finish", "every_hours"})
"""No other table calls a column so."""

MOST_HOURS: Final = 1_000_000
"""Of a length: over a century."""

DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_HOURS: Final = lazy_re(r"^([a-z]{3}(?:[-,][a-z]{3})*)\s+(\d{1,2})\s*-\s*(\d{1,2})$")


@dataclass(frozen=True, slots=True)
class PlannedRead:
    """The work of some files, one of each key, how their rows ended, and why files were refused."""

    works: tuple[PlannedWork, ...] = ()
    intake: tuple[FileIntake, ...] = ()
    refused: tuple[PlannerError, ...] = ()


NOTHING_PLANNED: Final = PlannedRead()


def import_planned(paths: Sequence[str], timezone: str | None = None) -> PlannedRead:
    """Read files of planned work. timezone: of times without a zone (None: UTC).

    Errors: PlannerError file_missing, file_unreadable. A file without its columns is refused.
    """
    known: dict[str, PlannedWork] = {}
    read = replace(PLANNED, reader=lambda: _planned_reader(known)).read_files(paths, timezone)
    return PlannedRead(tuple(sorted(read.values, key=_key)), read.intake, read.refused)


def hours_of(text: str) -> tuple[int, ...]:
    """`always`, `mon-fri 08-20`, `sat,sun 00-24` as hours of the week, Monday 00:00 is 0.

    >>> hours_of("mon 08-10"), len(hours_of("always")), hours_of("sun,mon 23-24")
    ((8, 9), 168, (23, 167))
    """
    cleaned = " ".join(text.lower().split())
    if cleaned in ("", "always"):
        return ALWAYS
    form = _HOURS.match(cleaned)
    days = _days(form[1]) if form else ()
    if form is None or not days or not int(form[2]) < int(form[3]) <= 24:
        raise PlannerError(
            "hours",
            "usage",
            worded("{text} are not hours of the week", text=repr(text)),
            worded_both(
                "write always, mon-fri 08-20 or sat,sun 00-24", "write always, or hours such as mon-fri 08-20"
            ),
        )
    return tuple(sorted(24 * day + hour for day in days for hour in range(int(form[2]), int(form[3]))))


def hours_text(hours: Sequence[int]) -> str:
    """As `hours_of` reads them; "" for hours that are not the same on each of their days, or not in one run.

    >>> hours_text(hours_of("mon-fri 08-20")), hours_text(hours_of("sat,sun 00-24")), hours_text(ALWAYS)
    ('mon-fri 08-20', 'sat,sun 00-24', 'always')
    """
    if tuple(hours) == ALWAYS:
        return "always"
    days, times = sorted({hour // 24 for hour in hours}), sorted({hour % 24 for hour in hours})
    if not days or len(hours) != len(days) * len(times) or times[-1] - times[0] + 1 != len(times):
        return ""
    is_run = len(days) > 2 and days[-1] - days[0] + 1 == len(days)
    named = f"{DAYS[days[0]]}-{DAYS[days[-1]]}" if is_run else ",".join(DAYS[day] for day in days)
    return f"{named} {times[0]:02}-{times[-1] + 1:02}"


def _days(text: str) -> tuple[int, ...]:
    """Days of the week from words such as `mon-fri,sun`, 0 to 6 from Monday; empty if a word is none.

    A range may go over the end of the week.
    """
    days: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        if first not in DAYS or (last and last not in DAYS):
            return ()
        begin, end = DAYS.index(first), DAYS.index(last or first)
        days |= {day % 7 for day in range(begin, (end if end >= begin else end + 7) + 1)}
    return tuple(sorted(days))


def work_of(row: Row) -> PlannedWork:
    """The work of one row: what is there and cannot be read would plan other work than was meant.

    Errors: RowError.
    """
    name, pool, gpu_model = (_required(row, column) for column in ("name", "pool", "gpu_model"))
    if pool.lower() not in set(Pool):
        raise _bad(row, "pool", worded("write training, inference or burst"), "unknown_value")
    length = _length(row)
    every = _every(row, length)
    for column in ("hours", "ends") if every is None else ("hours",):
        if length is not None and row.text(column) is not None:
            problem = worded("both {column} and length_hours", column=column)
            raise RowError("bad_number", problem, worded("use only one of them"))
    begins_s, ends_s, latest_finish_s = (_time(row, column) for column in ("begins", "ends", "latest_finish"))
    if begins_s is not None and ends_s is not None and ends_s <= begins_s:
        problem = worded(
            "ends ({ends}) is not after begins ({begins})", ends=iso_utc(ends_s), begins=iso_utc(begins_s)
        )
        raise RowError("end_before_start", problem, worded("correct the times, or their columns"))
    return PlannedWork(
        name=name,
        pool=Pool(pool.lower()),
        gpu_model=gpu_model,
        gpus=_gpus(row),
        cluster=row.text("cluster") or "",
        team=row.text("team") or "",
        begins_s=begins_s,
        ends_s=ends_s,
        hours=_hours(row),
        length_hours=length,
        latest_finish_s=latest_finish_s,
        every_hours=every,
    )


def _required(row: Row, column: str) -> str:
    """The text of a column; RowError `missing_column` if it is empty."""
    text = row.text(column)
    if text is None:
        raise RowError("missing_column", worded("{column} is empty", column=column), worded("fill it in"))
    return text


def _bad(row: Row, column: str, remedy: Message, code: str = "bad_number") -> RowError:
    """The error for a cell that is there and cannot be used."""
    return RowError(code, worded("{column} is {text}", column=column, text=repr(row.text(column))), remedy)


def _gpus(row: Row) -> float:
    """The count of GPUs, over 0; RowError otherwise."""
    _required(row, "gpus")
    gpus = row.number("gpus", high=MOST_GPUS)
    if not gpus:
        raise _bad(row, "gpus", worded("write a number over 0, at most {most}", most=whole(MOST_GPUS)))
    return float(gpus)


def _length(row: Row) -> int | None:
    """The length in whole hours; None if none is stated, RowError if it is no such number."""
    length = row.integer("length_hours", high=MOST_HOURS)
    if row.text("length_hours") is not None and not length:
        remedy = worded("write whole hours, 1 to {most}", most=whole(MOST_HOURS))
        raise _bad(row, "length_hours", remedy)
    return length


def _every(row: Row, length: int | None) -> int | None:
    """After how many whole hours it starts again, no fewer than its length; None if it does not."""
    every = row.integer("every_hours", high=MOST_HOURS)
    if row.text("every_hours") is None:
        return None
    if not every or length is None or every < length:
        raise _bad(row, "every_hours", worded("write whole hours, at least length_hours"))
    if row.text("latest_finish") is not None:
        problem = worded("both {column} and every_hours", column="latest_finish")
        raise RowError("bad_number", problem, worded("use only one of them"))
    return every


def _time(row: Row, column: str) -> int | None:
    """A time in UTC seconds; None if the cell is empty, RowError `bad_time` if it says anything else."""
    try:
        at_s = row.time(column)
    except RowError:
        at_s = None
    if at_s is None and row.text(column) is not None:  # "unknown" too, a log's word for no time
        raise _bad(row, column, ISSUE_TEXTS["bad_time"][1], "bad_time")
    return at_s


def _hours(row: Row) -> tuple[int, ...]:
    """The hours of the week, 0 to 167; RowError with the remedy of the words for hours."""
    try:
        return hours_of(row.text("hours") or "")
    except PlannerError as fault:
        raise _bad(row, "hours", fault.remedy) from None


def _key(work: PlannedWork) -> str:
    """What tells planned work apart."""
    return work.key


def _planned_reader(known: dict[str, PlannedWork]) -> Callable[[Row], tuple[PlannedWork]]:
    """A row as work; one that says something else of a key that is known is rejected."""

    def read_row(row: Row) -> tuple[PlannedWork]:
        """One row as planned work; RowError `name_taken` if an earlier row has the name for other work."""
        work = work_of(row)
        if known.setdefault(work.key, work) != work:
            raise RowError(
                "name_taken",
                worded("{name} already exists for this cluster and team", name=repr(work.name)),
                ISSUE_TEXTS["name_taken"][1],
            )
        return (work,)

    return read_row


def _planned_facts(works: Sequence[PlannedWork]) -> Facts:
    """Workloads, their GPUs added up and their models."""
    return (
        ("workloads", len(works)),
        ("gpus", float(sum(work.gpus for work in works))),
        ("gpu_models", sorted({work.gpu_model for work in works})),
    )


PLANNED: Final = TableKind(
    kind="planned",
    format="own_planned",
    columns=PLANNED_COLUMNS,
    needed=tuple((name,) for name in ("name", "pool", "gpu_model", "gpus")),
    reader=lambda: _planned_reader({}),
    key=_key,
    why=worded("has the columns {names}", names="name, pool, gpu_model, gpus"),
    tells=lambda names: names <= {*PLANNED_COLUMNS} or not names.isdisjoint(_ITS_OWN),
    facts=_planned_facts,
    tells_unread=True,
)


# --- Budgets of teams: CSV, XLSX or Parquet with the columns team and usd_per_month --------------


class Budget(NamedTuple):
    """One row. usd_per_month: US dollars a month of 730 h."""

    team: str
    usd_per_month: float


def _read_budget(row: Row) -> Budget:
    """A row as a budget. Errors: RowError where there is no name, or no amount."""
    team = row.required("team")
    text = row.required("usd_per_month")
    usd = _dollars(text)
    if usd is None:
        raise RowError("bad_number", worded("{column} is {text}", column="usd_per_month", text=repr(text)))
    try:
        return Budget(team, project.check_budget(team, float(usd)))
    except PlannerError as fault:
        raise RowError("unknown_value", fault.what) from None


def _dollars(text: str) -> Decimal | None:
    """What is typed as an amount: 20,000, $20,000 and 20k too. None where it is none, or of another currency.

    >>> [_dollars(text) for text in ("20,000", "$1,200.50", "20k", "-1", "20 EUR", "many")]
    [Decimal('20000'), Decimal('1200.50'), Decimal('20000'), None, None, None]
    """
    amount = read_amount(text)
    is_amount = amount.number is not None and not amount.per and amount.currency in (None, "USD")
    if not is_amount or amount.number is None:
        return None
    return amount.number if 0 <= amount.number <= project.LARGEST_BUDGET else None


def _budget_facts(budgets: Sequence[Budget]) -> Facts:
    """What a file says."""
    return (("teams", len(budgets)), ("usd_per_month", sum(budget.usd_per_month for budget in budgets)))


BUDGETS: Final = TableKind(
    kind="budgets",
    format="own_budgets",
    columns=("team", "usd_per_month"),
    needed=(("team",), ("usd_per_month",)),
    reader=one_value(_read_budget),
    key=lambda row: row.team,
    why=worded("has the columns {names}", names="team, usd_per_month"),
    facts=_budget_facts,
    tells_unread=True,
)
"""US dollars a month by team; of two rows of one team the first is kept."""


# --- Limits of a scheduler: CSV, XLSX or Parquet with whose they are, and max_gpus or shares -------

_WHOSE: Final = ("user", "account", "qos", "partition")


def _read_limit(row: Row) -> project.Limit:
    """A row as a limit. Errors: RowError where it names nobody, or where there is no number or a bad one."""
    names = {column: row.text(column) or "" for column in _WHOSE}
    numbers: dict[str, float | None] = {}
    for column, least in (("max_gpus", 0.0), ("shares", 1e-9)):
        number = numbers[column] = row.real(column, high=MOST_GPUS)
        if row.text(column) is not None and (number is None or number < least):
            raise _bad(row, column, worded("write a number over 0, at most {most}", most=whole(MOST_GPUS)))
    for columns, values in ((names, names.values()), (numbers, numbers.values())):
        if all(value in ("", None) for value in values):
            raise RowError(
                "missing_column", worded("{column} is empty", column=", ".join(columns)), worded("fill it in")
            )
    is_of_one = names["user"] or names["account"]
    is_of_more = names["qos"] or names["partition"] or "*" in names.values()
    if numbers["shares"] and (is_of_more or not is_of_one):
        raise _bad(row, "shares", worded("give shares to one user or one account"))
    return project.Limit(
        user=names["user"],
        account=names["account"],
        qos=names["qos"],
        partition=names["partition"],
        gpu_model=row.text("gpu_model") or "",
        max_gpus=numbers["max_gpus"],
        shares=numbers["shares"],
    )


LIMITS: Final = TableKind(
    kind="limits",
    format="own_limits",
    columns=(*_WHOSE, "gpu_model", "max_gpus", "shares"),
    needed=(_WHOSE, ("max_gpus", "shares")),
    reader=one_value(_read_limit),
    key=lambda limit: (*limit.names, limit.max_gpus is None),
    why=worded("has a user, account, qos or partition, and max_gpus or shares"),
    tells_unread=True,
)
"""Of two rows of the same names the first is kept; `*` stands for each user, account, QOS, partition or GPU model."""


# --- Figures of the business: CSV, XLSX or Parquet with the columns month, figure and value ------

MONTH_SIGNS: Final = 7
"""2026-08: of a whole date the day is passed over."""


def _read_business_figure(row: Row) -> project.BusinessFigure:
    """A row as a figure. Errors: RowError where there is no name, no month, or no number above 0."""
    month, name, text = row.required("month"), row.required("figure"), row.required("value")
    value = row.number("value", high=project.LARGEST)
    if value is None:
        raise RowError("bad_number", worded("{column} is {text}", column="value", text=repr(text)))
    try:
        return project.check_business(
            project.BusinessFigure(name, month[:MONTH_SIGNS], float(value), row.text("key") or "")
        )
    except PlannerError as fault:
        raise RowError("unknown_value", fault.what) from None


def _business_facts(figures: Sequence[project.BusinessFigure]) -> Facts:
    """What a file says."""
    return (
        ("figures", len({figure.name for figure in figures})),
        ("months", len({figure.month for figure in figures})),
    )


BUSINESS: Final = TableKind(
    kind="business",
    format="own_business",
    columns=("month", "figure", "value", "key"),
    needed=(("month",), ("figure",), ("value",)),
    reader=one_value(_read_business_figure),
    key=lambda row: row.identity,
    why=worded("has the columns {names}", names="month, figure, value"),
    facts=_business_facts,
    tells_unread=True,
)
"""Of two rows of one figure and month the first is kept."""


# --- The planner's own class rules as CSV, to be kept or shared: the columns of resources/class_rules.csv

RULES_FORMAT: Final = "class_rules"
RULE_COLUMNS: Final = ("rule_id", "field", "pattern", "pool", "subtype", "confidence", "reason")
LONGEST_TEXT: Final = 200


def begins_rules(path: Path) -> bool:
    """Whether the first line of a text file on disk is the header of rules; False for what cannot be read."""
    try:
        with path.open("rb") as file:
            return RULES.sniff(file.read(4096).decode("utf-8-sig", "replace")) > 0
    except OSError:
        return False


def _rules_reader() -> Callable[[Row], tuple[ClassRule]]:
    """A reader of rows that remembers the IDs it gave, so that no two rules get the same."""
    taken: set[str] = set()

    def rule_of(row: Row) -> tuple[ClassRule]:
        """One row as a rule, its ID taken from now on."""
        rule = _read_rule(row, taken)
        taken.add(rule.rule_id)
        return (rule,)

    return rule_of


RULES: Final = TableKind(
    kind="rules",
    format=RULES_FORMAT,
    columns=RULE_COLUMNS,
    needed=(("field",), ("pattern",), ("pool",)),
    reader=_rules_reader,
    key=lambda rule: rule.rule_id,
    why=worded("has the columns {names}", names="field, pattern, pool"),
    sureness=1.0,
)
"""A row that cannot be a rule is rejected with what is wrong with it. One without rule_id gets one from its class and
words; a confidence is raised to 0.95, an empty one is 0.97."""


def _read_rule(row: Row, taken: set[str]) -> ClassRule:
    """A row as a class rule; RowError `bad_rule` for an unknown field or pool, a bad pattern, a long text."""
    field, pattern = row.required("field").lower(), row.required("pattern")
    pool_text = row.required("pool").lower()
    if field not in RULE_FIELDS:
        raise RowError("bad_rule", not_one_of("field", field, RULE_FIELDS))
    if pool_text not in set(Pool):
        raise RowError("bad_rule", not_one_of("pool", pool_text, Pool))
    pool = Pool(pool_text)
    confidence = row.number("confidence", high=1)
    rule = ClassRule(
        rule_id=_short(row, "rule_id") or rule_id_for(pool, pattern, taken),
        field=field,
        pattern=pattern,
        pool=pool,
        subtype=_short(row, "subtype"),
        confidence=OWN_CONFIDENCE if confidence is None else max(float(confidence), LEAST_OWN_CONFIDENCE),
        reason=_short(row, "reason"),
    )
    try:
        check_rule(rule)
    except PlannerError as fault:
        raise RowError(
            fault.code,
            worded("{where}: {what}; {remedy}", where=fault.where, what=fault.what, remedy=fault.remedy),
        ) from None
    return rule


def _short(row: Row, column: str) -> str:
    """A text with single blanks; RowError `bad_rule` if it is too long to be shown."""
    text = " ".join((row.text(column) or "").split())
    if len(text) > LONGEST_TEXT:
        raise RowError(
            "bad_rule",
            worded("{column} is longer than {most} characters", column=column, most=whole(LONGEST_TEXT)),
        )
    return text


def rules_text(rules: Iterable[ClassRule]) -> str:
    """Rules as CSV; no cell begins a formula. Law: reading it gives the same rules."""
    rows = (
        (
            rule.rule_id,
            rule.field,
            rule.pattern,
            rule.pool.value,
            rule.subtype,
            f"{rule.confidence:g}",
            rule.reason,
        )
        for rule in rules
    )
    return csv_text((RULE_COLUMNS, *rows))


def write_rules(rules: Iterable[ClassRule], path: Path) -> None:
    """Write rules to a file: all of it or nothing. Errors: PlannerError file_unreadable."""
    write_table(path, rules_text(rules))


# --- Lists of what is one though it has two names: CSV with the columns kind, theirs, ours -------

SAME_KIND: Final = "same"


@dataclass(frozen=True, slots=True)
class SameRead:
    """Decisions in the order of files and rows, and the intake of the files."""

    said: tuple[StatedSame, ...] = ()
    intake: tuple[FileIntake, ...] = ()


def import_same(paths: Sequence[str]) -> SameRead:
    """Read lists. Errors: PlannerError file_missing, file_unreadable, missing_column, usage (a row of no use)."""
    read = read_files(paths, lambda _, source: _read_list(source), repr, SAME.refused, refusing=())
    return SameRead(read.values, read.intake)


def _read_list(source: Source) -> TableRead[StatedSame]:
    """What is one decides every figure: all of a list is taken, or nothing."""
    read = SAME.read(source)
    if read.intake.rejected:
        row = read.intake.rejected[0]
        where = f"--same {source.path}:{row.row}"
        raise PlannerError(where, "usage", row.message, worded("correct the row, or remove it"))
    at = (f"{source.path}:{line}" for line in read.rows)
    placed = tuple(replace(value, where=where) for value, where in zip(read.values, at, strict=True))
    return replace(read, values=placed)


def _read_stated_same(row: Row) -> StatedSame:
    """A row as a stated equality of two names; only a cluster may have no name on their side."""
    kind = (row.text("kind") or "").lower()
    if kind and kind not in set(SameKind):
        raise RowError("unknown_value", not_one_of("kind", kind, SameKind))
    theirs = row.text("theirs") or ""
    if not theirs and kind != SameKind.CLUSTER:
        row.required("theirs")
    return StatedSame(SameKind(kind) if kind else None, theirs, row.required("ours"))


SAME: Final = TableKind(
    kind=SAME_KIND,
    format=SAME_KIND,
    columns=("kind", "theirs", "ours"),
    needed=(("theirs",), ("ours",)),
    reader=one_value(_read_stated_same),
    key=repr,
)
