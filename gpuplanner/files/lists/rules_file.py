"""The planner's own class rules as CSV, to be kept or shared: the columns of resources/class_rules.csv."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from gpuplanner.domain.demand.own_rules import (
    LEAST_OWN_CONFIDENCE,
    OWN_CONFIDENCE,
    RULE_FIELDS,
    check_rule,
)
from gpuplanner.domain.demand.rule_proposals import rule_id_for
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.files.system.output_file import write_table
from gpuplanner.files.tables.harmless_cells import csv_text
from gpuplanner.files.tables.small_table import Row, RowError
from gpuplanner.files.tables.table_kind import TableKind

KIND: Final = "rules"
FORMAT: Final = "class_rules"
COLUMNS: Final = ("rule_id", "field", "pattern", "pool", "subtype", "confidence", "reason")
LONGEST_TEXT: Final = 200


def begins_rules(path: Path) -> bool:
    """Whether the first line of a text file on disk is the header of rules; False for what cannot be read."""
    try:
        with path.open("rb") as file:
            return RULES.sniff(file.read(4096).decode("utf-8-sig", "replace")) > 0
    except OSError:
        return False


def _reader() -> Callable[[Row], tuple[ClassRule]]:
    """A reader of rows that remembers the IDs it gave, so that no two rules get the same."""
    taken: set[str] = set()

    def rule_of(row: Row) -> tuple[ClassRule]:
        """One row as a rule, its ID taken from now on."""
        rule = _read_row(row, taken)
        taken.add(rule.rule_id)
        return (rule,)

    return rule_of


RULES: Final = TableKind(
    KIND,
    FORMAT,
    COLUMNS,
    (("field",), ("pattern",), ("pool",)),
    _reader,
    lambda rule: rule.rule_id,
    worded("it has the columns field, pattern and pool"),
    sureness=1.0,
)
"""A row that cannot be a rule is rejected with what is wrong with it. One without rule_id gets one from its class and
words; a confidence is raised to 0.95, an empty one is 0.97."""


def _read_row(row: Row, taken: set[str]) -> ClassRule:
    """A row as a class rule; RowError `bad_rule` for an unknown field or pool, a bad pattern, a long text."""
    field, pattern = row.required("field").lower(), row.required("pattern")
    pool_text = row.required("pool").lower()
    if field not in RULE_FIELDS:
        raise RowError(
            "bad_rule",
            worded("field is {field}, not one of {names}", field=f"{field!r}", names=", ".join(RULE_FIELDS)),
        )
    if pool_text not in set(Pool):
        raise RowError(
            "bad_rule",
            worded(
                "pool is {pool_text}, not one of {names}", pool_text=f"{pool_text!r}", names=", ".join(Pool)
            ),
        )
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
            worded(
                "{column} is longer than {longest_text} signs",
                column=column,
                longest_text=whole(LONGEST_TEXT),
            ),
        )
    return text


def rules_text(rules: Iterable[ClassRule]) -> str:
    """Rules as CSV; no cell begins a formula. Law: reading it gives the same rules."""
    rows = (
        (one.rule_id, one.field, one.pattern, one.pool.value, one.subtype, f"{one.confidence:g}", one.reason)
        for one in rules
    )
    return csv_text((COLUMNS, *rows))


def write_rules(rules: Iterable[ClassRule], path: Path) -> None:
    """Write rules to a file: all of it or nothing. Errors: PlannerError file_unreadable."""
    write_table(path, rules_text(rules))
