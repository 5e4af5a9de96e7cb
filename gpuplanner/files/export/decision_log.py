"""The logs of decisions of a project's plans, as a CSV file or as plain text."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from gpuplanner.domain.model.book.exchange import english_in
from gpuplanner.domain.model.plan.scenario import Decision, Scenario
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.system.output_file import write_table
from gpuplanner.files.tables.delimited import csv_text

DECISION_COLUMNS: Final = ("plan", "at", "decision", "reason")


def decisions_csv(plans: Iterable[Scenario], currency: str) -> str:
    """Every line of every plan's log: plan, time (ISO 8601 UTC), what, why (empty: nobody said).

    currency: the code of the money of the project that the plans are of.
    """
    lines = (
        (plan.name, iso_utc(decision.at_s), english_in(decision.text, currency), decision.reason)
        for plan in plans
        for decision in plan.decisions
    )
    return csv_text((DECISION_COLUMNS, *lines))


def decisions_text(plans: Iterable[Scenario], currency: str) -> str:
    """The same for people: a heading for each plan, a line for each decision, its reason under it."""
    parts = [
        "\n".join((plan.name, "", *(_lines(decision, currency) for decision in plan.decisions)))
        for plan in plans
        if plan.decisions
    ]
    return "\n\n".join(parts) + "\n"


def _lines(decision: Decision, currency: str) -> str:
    """One decision as text: time and what was decided, the reason indented below it if there is one."""
    head = f"{iso_utc(decision.at_s)}  {english_in(decision.text, currency)}"
    return f"{head}\n    Why: {decision.reason}" if decision.reason else head


def write_decisions(plans: Iterable[Scenario], path: Path, currency: str) -> None:
    """Write the logs to a file, as text where its name ends in .txt or .md, else as CSV: all of it or nothing.

    Errors: PlannerError file_unreadable.
    """
    kept = tuple(plans)
    is_text = path.suffix.lower() in (".txt", ".md")
    write_table(path, decisions_text(kept, currency) if is_text else decisions_csv(kept, currency))
