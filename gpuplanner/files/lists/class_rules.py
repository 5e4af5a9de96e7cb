"""The planner's own class rules as CSV, to be kept or shared."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from gpuplanner.domain.demand.own_rules import LEAST_OWN_CONFIDENCE, OWN_CONFIDENCE, RULE_FIELDS, check_rule
from gpuplanner.domain.demand.rule_preview import rule_id_for
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import ClassRule, Pool
from gpuplanner.files.system.output_file import write_table
from gpuplanner.files.tables.delimited import csv_text
from gpuplanner.files.tables.small_table import Row, RowError, TableKind, not_one_of

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
